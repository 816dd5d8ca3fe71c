/*
 * SPDX-License-Identifier: MIT
 *
 * Lab 1 replaces this file (labs/01-states): keep other code out of it.
 *
 * idle_step.c - see idle_step.h. README.md defines the step numbers.
 *
 * Locks: sleep_now holds the worker's own sleep lock from step 2 to the end. The word is atomic.
 */
#include "idle_step.h"

#include "../deadlock.h"
#include "event_counter.h"
#include "steps.h"
#include "wake.h"

/* Makes the JEC even; the next post makes it odd again. */
static void get_sleepy(struct doze_worker *worker, struct doze_idle *idle)
{
	struct doze_jec_step step = doze_jec_get_sleepy(&worker->pool->sleep.word);
	uint64_t now = step.new_word;

	if (step.old_word != now)
		doze_trace_jec(worker->pool->id, worker->index, DOZE_JEC_CAUSE_sleepy,
			       step.old_word, now);
	idle->jec = doze_counters_jec(now);
	doze_worker_transition(worker, DOZE_STATE_sleepy, DOZE_REASON_rounds, now, now);
}

/* The reason why an attempt to sleep ended, and the round at which the worker continues its
 * search. */
struct outcome {
	enum doze_reason reason;
	uint32_t rounds;
	uint64_t word; /* the counters word, for the trace */
	uint64_t wake_id;
};

static struct outcome averted(struct doze_worker *worker, enum doze_abort by,
			      enum doze_reason reason, uint32_t rounds, uint64_t old, uint64_t new)
{
	doze_trace_sleep_abort(worker->pool->id, worker->index, by, old, new);
	return (struct outcome){reason, rounds, new, 0};
}

/* Steps 5 and 6: the last check, after the increment. If there is work that must keep the worker
 * from sleeping, takes the increment back and returns true. */
static bool last_look(struct doze_worker *worker, struct outcome *out)
{
	enum doze_abort by = doze_jec_last_look(worker);
	if (by == DOZE_ABORT_none)
		return false;
	/* seq_cst: like all steps on the word. No waker can have decremented it, because is_blocked
	 * is false. */
	uint64_t old = da_sub(&worker->pool->sleep.word, DOZE_ONE_SLEEPING, SC);
	*out = averted(worker, by, doze_reason_of_look(by), 0, old, old - DOZE_ONE_SLEEPING);
	return true;
}

/* Steps 4 to 7. Called with the worker's own sleep lock held and its latch SLEEPING. */
static struct outcome sleep_unless_posted(struct doze_worker *worker, const struct doze_idle *idle)
{
	struct doze_sleep *pool_sleep = &worker->pool->sleep;
	uint64_t now;
	if (!doze_jec_lie_down(&pool_sleep->word, idle->jec, &now))
		return averted(worker, DOZE_ABORT_jec, DOZE_REASON_jec_changed,
			       pool_sleep->rounds_until_sleepy, now, now);
	doze_worker_transition(worker, DOZE_STATE_sleeping, DOZE_REASON_rounds, now,
			       now + DOZE_ONE_SLEEPING);

	struct outcome out;
	if (last_look(worker, &out))
		return out;
	uint64_t wake_id = doze_wake_await(worker); /* step 7: wait until a waker ends the sleep */
	return (struct outcome){DOZE_REASON_woken, 0, doze_pool_word(worker->pool), wake_id};
}

static void sleep_now(struct doze_worker *worker, struct doze_idle *idle,
		      struct doze_core_latch *latch)
{
	struct doze_pool *pool = worker->pool;
	struct outcome out;

	/* Step 1. If the latch is set, the caller notices that next. The worker has not slept, so
	 * it keeps its count of rounds. */
	if (!doze_core_latch_get_sleepy(latch)) {
		doze_step_averted(worker, DOZE_ABORT_latch);
		return;
	}
	doze_mutex_lock(&worker->sleep.lock); /* step 2: take the worker's lock */
	/* Step 3, under the lock: a setter that reads SLEEPING finds this worker waiting once it
	 * has the lock. */
	if (doze_core_latch_fall_asleep(latch)) {
		out = sleep_unless_posted(worker, idle);
		doze_core_latch_wake_up(latch); /* step 8: reset the latch, unless it is set */
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

void doze_idle_step(struct doze_worker *worker, struct doze_idle *idle,
		    struct doze_core_latch *latch)
{
	const struct doze_sleep *sleep = &worker->pool->sleep;

	if (idle->rounds >= sleep->rounds_until_sleeping) {
		sleep_now(worker, idle, latch);
		return;
	}
	if (idle->rounds == sleep->rounds_until_sleepy)
		get_sleepy(worker, idle);
	idle->rounds++;
	doze_thread_yield();
}
