/*
 * SPDX-License-Identifier: MIT
 *
 * wait.c - a worker's loop: work, search, sleep, until a latch is set. The main loop of a worker is
 * this, with its terminate latch; each join, scope or install that has to wait is this, with its
 * own.
 */
#include "pool.h"
#include "queues.h"
#include "worker.h"

/* Memory orders of latches belong to the policy (see latch.h). */
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

/* Searches and sleeps until there is a job, which it returns, or the latch is set: null. The worker
 * is inactive in here and active outside. */
static struct doze_job *look_for_work(struct doze_worker *worker, struct doze_core_latch *latch,
				      enum doze_source *source)
{
	const struct doze_sleep_policy *policy = worker->pool->sleep.policy;
	struct doze_job *job = NULL;
	struct doze_idle idle;

	worker->waits_elsewhere = latch->elsewhere;
	policy->start_looking(worker, &idle);
	while (!is_set(worker, latch)) {
		job = doze_worker_find_work(worker, source);
		if (job != NULL)
			break;
		doze_trace_search(worker->pool->id, worker->index, idle.rounds);
		policy->no_work_found(worker, &idle, latch);
	}
	policy->work_found(worker, &idle, job != NULL ? reason_of(*source) : DOZE_REASON_latch_set);
	return job;
}

void doze_worker_wait_until(struct doze_worker *worker, struct doze_core_latch *latch)
{
	enum doze_source source;

	while (!is_set(worker, latch)) {
		/* Own jobs first, without touching the counters (rayon #1058): a worker that has
		 * something to do is not idle. */
		struct doze_job *job = doze_worker_take_next(worker, &source);
		if (job == NULL)
			job = look_for_work(worker, latch, &source);
		if (job != NULL)
			doze_worker_execute(worker, job, source);
	}
}
