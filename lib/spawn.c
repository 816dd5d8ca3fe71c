/*
 * SPDX-License-Identifier: MIT
 *
 * spawn.c - jobs that only the pool's end waits for.
 *
 * A spawned job has its own block (slab.h), frees itself, and delays the pool's termination until
 * it has run.
 */
#include <errno.h>

#include "guard.h"
#include "pool.h"

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
