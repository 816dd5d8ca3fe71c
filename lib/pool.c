/*
 * SPDX-License-Identifier: MIT
 *
 * pool.c - creates and frees a pool, and queues jobs in its injector. See pool.h for the life cycle
 * of a pool, thread.c for what a worker's thread does from start to end, and end.c for what a pool
 * waits for before it ends.
 */
#include "pool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deadlock.h"
#include "fork.h"
#include "queues.h"
#include "threads.h"
#include "trace_load.h"

static void workers_free(struct doze_pool *pool, uint32_t made)
{
	for (uint32_t i = 0; i < made; i++) {
		struct doze_worker *worker = &pool->workers[i];
		doze_deque_fini(&worker->deque);
		doze_injector_fini(&worker->broadcast);
		doze_fifo_fini(&worker->fifo);
		doze_cond_destroy(&worker->sleep.cond);
		doze_mutex_destroy(&worker->sleep.lock);
		doze_hold_fini(worker);
		doze_slabs_fini(worker);
	}
	free(pool->workers);
}

static int worker_init(struct doze_pool *pool, int32_t index)
{
	struct doze_worker *worker = &pool->workers[index];

	worker->pool = pool;
	worker->index = index;
	worker->guest = index == 0 && pool->settings.user.use_current_thread;
	worker->queues = pool->sleep.policy->queues;
	doze_worker_heed(worker);
	/* Any odd multiplier spreads the seeds. Constant seeds make a pool search in the same order
	 * in every run. */
	worker->rng = ((uint64_t)index + 1) * UINT64_C(0x9e3779b97f4a7c15);
	worker->job_ids = doze_worker_id_base(worker);
	worker->latch_ids = worker->job_ids + DOZE_ID_HALF;
	doze_core_latch_init(&worker->terminate, DOZE_LATCH_KIND_terminate, worker);
	doze_injector_init(&worker->broadcast);
	doze_fifo_init(&worker->fifo, NULL);
	doze_mutex_init(&worker->sleep.lock);
	doze_cond_init(&worker->sleep.cond);
	doze_hold_init(worker);
	int error = doze_deque_init(&worker->deque, 0);
	if (worker->queues != NULL)
		worker->deque.room = 0; /* without room, doze_join does not push to this deque */
	return error;
}

static int workers_init(struct doze_pool *pool)
{
	size_t size = pool->num_workers * sizeof *pool->workers;
	pool->workers = aligned_alloc(DOZE_CACHE_LINE, size);
	if (pool->workers == NULL)
		return ENOMEM;
	memset(pool->workers, 0, size);
	for (uint32_t i = 0; i < pool->num_workers; i++) {
		if (worker_init(pool, (int32_t)i) != 0) {
			workers_free(pool, i + 1);
			return ENOMEM;
		}
	}
	return 0;
}

/* Creates a pool without workers, policy data or queues. */
static struct doze_pool *pool_new(const struct doze_settings *settings)
{
	struct doze_pool *pool = aligned_alloc(DOZE_CACHE_LINE, sizeof *pool);
	if (pool == NULL)
		return NULL;
	memset(pool, 0, sizeof *pool);
	pool->id = doze_pools_next_id();
	pool->settings = *settings;
	pool->num_workers = settings->num_threads;
	pool->sleep.policy = settings->policy;
	pool->sleep.quiet_mask = settings->policy->quiet_mask;
	pool->sleep.quiet_value = settings->policy->quiet_mask ? settings->policy->quiet_value : 1;
	pool->sleep.rounds_until_sleepy = settings->rounds_until_sleepy;
	pool->sleep.rounds_until_sleeping = settings->rounds_until_sleeping;
	da_init(&pool->terminate_count, 1);
	da_init(&pool->references, 1);
	doze_count_latch_init(&pool->threads_left, NULL, DOZE_LATCH_KIND_count);
	doze_injector_init(&pool->injector);
	doze_mutex_init(&pool->broadcast_lock);
	doze_suspend_init(pool);
	doze_mutex_init(&pool->life_lock);
	doze_cond_init(&pool->life_cond);
	return pool;
}

