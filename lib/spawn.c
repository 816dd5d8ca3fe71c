/*
 * SPDX-License-Identifier: MIT
 *
 * spawn.c - jobs that only the pool's end waits for, and many jobs of one function, with one push
 * and one post.
 *
 * A spawned job has its own block (slab.h), frees itself, and delays the pool's termination until
 * it has run. All jobs of doze_spawn_many or doze_scope_spawn_many share one block, so that the
 * allocation succeeds for all of them or for none. Each job first copies what it needs from the
 * block, which is freed when all have done so (owed.h).
 */
#include <errno.h>
#include <stdlib.h>

#include "guard.h"
#include "pool.h"
#include "scope.h"

struct spawn_job {
	struct doze_job job;
	doze_fn fn;
	void *arg;
	struct doze_slab *from;
};

static void spawn_run(struct doze_job *job, struct doze_worker *worker, enum doze_source source)
{
	struct spawn_job *spawn = (struct spawn_job *)job;
	uint64_t id = job->id;
	doze_fn fn = spawn->fn;
	void *arg = spawn->arg;

	/* Free the block before running the job, so that a chain of spawns needs the memory of only
	 * one. */
	doze_slab_free(spawn, spawn->from, worker);
	doze_job_begin(worker, id, source);
	if (doze_likely(!doze_pool_discards(worker->pool)))
		DOZE_GUARDED(fn(arg));
	doze_job_end(worker, id);
	doze_pool_terminate_drop(worker->pool, worker);
}

static int spawn(doze_pool *pool, doze_fn fn, void *arg, bool fifo, const void *caller)
{
	struct doze_worker *worker = doze_self;
	struct doze_slab *from;
	struct spawn_job *spawn = doze_slab_alloc(worker, sizeof *spawn, &from);

	if (spawn == NULL)
		return doze_error_set(ENOMEM, "doze_spawn: no memory for a job");
	pool = doze_pool_or_default(pool);
	spawn->job.run = spawn_run;
	spawn->job.id = doze_pool_next_job(pool, worker);
	spawn->job.caller = caller;
	spawn->job.root = NULL; /* no task waits for a plain spawned job */
	spawn->fn = fn;
	spawn->arg = arg;
	spawn->from = from;
	doze_pool_terminate_hold(pool, worker);
	struct doze_fifo *queue = fifo && worker != NULL ? &worker->fifo : NULL;
	int error = doze_pool_queue(pool, worker, queue, &spawn->job);
	if (error == 0)
		return 0;
	doze_pool_terminate_unhold(pool, 1);
	doze_slab_free(spawn, from, worker);
	return doze_error_set(error, "doze_spawn: no memory to queue a job");
}

int doze_spawn(doze_pool *pool, doze_fn fn, void *arg)
{
	return spawn(pool, fn, arg, false, DOZE_CALLER);
}

int doze_spawn_fifo(doze_pool *pool, doze_fn fn, void *arg)
{
	return spawn(pool, fn, arg, true, DOZE_CALLER);
}

/* ---- many jobs at once ---- */

/* Data that all jobs of one doze_spawn_many or doze_scope_spawn_many share. */
struct call {
	const char *name;       /* name of the public function, for messages */
	struct doze_pool *pool; /* not owned */
	doze_fn fn;             /* the jobs' function for doze_spawn_many; otherwise null */
	doze_scope_fn scope_fn; /* the jobs' function for doze_scope_spawn_many; otherwise null */
	doze_scope *scope;      /* not owned; null if only the pool's end waits for the jobs */
	char *args;
	size_t size;
	const void *caller; /* address of the user's call, for the trace */
};

struct many;

struct many_job {
	struct doze_job job;
	struct many *all; /* not owned */
};

struct many {
	struct doze_job_block block; /* first: freed with everything else */
	struct call call;            /* constant after publication */
	struct many_job jobs[];
};

