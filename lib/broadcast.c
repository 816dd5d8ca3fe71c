/*
 * SPDX-License-Identifier: MIT
 *
 * broadcast.c - runs one function on every worker of a pool.
 *
 * Each worker has a queue that only this worker takes jobs from. A broadcast puts a job into each
 * of these queues under one lock, so two broadcasts reach all workers in the same order. Otherwise
 * worker 0 could wait for worker 1 in the first broadcast while worker 1 waits for worker 0 in the
 * second. The policy then wakes all sleepers.
 */
#include <errno.h>
#include <stdlib.h>

#include "guard.h"
#include "pool.h"
#include "scope.h"

struct broadcast;

struct broadcast_job {
	struct doze_job job;
	struct broadcast *all; /* not owned */
};

/* A broadcast in progress, allocated on the heap. Freed by the caller if the caller waits,
 * otherwise by the last worker. */
struct broadcast {
	/* Constant after publication. */
	doze_broadcast_fn fn;
	void *arg;
	doze_scope *scope; /* the scope that waits for the turns, or null */
	/* the waiting caller's latch; null if the caller does not wait */
	struct doze_count_latch *latch;
	uint32_t count;
	/* Written by any worker. */
	/* number of turns that have not ended; used if the caller does not wait */
	DOZE_ATOMIC(uint32_t) left;
	struct broadcast_job jobs[];
};

/* Called after a worker has run its turn. May free the broadcast. */
static void turn_ends(struct broadcast *b, struct doze_worker *worker)
{
	struct doze_pool *pool = worker->pool;
	doze_scope *scope = b->scope;

	if (scope == NULL)
		doze_pool_terminate_drop(pool, worker);
	if (b->latch != NULL) {
		doze_count_latch_decrement(b->latch, worker); /* last access to *b */
		return;
	}
	/* Acquire-release: all turns happen before the broadcast is freed. */
	da_edge_out(&b->left);
	if (da_sub(&b->left, 1, AR) == 1) {
		da_edge_in(&b->left);
		free(b);
	}
	if (scope != NULL)
		doze_count_latch_decrement(&scope->latch, worker);
}

static void turn_run(struct doze_job *job, struct doze_worker *worker, enum doze_source source)
{
	struct broadcast *b = ((struct broadcast_job *)job)->all;
	uint64_t id = job->id;

	doze_job_begin(worker, id, source);
	bool awaited = b->latch != NULL || b->scope != NULL;
	if (awaited || !doze_pool_discards(worker->pool))
		DOZE_GUARDED(b->fn((unsigned)worker->index, b->count, b->arg));
	doze_job_end(worker, id);
	turn_ends(b, worker);
}

/* `root` is the task that waits for the broadcast, or null. */
static struct broadcast *broadcast_new(struct doze_pool *pool, doze_broadcast_fn fn, void *arg,
				       struct doze_future *root, const void *caller)
{
	uint32_t n = pool->num_workers;
	struct broadcast *b = calloc(1, sizeof *b + n * sizeof b->jobs[0]);
	if (b == NULL) {
		(void)doze_error_set(ENOMEM, "no memory for a broadcast to %u workers", n);
		return NULL;
	}
	b->fn = fn;
	b->arg = arg;
	b->count = n;
	da_init(&b->left, n);
	for (uint32_t i = 0; i < n; i++) {
		b->jobs[i].all = b;
		b->jobs[i].job.run = turn_run;
		b->jobs[i].job.id = doze_pool_next_job(pool, doze_self);
		b->jobs[i].job.caller = caller;
		b->jobs[i].job.root = root;
	}
	return b;
}

/* Reports the post without a wake decision: every worker must run its turn, so the policy's
 * broadcast hook wakes each sleeper and reports that wake. */
static void report(struct doze_pool *pool, int32_t by, uint32_t n, const struct doze_job *first)
{
	uint64_t word = doze_pool_word(pool);
	const struct doze_trace_post_info info = {
	    .queue = DOZE_QUEUE_broadcast,
	    .jobs = n,
	    .job = first->id,
	    .caller = first->caller,
	    .old_word = word,
	    .new_word = word,
	    .idle = -1,
	    .sleeping = -1,
	};
	if (doze_trace_job_start_on())
		doze_trace_post(pool->id, by, &info);
}

/* Puts a job into each worker's queue. *b may be freed before this returns if no caller waits for
 * it. */
static void publish(struct doze_pool *pool, struct broadcast *b)
{
	struct doze_worker *worker = doze_self;
	int32_t by = doze_acting_index(worker, pool);
	uint32_t n = pool->num_workers;
	struct doze_job first = b->jobs[0].job; /* the last turn may free b */

	doze_pool_enter(pool, by);
	doze_mutex_lock(&pool->broadcast_lock);
	for (uint32_t i = 0; i < n; i++) {
		da_edge_out(&b->jobs[i].job);
		doze_injector_push(&pool->workers[i].broadcast, &b->jobs[i].job);
	}
	doze_mutex_unlock(&pool->broadcast_lock);
	if (by >= 0)
		doze_bump(&worker->jobs_published, n);
	else
		/* relaxed: a statistic needs no ordering */
		da_add(&pool->outside_published, n, RLX);
	report(pool, by, n, &first);
	pool->sleep.policy->broadcast(pool, by);
	doze_pool_leave(pool, by);
}

int doze_broadcast(doze_pool *pool, doze_broadcast_fn fn, void *arg)
{
	struct doze_worker *worker = doze_self;
	struct doze_count_latch latch;

	pool = doze_pool_or_default(pool);
	struct broadcast *b =
	    broadcast_new(pool, fn, arg, worker != NULL ? worker->root : NULL, DOZE_CALLER);
	if (b == NULL)
		return ENOMEM;
	doze_count_latch_init(&latch, worker, DOZE_LATCH_KIND_count);
	doze_count_latch_shared_by(&latch, pool, "doze_broadcast");
	doze_count_latch_add(&latch, b->count);
	b->latch = &latch;
	doze_pool_terminate_hold_many(pool, b->count);
	publish(pool, b);
	doze_count_latch_wait(&latch, worker);
	doze_count_latch_fini(&latch);
	free(b);
	return 0;
}

int doze_spawn_broadcast(doze_pool *pool, doze_broadcast_fn fn, void *arg)
{
	pool = doze_pool_or_default(pool);
	struct broadcast *b = broadcast_new(pool, fn, arg, NULL, DOZE_CALLER);
	if (b == NULL)
		return ENOMEM;
	doze_pool_terminate_hold_many(pool, b->count);
	publish(pool, b);
	return 0;
}

int doze_scope_spawn_broadcast(doze_scope *scope, doze_broadcast_fn fn, void *arg)
{
	struct broadcast *b = broadcast_new(scope->pool, fn, arg, scope->root, DOZE_CALLER);
	if (b == NULL)
		return ENOMEM;
	b->scope = scope;
	doze_count_latch_add(&scope->latch, b->count);
	publish(scope->pool, b);
	return 0;
}
