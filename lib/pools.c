/*
 * SPDX-License-Identifier: MIT
 *
 * pools.c - the list of live pools, for the trace provider's snapshots; their ids; and the default
 * pool.
 *
 * `lock` protects the list and the links in the pools. It is a leaf lock: no other lock is taken
 * under it, except those that a callback of doze_trace_for_each_worker takes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "fork.h"
#include "pool.h"
#include "suspend/wait_graph.h"
#include "trace_load.h"

static doze_mutex lock = DOZE_MUTEX_INIT;
static struct doze_pool *first; /* head of the list of live pools; protected by lock; not owned */

static doze_mutex default_lock = DOZE_MUTEX_INIT;
static DOZE_ATOMIC(doze_pool *) default_pool; /* written under default_lock, once; owned */

static DOZE_ATOMIC(uint32_t) last_id;
uint32_t doze_pools_inherited;

uint32_t doze_pools_next_id(void)
{
	return da_add(&last_id, 1, RLX) + 1; /* relaxed: an id needs no ordering */
}

void doze_pools_add(struct doze_pool *pool)
{
	doze_mutex_lock(&lock);
	pool->previous_live = NULL;
	pool->next_live = first;
	if (first != NULL)
		first->previous_live = pool;
	first = pool;
	doze_mutex_unlock(&lock);
}

void doze_pools_remove(struct doze_pool *pool)
{
	doze_mutex_lock(&lock);
	if (pool->previous_live != NULL)
		pool->previous_live->next_live = pool->next_live;
	else
		first = pool->next_live;
	if (pool->next_live != NULL)
		pool->next_live->previous_live = pool->previous_live;
	doze_mutex_unlock(&lock);
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
	doze_mutex_lock(&lock);
	for (struct doze_pool *pool = first; pool != NULL; pool = pool->next_live) {
		for (uint32_t i = 0; i < pool->num_workers; i++) {
			struct doze_trace_snapshot_info info = snapshot_of(pool, &pool->workers[i]);
			fn(ctx, pool->id, (int32_t)i, &info);
		}
	}
	doze_mutex_unlock(&lock);
}

/* Called with default_lock held. */
static int make_default(const doze_config *config, size_t size)
{
	doze_pool *pool;
	int error = doze_pool_create_sized(&pool, config, size);
	if (error != 0)
		return error;
	da_edge_out(&default_pool);
	/* Release: orders the pool's fields before the pointer to it. */
	da_store(&default_pool, pool, REL);
	return 0;
}

int doze_default_pool_init_sized(const doze_config *config, size_t size)
{
	int error = EBUSY;
	doze_mutex_lock(&default_lock);
	if (da_load(&default_pool, RLX) == NULL)
		error = make_default(config, size);
	else
		(void)doze_error_set(EBUSY,
				     "doze_default_pool_init: the default pool already "
				     "exists; call this function before the pool's first use");
	doze_mutex_unlock(&default_lock);
	return error;
}

doze_pool *doze_default_pool(void)
{
	doze_pool *pool = da_load(&default_pool, ACQ); /* acquire: pairs with make_default */
	if (doze_likely(pool != NULL)) {
		da_edge_in(&default_pool);
		return pool;
	}
	int error = 0;
	doze_mutex_lock(&default_lock);
	if (da_load(&default_pool, RLX) == NULL)
		error = make_default(NULL, 0);
	doze_mutex_unlock(&default_lock);
	if (error != 0) {
		fprintf(stderr, "doze: cannot create the default pool: %s\n", doze_last_error());
		abort();
	}
	return da_load(&default_pool, ACQ);
}

void doze_default_pool_free(void)
{
	doze_mutex_lock(&default_lock);
	doze_pool *pool = da_swap(&default_pool, NULL, AR);
	doze_mutex_unlock(&default_lock);
	doze_pool_free(pool);
}

/* The fork handlers do not take default_lock: a thread that creates a pool under it does not fork,
 * and the child gets a new lock. */
void doze_pools_fork_prepare(void)
{
	doze_mutex_lock(&lock);
	doze_graph_fork_prepare();
}

void doze_pools_fork_parent(void)
{
	doze_graph_fork_parent();
	doze_mutex_unlock(&lock);
}

void doze_pools_fork_child(void)
{
	doze_pools_inherited = da_load(&last_id, RLX);
	first = NULL;
	da_store(&default_pool, NULL, RLX); /* relaxed: the child has no other thread */
	doze_mutex_init(&default_lock);
	doze_self = NULL; /* even if a worker forked, because its pool does not exist in the
			   * child */
	doze_graph_fork_child();
	doze_mutex_unlock(&lock);
}