static void pool_delete(struct doze_pool *pool)
{
	doze_suspend_fini(pool);
	doze_count_latch_fini(&pool->threads_left);
	doze_cond_destroy(&pool->life_cond);
	doze_mutex_destroy(&pool->life_lock);
	doze_mutex_destroy(&pool->broadcast_lock);
	doze_injector_fini(&pool->injector);
	free(pool);
}

static int policy_init(struct doze_pool *pool)
{
	const struct doze_sleep_policy *policy = pool->sleep.policy;
	int error = policy->queues != NULL ? policy->queues->init(pool) : 0;
	if (error != 0)
		return error;
	error = policy->init != NULL ? policy->init(pool) : 0;
	if (error != 0 && policy->queues != NULL)
		policy->queues->fini(pool);
	return error;
}

static void policy_fini(struct doze_pool *pool)
{
	const struct doze_sleep_policy *policy = pool->sleep.policy;
	if (policy->fini != NULL)
		policy->fini(pool);
	if (policy->queues != NULL)
		policy->queues->fini(pool);
}

int doze_pool_build(struct doze_pool **out, const struct doze_settings *settings)
{
	struct doze_pool *pool = pool_new(settings);
	if (pool == NULL)
		return ENOMEM;
	int error = workers_init(pool);
	if (error != 0)
		goto no_workers;
	error = doze_deadlock_init(pool);
	if (error != 0)
		goto no_deadlock;
	error = policy_init(pool);
	if (error != 0)
		goto no_policy;
	*out = pool;
	return 0;
no_policy:
	doze_deadlock_fini(pool);
no_deadlock:
	workers_free(pool, pool->num_workers);
no_workers:
	pool_delete(pool);
	return error;
}

static void report_start(const struct doze_pool *pool)
{
	bool counters = pool->sleep.policy->word_kind == DOZE_WORD_counters;
	const struct doze_trace_pool_info info = {
	    .policy = pool->sleep.policy->name,
	    .version = DOZE_VERSION,
	    .name = pool->settings.name,
	    .workers = pool->num_workers,
	    .schema_major = DOZE_SCHEMA_MAJOR,
	    .schema_minor = DOZE_SCHEMA_MINOR,
	    .rounds_until_sleepy = pool->sleep.rounds_until_sleepy,
	    .rounds_until_sleeping = pool->sleep.rounds_until_sleeping,
	    .word_kind = pool->sleep.policy->word_kind,
	    .bits_sleeping = counters ? DOZE_BITS_SLEEPING : 0,
	    .bits_inactive = counters ? DOZE_BITS_INACTIVE : 0,
	    .bits_jec = counters ? DOZE_BITS_JEC : 0,
	    .level = doze_trace_level(),
	};
	doze_trace_pool_start(pool->id, &info);
}

/* Undoes the creation of a pool whose worker `started` could not be started. */
static void give_up(struct doze_pool *pool, uint32_t started, int error)
{
	uint32_t wanted = pool->num_workers;
	const char *by = pool->settings.user.spawn_handler != NULL ? " by the spawn handler" : "";

	doze_pool_end(pool, started);
	(void)doze_error_set(error, "worker thread %u of %u could not be created%s: %s",
			     started + 1, wanted, by, strerror(error));
}

int doze_pool_create_sized(doze_pool **out, const doze_config *config, size_t size)
{
	struct doze_settings settings;
	struct doze_pool *pool;
	doze_config known;

	*out = NULL;
	int error = doze_config_import(&known, config, size);
	if (error == 0)
		error = doze_settings_read(&settings, &known);
	if (error != 0)
		return error;
	if (settings.user.use_current_thread && doze_self != NULL)
		return doze_error_set(
		    EBUSY,
		    "doze_config.use_current_thread: this thread is already worker %d of a pool",
		    doze_self->index);
	error = doze_pool_build(&pool, &settings);
	if (error != 0)
		return doze_error_set(error, "a pool of %u workers could not be created: %s",
				      settings.num_threads, strerror(error));
	doze_fork_watch();
	doze_trace_boot();
	report_start(pool);
	doze_pools_add(pool);
	uint32_t started;
	error = doze_threads_start(pool, &started);
	if (error == 0)
		*out = pool;
	else
		give_up(pool, started, error);
	return error;
}

