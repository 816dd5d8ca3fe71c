/*
 * SPDX-License-Identifier: MIT
 *
 * rfc_variants.c - policies `local`, `block` and `spare`, the "avenues for future exploration" of
 * RFC 5, and `chain`, a fix of ours. They sleep and wake like `rfc` (rfc.h). Three differ in how
 * many workers a post wakes, `chain` in what a worker does when it stops searching. rfc.md
 * describes them.
 */
#include "rfc.h"

#include "../pool.h"
#include "report.h"
#include "steps.h"

/* Policy `local`: RFC 5's idea of estimating idleness from the pusher's own deque. If the
 * deque was empty before the push, thieves keep up with this worker, so some worker is searching.
 * If it was not empty, jobs pile up, so the post wakes one more worker. When several jobs are
 * pushed at once, all but the first find the deque non-empty. The estimate reads no shared data;
 * only the check for sleepers does. A thread that is not a worker of the pool has no deque, so
 * its posts use the count of idle workers, as in `rfc`. */

static void local_new_jobs(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs)
{
	uint64_t word = doze_rfc_look(pool, jobs->queue);
	bool keep_up = jobs->was_empty && jobs->n == 1;
	bool enough =
	    jobs->queue == DOZE_QUEUE_local ? keep_up : doze_counters_idle(word) >= jobs->n;
	uint32_t wakes = !enough && doze_counters_sleeping(word) > 0 ? 1 : 0;
	doze_rfc_wake(pool, by, jobs, word, wakes);
}

const struct doze_sleep_policy doze_policy_local = {
    .name = "local",
    .summary = "RFC 5 variant: a worker judges by its own deque whether thieves keep up",
    DOZE_RFC_HOOKS,
    .new_jobs = local_new_jobs,
};

/* Policy `block`: RFC 5's idea of waking blocks of workers. When too few workers are
 * idle, a post wakes enough to raise the number of awake workers to the next power of two: with 5
 * awake, it wakes 3 more. This is a compromise between waking one and waking all. */

/** Returns the smallest power of two greater than x. */
static uint32_t block_next_power(uint32_t x)
{
	uint32_t p = 1;
	while (p <= x)
		p *= 2;
	return p;
}

static void block_new_jobs(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs)
{
	uint64_t word = doze_rfc_look(pool, jobs->queue);
	uint32_t sleeping = doze_counters_sleeping(word);
	uint32_t wakes = 0;

	if (doze_counters_idle(word) < jobs->n && sleeping > 0) {
		/* The count may briefly exceed the actual number of sleepers, but it serves only as
		 * a limit. */
		uint32_t awake = pool->num_workers > sleeping ? pool->num_workers - sleeping : 0;
		wakes = block_next_power(awake) - awake;
		if (wakes > sleeping)
			wakes = sleeping;
	}
	doze_rfc_wake(pool, by, jobs, word, wakes);
}

const struct doze_sleep_policy doze_policy_block = {
    .name = "block",
    .summary = "RFC 5 variant: raises the number of active workers to the next power of two",
    DOZE_RFC_HOOKS,
    .new_jobs = block_new_jobs,
};

/* Policy `spare`: RFC 5's idea for avoiding missed notifications. A post wakes enough
 * workers that two stay idle after the posted jobs have been taken. If one of them is just falling
 * asleep when a job is posted, the other finds the job. */

#define SPARE_IDLE 2

static void spare_new_jobs(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs)
{
	uint64_t word = doze_rfc_look(pool, jobs->queue);
	uint32_t idle = doze_counters_idle(word);
	uint32_t sleeping = doze_counters_sleeping(word);
	uint32_t wanted = jobs->n + SPARE_IDLE;
	uint32_t wakes = idle < wanted ? wanted - idle : 0;

	if (wakes > sleeping)
		wakes = sleeping;
	doze_rfc_wake(pool, by, jobs, word, wakes);
}

const struct doze_sleep_policy doze_policy_spare = {
    .name = "spare",
    .summary = "RFC 5 variant: wakes enough workers to keep two idle",
    DOZE_RFC_HOOKS,
    .new_jobs = spare_new_jobs,
};

/* Policy `chain`: like `rfc`, but a worker that stops searching while jobs remain
 * notifies one more worker. This is not in RFC 5; it is the smallest change that prevents jobs from
 * waiting while other workers sleep and will not be woken (rfc.md, race 4).
 *
 * A post relies on idle workers, and on workers that have been notified but do not run yet. Such a
 * worker takes one job, or none if its latch is set. So it must check for more jobs and pass the
 * notification on. */

/* Returns whether a job waits in any queue that another worker could serve. */
static bool chain_more_work(struct doze_worker *worker)
{
	struct doze_pool *pool = worker->pool;

	if (doze_queue_has_injected(pool, worker->index))
		return true;
	for (uint32_t i = 0; i < pool->num_workers; i++)
		if (!doze_queue_empty(&pool->workers[i]))
			return true;
	return false;
}

static void chain_work_found(struct doze_worker *worker, struct doze_idle *idle,
			     enum doze_reason reason)
{
	(void)idle;
	uint64_t old = doze_step_found(worker, reason, SC); /* seq_cst: like all steps of rfc.c */

	if (doze_counters_sleeping(old) == 0)
		return;
	/* Orders this worker's decrement of the idle count before its reads of the queues. The
	 * partner is the fence in doze_rfc_look, between the push of an injected job and the load
	 * of the word. So if the post of an injected job relied on this worker, the worker sees the
	 * job unless another worker has taken it. */
	da_fence(SC);
	if (!chain_more_work(worker))
		return;
	struct doze_decision decision = {.cause = DOZE_CAUSE_work_found, .scope = DOZE_SCOPE_one};
	doze_rfc_wake_any(worker->pool, worker->index, 1, &decision);
}

const struct doze_sleep_policy doze_policy_chain = {
    .name = "chain",
    .summary = "RFC 5 variant: a worker that leaves jobs in a queue wakes one more",
    DOZE_RFC_STEPS,
    .work_found = chain_work_found,
    .new_jobs = doze_rfc_new_jobs,
};