static void many_run(struct doze_job *job, struct doze_worker *worker, enum doze_source source)
{
	struct many *all = ((struct many_job *)job)->all;
	struct call call = all->call;
	uint64_t id = job->id;
	void *arg = call.args + (size_t)((struct many_job *)job - all->jobs) * call.size;

	/* Before running the body, so that a chain of spawns needs the memory of only two. */
	doze_owed_add_copy(&worker->owed, &all->block);
	if (call.scope != NULL)
		doze_job_begin_in(worker, id, source, &call.scope->latch);
	else
		doze_job_begin(worker, id, source);
	if (call.scope != NULL)
		DOZE_GUARDED(call.scope_fn(call.scope, arg));
	else if (!doze_pool_discards(call.pool))
		DOZE_GUARDED(call.fn(arg));
	doze_job_end(worker, id);
	if (call.scope == NULL)
		doze_pool_terminate_drop(call.pool, worker);
	else
		doze_owed_add_share(&worker->owed, &call.scope->latch);
}

/* Returns a block of n jobs, linked in *batch, or null if out of memory. */
static struct many *many_new(const struct call *call, uint32_t n, struct doze_batch *batch)
{
	struct many *all = calloc(1, sizeof *all + n * sizeof all->jobs[0]);

	*batch = (struct doze_batch){.count = 0};
	if (all == NULL)
		return NULL;
	all->call = *call;
	da_init(&all->block.left, n);
	for (uint32_t i = 0; i < n; i++) {
		all->jobs[i].all = all;
		all->jobs[i].job.run = many_run;
		all->jobs[i].job.id = doze_pool_next_job(call->pool, doze_self);
		all->jobs[i].job.caller = call->caller;
		all->jobs[i].job.root = call->scope != NULL ? call->scope->root : NULL;
		doze_batch_add(batch, &all->jobs[i].job);
	}
	return all;
}

/* Queues the batch where doze_spawn would queue the caller's job. Returns 0 or ENOMEM. */
static int publish(const struct call *call, const struct doze_batch *batch)
{
	struct doze_worker *worker = doze_self;
	struct doze_fifo *fifo = NULL;

	if (call->scope != NULL && call->scope->fifos != NULL &&
	    doze_acting_index(worker, call->pool) >= 0)
		fifo = &call->scope->fifos[worker->index];
	return doze_pool_queue_many(call->pool, worker, fifo, batch);
}

/* Makes the scope, or the pool's end if there is no scope, wait for n more jobs. */
static void hold(const struct call *call, uint32_t n)
{
	if (call->scope == NULL)
		doze_pool_terminate_hold_many(call->pool, n);
	else
		doze_count_latch_add(&call->scope->latch, n);
}

static void let_go(const struct call *call, uint32_t n)
{
	if (call->scope == NULL)
		doze_pool_terminate_unhold(call->pool, n);
	else
		doze_count_latch_take_back(&call->scope->latch, n);
}

static int queue_all(const struct call *call, size_t count)
{
	uint32_t n = (uint32_t)count;
	struct doze_batch batch;
	struct many *all = NULL;

	if (count == 0)
		return 0;
	if (count <= DOZE_BATCH_MAX)
		all = many_new(call, n, &batch);
	if (all != NULL) {
		hold(call, n);
		if (publish(call, &batch) == 0)
			return 0;
		let_go(call, n);
		free(all);
	}
	return doze_error_set(ENOMEM, "%s: no memory for %zu jobs", call->name, count);
}

int doze_spawn_many(doze_pool *pool, doze_fn fn, void *args, size_t count, size_t size)
{
	const struct call call = {.name = "doze_spawn_many",
				  .pool = doze_pool_or_default(pool),
				  .fn = fn,
				  .args = args,
				  .size = size,
				  .caller = DOZE_CALLER};
	return queue_all(&call, count);
}

int doze_scope_spawn_many(doze_scope *scope, doze_scope_fn fn, void *args, size_t count,
			  size_t size)
{
	const struct call call = {.name = "doze_scope_spawn_many",
				  .pool = scope->pool,
				  .scope_fn = fn,
				  .scope = scope,
				  .args = args,
				  .size = size,
				  .caller = DOZE_CALLER};
	return queue_all(&call, count);
}