void doze_pool_abort_inherited(uint32_t id)
{
	fprintf(stderr,
		"doze: pool %u was created before fork(), and its workers exist only in the parent "
		"process; create a pool in the child\n",
		id);
	abort();
}

void doze_pool_ref(struct doze_pool *pool)
{
	/* Relaxed: the step that keeps the pool alive for the caller provides the ordering. */
	da_add(&pool->references, 1, RLX);
}

void doze_pool_unref(struct doze_pool *pool)
{
	/* Acquire-release: orders all last accesses before the free. */
	da_edge_out(&pool->references);
	if (da_sub(&pool->references, 1, AR) != 1)
		return;
	da_edge_in(&pool->references);
	policy_fini(pool);
	doze_deadlock_fini(pool);
	workers_free(pool, pool->num_workers);
	pool_delete(pool);
}

/* Called after jobs were injected, which may already have been freed. Counts them and calls the
 * policy. */
static void injected(struct doze_pool *pool, struct doze_worker *worker,
		     const struct doze_publish *jobs)
{
	int32_t by = doze_acting_index(worker, pool);
	if (by >= 0)
		doze_bump(&worker->jobs_published, jobs->n);
	else
		/* relaxed: a statistic needs no ordering */
		da_add(&pool->outside_published, jobs->n, RLX);
	pool->sleep.policy->new_jobs(pool, by, jobs);
}

void doze_pool_inject(struct doze_pool *pool, struct doze_worker *worker, struct doze_job *job)
{
	int32_t by = doze_acting_index(worker, pool);
	struct doze_publish jobs = {DOZE_QUEUE_injector, 1, false, job->id, job->caller};

	doze_pool_enter(pool, by);
	da_edge_out(job);
	jobs.was_empty = doze_queue_inject(pool, by, job); /* last access to the job */
	injected(pool, worker, &jobs);
	doze_pool_leave(pool, by);
}

int doze_pool_inject_many(struct doze_pool *pool, struct doze_worker *worker,
			  const struct doze_batch *batch)
{
	int32_t by = doze_acting_index(worker, pool);
	struct doze_publish jobs = {DOZE_QUEUE_injector, batch->count, false, batch->id,
				    batch->caller};

	doze_pool_enter(pool, by);
	doze_batch_edges(batch);
	int error = doze_queue_inject_many(pool, by, batch, &jobs.was_empty);
	if (error == 0)
		injected(pool, worker, &jobs);
	doze_pool_leave(pool, by);
	return error;
}

int doze_pool_queue(struct doze_pool *pool, struct doze_worker *worker, struct doze_fifo *fifo,
		    struct doze_job *job)
{
	if (doze_pool_own_deque(pool, worker))
		return doze_worker_queue(worker, fifo, job);
	if (pool->sleep.policy->queues == NULL) {
		doze_pool_inject(pool, worker, job); /* cannot fail: the injector needs no memory */
		return 0;
	}
	struct doze_batch batch = {.count = 0};
	doze_batch_add(&batch, job);
	return doze_pool_inject_many(pool, worker, &batch);
}

int doze_pool_queue_many(struct doze_pool *pool, struct doze_worker *worker, struct doze_fifo *fifo,
			 const struct doze_batch *batch)
{
	if (!doze_pool_own_deque(pool, worker))
		return doze_pool_inject_many(pool, worker, batch);
	if (fifo != NULL)
		return doze_fifo_push_many(fifo, worker, batch);
	int error = doze_worker_reserve(worker, batch->count);
	if (error == 0)
		doze_worker_push_many(worker, batch);
	return error;
}

uint64_t doze_pool_next_job(struct doze_pool *pool, struct doze_worker *worker)
{
	if (doze_acting_index(worker, pool) >= 0)
		return doze_worker_next_job(worker);
	return da_add(&pool->outside_ids, 1, RLX) + 1; /* relaxed: an id needs no ordering */
}

unsigned doze_num_threads(const doze_pool *pool)
{
	doze_pool_must_not_be_inherited(pool->id);
	return pool->num_workers;
}
