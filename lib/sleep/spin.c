/*
 * SPDX-License-Identifier: MIT
 *
 * spin.c - policy `spin`: workers never sleep. It is the baseline for latency and for the cost of a
 * pool that keeps every CPU busy. Workers count as inactive while they search, so that the same
 * tools work; no worker is ever woken.
 */
#include "../deadlock.h"
#include "report.h"
#include "steps.h"

static void spin_start_looking(struct doze_worker *worker, struct doze_idle *idle)
{
	/* Relaxed, like all steps here: the count serves only the trace; no decision depends on
	 * it. */
	doze_step_look(worker, idle, RLX);
}

static void spin_no_work_found(struct doze_worker *worker, struct doze_idle *idle,
			       struct doze_core_latch *latch)
{
	struct doze_pool *pool = worker->pool;
	(void)latch;
	idle->rounds++;
	if (doze_unlikely(pool->deadlock != NULL) &&
	    idle->rounds >= pool->sleep.rounds_until_sleeping)
		doze_deadlock_idle(worker);
	/* Yield, because with more workers than CPUs, searchers would starve the worker that has
	 * work. */
	doze_thread_yield();
}

static void spin_work_found(struct doze_worker *worker, struct doze_idle *idle,
			    enum doze_reason reason)
{
	(void)idle;
	if (doze_unlikely(worker->pool->deadlock != NULL))
		doze_deadlock_busy(worker);
	(void)doze_step_found(worker, reason, RLX);
}

static void spin_new_jobs(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs)
{
	struct doze_trace_post_info post = doze_post_seen(jobs, doze_pool_word(pool), -1, -1);
	(void)doze_post_decided(pool, by, &post, DOZE_SCOPE_one);
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
    /* always quiet: no worker ever counts as sleeping */
    .quiet_mask = DOZE_MASK_BITS(DOZE_BITS_SLEEPING),
    .rounds_until_sleepy = 32,
    .rounds_until_sleeping = 33,
    .start_looking = spin_start_looking,
    .no_work_found = spin_no_work_found,
    .work_found = spin_work_found,
    .new_jobs = spin_new_jobs,
    .latch_set = spin_latch_set,
    .broadcast = spin_broadcast,
};
