/*
 * SPDX-License-Identifier: MIT
 *
 * idle_step.c - lab 1: the states of a worker without work. You write the four parts marked TODO.
 *
 * lib/sleep/idle_step.h describes the states. You need these functions:
 *   doze_jec_get_sleepy, doze_jec_lie_down, doze_jec_last_look   see lib/sleep/event_counter.h
 *   doze_wake_await                                              see lib/sleep/wake.h
 *   doze_worker_transition, which reports a change of state      see lib/worker.h
 *   doze_trace_jec, which reports that the JEC became even       see lib/trace.h
 *   da_sub(&word, DOZE_ONE_SLEEPING, SC), doze_counters_jec      see lib/sleep/counters.h
 * The pool's counters are worker->pool->sleep.word; doze_pool_word (lib/pool.h) reads them.
 * sleep_now, below, is complete.
 */
#include "lib/sleep/idle_step.h"

#include "lib/deadlock.h"
#include "lib/sleep/event_counter.h"
#include "lib/sleep/steps.h"
#include "lib/sleep/wake.h"

/* idle -> sleepy. Make the jobs event counter (JEC) even and remember it in idle->jec. If this
 * changed the word, report the change (doze_trace_jec, cause DOZE_JEC_CAUSE_sleepy). Then report
 * the new state. */
static void get_sleepy(struct doze_worker *worker, struct doze_idle *idle)
{
	(void)worker;
	(void)idle;
	/* TODO 1 */
}

/* The reason why an attempt to sleep ended, and the round at which the worker continues its
 * search. */
struct outcome {
	enum doze_reason reason;
	uint32_t rounds;
	uint64_t word; /* the counters word after the attempt, which the trace records */
	uint64_t wake_id;
};

/* Reports a sleep that did not happen. */
static struct outcome averted(struct doze_worker *worker, enum doze_abort by,
			      enum doze_reason reason, uint32_t rounds, uint64_t old, uint64_t new)
{
	doze_trace_sleep_abort(worker->pool->id, worker->index, by, old, new);
	return (struct outcome){reason, rounds, new, 0};
}

/* Called once the worker is counted as sleeping. If the last check finds work, subtract the worker
 * from the count, set *out to averted(…, doze_reason_of_look(by), 0, word before, word after), and
 * return true. */
static bool last_look(struct doze_worker *worker, struct outcome *out)
{
	(void)worker;
	(void)out;
	/* TODO 2 */
	return false;
}

/* sleepy -> sleeping, unless a job has been posted since the worker got sleepy. Call
 * doze_jec_lie_down; if it fails, return averted(…, DOZE_ABORT_jec, DOZE_REASON_jec_changed, the
 * round in which the worker got sleepy, …). Then report the new state, call last_look, and wait for
 * a wake. Called with the sleep lock held. */
static struct outcome sleep_unless_posted(struct doze_worker *worker, const struct doze_idle *idle)
{
	struct outcome out = {DOZE_REASON_woken, 0, doze_pool_word(worker->pool), 0};
	(void)idle;
	(void)last_look(worker, &out);
	(void)averted;
	/* TODO 3 */
	return out;
}

/* This function is complete. It handles the latch that the worker waits for (lab 4), and makes the
 * worker idle again. The steps are those of lib/sleep/README.md. */
static void sleep_now(struct doze_worker *worker, struct doze_idle *idle,
		      struct doze_core_latch *latch)
{
	struct doze_pool *pool = worker->pool;
	struct outcome out;

	/* Step 1. If the latch is already set, return: the caller checks it next. The worker has
	 * not slept, so its round count is not reset. */
	if (!doze_core_latch_get_sleepy(latch)) {
		doze_step_averted(worker, DOZE_ABORT_latch);
		return;
	}
	doze_mutex_lock(&worker->sleep.lock); /* step 2 */
	/* Step 3, under the lock: a setter that reads SLEEPING finds this worker waiting once it
	 * has the lock. */
	if (doze_core_latch_fall_asleep(latch)) {
		out = sleep_unless_posted(worker, idle);
		doze_core_latch_wake_up(latch); /* step 8 */
	} else {
		uint64_t word = doze_pool_word(pool);
		out = averted(worker, DOZE_ABORT_latch, DOZE_REASON_latch_set, 0, word, word);
	}
	doze_mutex_unlock(&worker->sleep.lock);

	if (out.wake_id != 0) {
		doze_deadlock_acquire(worker);
		doze_trace_woken(pool->id, worker->index, out.wake_id);
	}
	idle->rounds = out.rounds;
	idle->jec = DOZE_JEC_DUMMY;
	doze_worker_transition(worker, DOZE_STATE_idle, out.reason, out.word, out.word);
}

/* The worker calls this after each search that found nothing. */
void doze_idle_step(struct doze_worker *worker, struct doze_idle *idle,
		    struct doze_core_latch *latch)
{
	/* TODO 4: rounds_until_sleepy and rounds_until_sleeping are in worker->pool->sleep */
	if (idle->rounds == UINT32_MAX) {
		get_sleepy(worker, idle);
		sleep_now(worker, idle, latch);
	}
	doze_thread_yield();
}
