/*
 * SPDX-License-Identifier: MIT
 *
 * pool.c - builds a pool and frees it with its last reference, keeps the list of live pools, and
 * queues jobs in a pool's injector. See pool.h for the life cycle of a pool, create.c for how users
 * get one, thread.c for what a worker's thread does from start to end, and end.c for what a pool
 * waits for before it ends.
 */
#include "pool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deadlock.h"
#include "queues.h"
#include "suspend/wait_graph.h"
#include "trace_load.h"

/* Protects the list of live pools and its links in the pools. A leaf lock: no other lock is taken
 * under it, except those that a callback of doze_trace_for_each_worker takes. */
static doze_mutex list_lock = DOZE_MUTEX_INIT;
static struct doze_pool *first; /* head of the list; not owned */

static DOZE_ATOMIC(uint32_t) last_id;
uint32_t doze_pools_inherited;

/* ---- the list of live pools, for the snapshots of the trace ---- */

static uint32_t pools_next_id(void)
{
	return da_add(&last_id, 1, RLX) + 1; /* relaxed: an id needs no ordering */
}

void doze_pools_add(struct doze_pool *pool)
{
	doze_mutex_lock(&list_lock);
	pool->previous_live = NULL;
	pool->next_live = first;
	if (first != NULL)
		first->previous_live = pool;
	first = pool;
	doze_mutex_unlock(&list_lock);
}

void doze_pools_remove(struct doze_pool *pool)
{
	doze_mutex_lock(&list_lock);
	if (pool->previous_live != NULL)
		pool->previous_live->next_live = pool->next_live;
	else
		first = pool->next_live;
	if (pool->next_live != NULL)
		pool->next_live->previous_live = pool->previous_live;
	doze_mutex_unlock(&list_lock);
}

/* Reads the word and the worker's counts one after another, so they are not an exact snapshot. */
static struct doze_trace_snapshot_info snapshot_of(struct doze_pool *pool,
						   struct doze_worker *worker)
{
	enum doze_word_kind kind = pool->sleep.policy->word_kind;
	bool counters = kind == DOZE_WORD_counters;
	/* Relaxed throughout: the values may be slightly out of date. */
	return (struct doze_trace_snapshot_info){
	    .policy = pool->sleep.policy->name,
	    .workers = pool->num_workers,
	    .state = da_load(&worker->state, RLX),
	    .word_kind = kind,
	    .bits_sleeping = counters ? DOZE_BITS_SLEEPING : 0,
	    .bits_inactive = counters ? DOZE_BITS_INACTIVE : 0,
	    .bits_jec = counters ? DOZE_BITS_JEC : 0,
	    .word = doze_pool_word(pool),
	    .jobs_run = da_load(&worker->jobs_run, RLX),
	    .jobs_published = da_load(&worker->jobs_published, RLX),
	    .level = doze_trace_level(),
	    .tid = da_load(&worker->tid, RLX),
	};
}

void doze_trace_for_each_worker(void (*fn)(void *ctx, uint32_t pool, int32_t worker,
					   const struct doze_trace_snapshot_info *info),
				void *ctx)
{
	doze_mutex_lock(&list_lock);
	for (struct doze_pool *pool = first; pool != NULL; pool = pool->next_live) {
		for (uint32_t i = 0; i < pool->num_workers; i++) {
			struct doze_trace_snapshot_info info = snapshot_of(pool, &pool->workers[i]);
			fn(ctx, pool->id, (int32_t)i, &info);
		}
	}
	doze_mutex_unlock(&list_lock);
}

void doze_pools_fork_prepare(void)
{
	doze_mutex_lock(&list_lock);
	doze_graph_fork_prepare();
}

void doze_pools_fork_parent(void)
{
	doze_graph_fork_parent();
	doze_mutex_unlock(&list_lock);
}

void doze_pools_fork_child(void)
{
	doze_pools_inherited = da_load(&last_id, RLX);
	first = NULL;
	doze_self_set(NULL); /* even if a worker forked: its pool does not exist in the child */
	doze_graph_fork_child();
	doze_mutex_unlock(&list_lock);
}

/* ---- creating and freeing a pool ---- */

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
	worker->layout = DOZE_WORKER_LAYOUT;
	worker->word = &pool->sleep.word;
	worker->quiet_mask = pool->sleep.quiet_mask;
	da_init(&worker->starts_on, doze_trace_every_job_state());
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
	pool->id = pools_next_id();
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

/* ---- queueing jobs ---- */

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
