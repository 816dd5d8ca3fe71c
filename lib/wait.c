/*
 * SPDX-License-Identifier: MIT
 *
 * wait.c - a worker's loop: work, search and sleep until a latch is set. A worker's main loop uses
 * the terminate latch; each join, scope or install that has to wait uses its own latch. A wait runs
 * the jobs that it finds on top of its own frame, unless that could close a cycle of waits; then it
 * suspends (suspend/README.md).
 */
#include "pool.h"
#include "queues.h"
#include "suspend/suspend.h"
#include "worker.h"

/* The policy chooses the memory order of a probe (see core_latch.h). */
static inline bool is_set(const struct doze_worker *worker, struct doze_core_latch *latch)
{
	return worker->pool->sleep.policy->latch_probe_sc ? doze_core_latch_probe(latch, SC)
							  : doze_core_latch_probe(latch, ACQ);
}

static enum doze_reason reason_of(enum doze_source source)
{
	switch (source) {
	case DOZE_SOURCE_stolen:
		return DOZE_REASON_found_stolen;
	case DOZE_SOURCE_injected:
		return DOZE_REASON_found_injected;
	case DOZE_SOURCE_broadcast:
		return DOZE_REASON_found_broadcast;
	default:
		return DOZE_REASON_found_local;
	}
}

/* Searches and sleeps until the worker has a job, and returns the job; or until the latch is set or
 * a suspended wait of this worker can continue, and returns null. The worker is inactive during the
 * call and active before and after it. */
static struct doze_job *look_for_work(struct doze_worker *worker, struct doze_core_latch *latch,
				      enum doze_source *source)
{
	const struct doze_sleep_policy *policy = worker->pool->sleep.policy;
	struct doze_job *job = NULL;
	struct doze_idle idle;

	worker->waits_elsewhere = latch->elsewhere || worker->hold.elsewhere != 0;
	doze_pool_terminate_give_back(worker);
	policy->start_looking(worker, &idle);
	while (!is_set(worker, latch) && !doze_has_ready(worker)) {
		job = doze_worker_find_work(worker, source);
		if (job != NULL)
			break;
		doze_trace_search(worker->pool->id, worker->index, idle.rounds);
		policy->no_work_found(worker, &idle, latch);
	}
	policy->work_found(worker, &idle, job != NULL ? reason_of(*source) : DOZE_REASON_latch_set);
	return job;
}

/* Takes the worker's own jobs first, without touching the counters (rayon #1058): a worker with
 * jobs of its own is not idle. */
static struct doze_job *next_job(struct doze_worker *worker, struct doze_core_latch *latch,
				 enum doze_source *source)
{
	struct doze_job *job = doze_worker_take_next(worker, source);
	return job != NULL ? job : look_for_work(worker, latch, source);
}

void doze_worker_wait_for(struct doze_worker *worker, struct doze_core_latch *latch,
			  struct doze_future *target)
{
	enum doze_source source = DOZE_SOURCE_none;

	while (!is_set(worker, latch)) {
		/* A suspended wait that can continue takes precedence: other threads may wait for
		 * it. */
		bool give_back = doze_has_ready(worker);
		struct doze_job *job = give_back ? NULL : next_job(worker, latch, &source);
		if (job != NULL && doze_may_run(worker, job))
			doze_worker_execute(worker, job, source);
		else if (job != NULL || give_back)
			doze_suspend_wait(worker, latch, target, job, source);
	}
}

void doze_worker_wait_until(struct doze_worker *worker, struct doze_core_latch *latch)
{
	doze_worker_wait_for(worker, latch, NULL);
}

void doze_worker_serve(struct doze_worker *worker)
{
	enum doze_source source;

	while (!doze_has_ready(worker) && !is_set(worker, &worker->terminate)) {
		struct doze_job *job = next_job(worker, &worker->terminate, &source);
		if (job != NULL)
			doze_worker_execute(worker, job, source);
	}
}
