/*
 * SPDX-License-Identifier: MIT
 *
 * stats.c - doze_pool_stats, doze_yield_now and doze_yield_local.
 */
#include <string.h>

#include "pool.h"

static void add_worker(doze_stats *out, struct doze_worker *worker)
{
	/* Relaxed throughout: the values may be slightly out of date, and the workers keep changing
	 * them. */
	switch ((enum doze_state)da_load(&worker->state, RLX)) {
	case DOZE_STATE_active:
	/* a worker is in this state briefly, while another thread takes it over */
	case DOZE_STATE_suspended:
		out->active++;
		break;
	case DOZE_STATE_idle:
		out->idle++;
		break;
	case DOZE_STATE_sleepy:
		out->sleepy++;
		break;
	case DOZE_STATE_sleeping:
		out->sleeping++;
		break;
	case DOZE_STATE_blocked:
		out->blocked++;
		break;
	default: /* the worker has not started yet, or has stopped */
		break;
	}
	out->jobs_run += da_load(&worker->jobs_run, RLX);
	out->jobs_published += da_load(&worker->jobs_published, RLX);
	out->jobs_stolen += da_load(&worker->jobs_stolen, RLX);
	out->sleeps += da_load(&worker->sleeps, RLX);
}

void doze_pool_stats_sized(doze_pool *pool, doze_stats *out, size_t size)
{
	doze_pool_must_not_be_inherited(pool->id);
	doze_stats now = {.workers = pool->num_workers};
	for (uint32_t i = 0; i < pool->num_workers; i++)
		add_worker(&now, &pool->workers[i]);
	now.jobs_published += da_load(&pool->outside_published, RLX);
	now.wakes = da_load(&pool->sleep.wake_ids, RLX);
	now.suspended = da_load(&pool->suspend.count, RLX);
	memset(out, 0, size);
	memcpy(out, &now, size < sizeof now ? size : sizeof now);
}

static int run_one(struct doze_worker *worker, struct doze_job *job, enum doze_source source)
{
	if (job == NULL)
		return 0;
	doze_worker_execute(worker, job, source);
	doze_worker_settle(worker);
	return 1;
}

int doze_yield_now(void)
{
	struct doze_worker *worker = doze_self;
	enum doze_source source;
	if (worker == NULL)
		return -1;
	struct doze_job *job = doze_worker_find_work(worker, &source);
	return run_one(worker, job, source);
}

int doze_yield_local(void)
{
	struct doze_worker *worker = doze_self;
	enum doze_source source;
	if (worker == NULL)
		return -1;
	struct doze_job *job = doze_worker_take_own(worker, &source);
	return run_one(worker, job, source);
}
