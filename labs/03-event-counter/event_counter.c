/*
 * SPDX-License-Identifier: MIT
 *
 * event_counter.c - lab 3: the four steps of the jobs event counter. You write this file.
 *
 * lib/sleep/event_counter.h describes each function and its callers, and lib/sleep/counters.h has
 * the functions on the word's fields. The atomic operations are those of lib/atomic.h: da_load(p,
 * order); da_cas(p, &now, next, SC, RLX), which on failure stores the value that it found in `now`;
 * and da_fence(order). All steps on the word are SC.
 */
#include "lib/sleep/event_counter.h"

#include "lib/sleep/counters.h"
#include "lib/sleep/steps.h"

/* A worker has searched for a while without success: make the jobs event counter (JEC) even. */
struct doze_jec_step doze_jec_get_sleepy(DOZE_ATOMIC(uint64_t) * word)
{
	uint64_t now = da_load(word, SC);
	/* TODO */
	return (struct doze_jec_step){now, now};
}

/* Jobs were queued: make the JEC odd. Most posts find it odd already, and should then write
 * nothing. */
struct doze_jec_step doze_jec_post(DOZE_ATOMIC(uint64_t) * word, bool fence)
{
	uint64_t now = da_load(word, SC);
	/* TODO */
	return (struct doze_jec_step){now, now};
}

/* The worker is about to sleep: count it as sleeping, unless the JEC has changed. */
bool doze_jec_lie_down(DOZE_ATOMIC(uint64_t) * word, uint64_t remembered, uint64_t *seen)
{
	*seen = da_load(word, SC);
	/* TODO */
	return false;
}

/* The worker is counted as sleeping. doze_look_injected(worker) checks the queues whose jobs no
 * other worker can be relied on to take. */
enum doze_abort doze_jec_last_look(struct doze_worker *worker)
{
	/* TODO */
	return DOZE_ABORT_none;
}
