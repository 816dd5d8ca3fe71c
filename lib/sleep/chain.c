/*
 * SPDX-License-Identifier: MIT
 *
 * chain.c - policy `chain`: like `rfc`, but a worker that stops searching while jobs remain
 * notifies one more worker. This is not in RFC 5; it is the smallest change that prevents jobs from
 * waiting while other workers sleep and will not be woken (rfc.md, race 4).
 *
 * A post relies on idle workers, and on workers that have been notified but do not run yet. Such a
 * worker takes one job, or none if its latch is set. So it must check for more jobs and pass the
 * notification on.
 */
#include "report.h"
#include "rfc.h"
#include "steps.h"

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
