/*
 * SPDX-License-Identifier: MIT
 *
 * event_counter.h - the four steps of the jobs event counter (JEC) on the counters word.
 *
 * Between its last search and its sleep a worker must notice if a job is posted. Checking all
 * queues again would cost too much, so posts and sleepers exchange one bit, the parity of the JEC:
 *
 *   a worker gets sleepy   makes the JEC even and remembers it
 *   a post                 makes the JEC odd; if it is odd already, writes nothing
 *   the worker sleeps      only if the JEC is still the remembered one, in the same step
 *
 * Each change adds one, so that two changes do not restore the remembered value.
 *
 * The JEC may wrap around to the remembered value before the worker sleeps. So a worker that counts
 * as sleeping makes a last check for injected jobs, which no other worker is certain to find.
 * README.md has the proof.
 *
 * All steps on the word are seq_cst, so they and the two fences have one total order.
 */
#ifndef DOZE_EVENT_COUNTER_H
#define DOZE_EVENT_COUNTER_H

#include "../atomic.h"
#include "../trace_enums.h"

struct doze_worker;

/** The word before and after a step; the two are equal if nothing was written. */
struct doze_jec_step {
	uint64_t old_word, new_word;
};

/** Called by a worker that searches. Makes the JEC even. The worker must remember the JEC of
 * new_word. */
struct doze_jec_step doze_jec_get_sleepy(DOZE_ATOMIC(uint64_t) * word);
/** Called by the poster after it has queued jobs. Makes the JEC odd. `fence` is true if the poster
 * does not itself return to that queue, so that the push must be visible before the word is
 * read. */
struct doze_jec_step doze_jec_post(DOZE_ATOMIC(uint64_t) * word, bool fence);
/** Called by a sleepy worker that holds its own sleep lock. Counts the worker in *sleeping* if the
 * JEC is still the remembered one. Returns whether it counted the worker; *seen is the word before
 * the step. */
bool doze_jec_lie_down(DOZE_ATOMIC(uint64_t) * word, uint64_t remembered, uint64_t *seen);
/** Called by a worker that counts as sleeping and holds its own sleep lock. Returns the reason why
 * it must not sleep, or DOZE_ABORT_none. Does not change the word. Executes the sleep fence, which
 * orders the increment of *sleeping* before the checks of the queues. */
enum doze_abort doze_jec_last_look(struct doze_worker *worker);

#endif
