/*
 * SPDX-License-Identifier: MIT
 *
 * spin.c - policy `spin`: never sleeps. The baseline for latency, and for what a pool costs that
 * burns every CPU it has. Workers are counted as inactive while they search, so that the same tools
 * show it; nobody is ever woken.
 */
#include "../pool.h"
#include "../trace.h"
#include "../worker.h"
#include "wake.h"

static void spin_start_looking(struct doze_worker *worker, struct doze_idle *idle)
{
	idle->rounds = 0;
	/* Relaxed: a count for the record; nobody decides by it. */
	uint64_t old = da_add(&worker->pool->sleep.word, DOZE_ONE_INACTIVE, RLX);
	doze_worker_transition(worker, DOZE_STATE_idle, DOZE_REASON_no_work, old,
			       old + DOZE_ONE_INACTIVE);
}

static void spin_no_work_found(struct doze_worker *worker, struct doze_idle *idle,
			       struct doze_core_latch *latch)
{
	(void)worker;
	(void)latch;
	idle->rounds++;
	doze_thread_yield(); /* or more workers than CPUs would starve the one that has work */
}

static void spin_work_found(struct doze_worker *worker, struct doze_idle *idle,
			    enum doze_reason reason)
{
	(void)idle;
	uint64_t old = da_sub(&worker->pool->sleep.word, DOZE_ONE_INACTIVE, RLX); /* as above */
	doze_worker_transition(worker, DOZE_STATE_active, reason, old, old - DOZE_ONE_INACTIVE);
}

static void spin_new_jobs(struct doze_pool *pool, int32_t by, uint32_t n, bool was_empty,
			  enum doze_queue queue)
{
	uint64_t word = doze_pool_word(pool);
	struct doze_trace_post_info info = {
	    .queue = queue,
	    .jobs = n,
	    .was_empty = was_empty,
	    .old_word = word,
	    .new_word = word,
	    .idle = -1,
	    .sleeping = -1,
	};
	doze_post_report(pool, by, &info);
}

static void spin_latch_set(struct doze_pool *pool, int32_t by, int32_t owner,
			   enum doze_latch_state from, enum doze_cause cause)
{
	(void)pool;
	(void)by;
	(void)owner;
	(void)from;
	(void)cause;
}

static void spin_broadcast(struct doze_pool *pool, int32_t by)
{
	(void)pool;
	(void)by;
}

const struct doze_sleep_policy doze_policy_spin = {
    .name = "spin",
    .summary = "never sleeps: a baseline that burns every CPU",
    .word_kind = DOZE_WORD_counters,
    .rounds_until_sleepy = 32,
    .rounds_until_sleeping = 33,
    .start_looking = spin_start_looking,
    .no_work_found = spin_no_work_found,
    .work_found = spin_work_found,
    .new_jobs = spin_new_jobs,
    .latch_set = spin_latch_set,
    .broadcast = spin_broadcast,
};
