/*
 * SPDX-License-Identifier: MIT
 *
 * queues.c - lab 6: a pool with one queue under one lock. Give each worker its own deque and lock.
 *
 * lib/queues.h describes each operation. lib/forkjoin/forkjoin.h describes a deque that you can use
 * (callers must hold its lock), and the data: `global` with `pool_lock`, and for each worker i
 * deque[i] with its own lock. All of these are created for you. Take a lock with
 * doze_fj_lock, which reports it to the trace (`by` takes it, `owner` is the deque's worker), and
 * release it with doze_mutex_unlock. Each operation takes one lock, once. Only fj_left takes
 * several, one after the other, while its caller holds the pool's lock.
 */
#include "lib/forkjoin/forkjoin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/trace.h"

void doze_fj_lock(struct doze_pool *pool, int32_t by, doze_mutex *lock, enum doze_lock_kind kind,
		  int32_t owner)
{
	bool contended = !doze_mutex_trylock(lock);
	if (contended)
		doze_mutex_lock(lock);
	doze_trace_lock(pool->id, by, kind, owner, contended);
}

/* ---- allocating and freeing the queues (already complete) ---- */

static void fj_free(struct forkjoin *fj, uint32_t made)
{
	while (made-- > 0)
		doze_fj_deque_fini(&fj->deque[made]);
	free(fj->deque);
	doze_fj_deque_fini(&fj->global);
	free(fj);
}

static int fj_queues_init(struct doze_pool *pool)
{
	struct forkjoin *fj = aligned_alloc(DOZE_CACHE_LINE, sizeof *fj);
	if (fj == NULL)
		return ENOMEM;
	memset(fj, 0, sizeof *fj);
	if (doze_fj_deque_init(&fj->global) != 0) {
		free(fj);
		return ENOMEM;
	}
	uint32_t made = 0;
	fj->deque = aligned_alloc(DOZE_CACHE_LINE, pool->num_workers * sizeof *fj->deque);
	while (fj->deque != NULL && made < pool->num_workers &&
	       doze_fj_deque_init(&fj->deque[made]) == 0)
		made++;
	if (made < pool->num_workers) {
		fj_free(fj, made);
		return ENOMEM;
	}
	pool->sleep.data = fj;
	return 0;
}

static void fj_queues_fini(struct doze_pool *pool)
{
	fj_free(forkjoin_of(pool), pool->num_workers);
	pool->sleep.data = NULL;
}

/* ---- the shared queue (already complete) ---- */

static void fj_lock_pool(struct doze_pool *pool, int32_t by)
{
	doze_fj_lock(pool, by, &forkjoin_of(pool)->pool_lock, DOZE_LOCK_pool, -1);
}
static void unlock_pool(struct doze_pool *pool)
{
	doze_mutex_unlock(&forkjoin_of(pool)->pool_lock);
}

static bool fj_inject(struct doze_pool *pool, int32_t by, struct doze_job *job)
{
	fj_lock_pool(pool, by);
	bool was_empty = doze_fj_add_newest(&forkjoin_of(pool)->global, job);
	unlock_pool(pool);
	return was_empty;
}

static int fj_inject_many(struct doze_pool *pool, int32_t by, const struct doze_batch *batch,
			  bool *was_empty)
{
	struct fj_deque *global = &forkjoin_of(pool)->global;
	fj_lock_pool(pool, by);
	int error = doze_fj_make_room(global, batch->count);
	if (error == 0)
		*was_empty = doze_fj_add_many(global, batch);
	unlock_pool(pool);
	return error;
}

static struct doze_job *fj_uninject(struct doze_worker *worker)
{
	fj_lock_pool(worker->pool, worker->index);
	struct doze_job *job = doze_fj_take_oldest(&forkjoin_of(worker->pool)->global);
	unlock_pool(worker->pool);
	return job;
}

static bool fj_has_injected(struct doze_pool *pool, int32_t by)
{
	fj_lock_pool(pool, by);
	bool has = forkjoin_of(pool)->global.count != 0;
	unlock_pool(pool);
	return has;
}

/* ---- the workers' own queues (yours to write) ---- */

/* TODO: this still uses the shared queue. Returns whether the queue was empty, so that it now has
 * no other job. */
static bool fj_push(struct doze_worker *worker, struct doze_job *job)
{
	return fj_inject(worker->pool, worker->index, job);
}

/* TODO: makes room for n jobs. Returns 0 or ENOMEM. */
static int fj_reserve(struct doze_worker *worker, uint32_t n)
{
	(void)worker;
	(void)n;
	return 0;
}

/* TODO: pushes a batch for which there is room. */
static bool fj_push_many(struct doze_worker *worker, const struct doze_batch *batch)
{
	bool was_empty = false;
	(void)fj_inject_many(worker->pool, worker->index, batch, &was_empty);
	return was_empty;
}

/* TODO: returns the newest job of the worker's own queue. */
static struct doze_job *fj_pop(struct doze_worker *worker)
{
	return fj_uninject(worker);
}

/* TODO: takes the oldest job of the victim's queue. */
static enum doze_steal fj_steal(struct doze_worker *thief, struct doze_worker *victim,
				struct doze_job **out)
{
	(void)thief;
	(void)victim;
	(void)out;
	return DOZE_STEAL_empty;
}

/* TODO: called by a worker that waits for the future of this job. If no thread has taken the job,
 * removes it from the worker's own queue, wherever it is, so that the caller can run and free
 * it. */
static bool fj_remove(struct doze_worker *worker, struct doze_job *job)
{
	(void)worker;
	(void)job;
	return false;
}

/* TODO: returns whether the worker's queue is empty. Any thread may call this, so report the lock
 * as taken by -1. */
static bool fj_empty(struct doze_worker *worker)
{
	return !fj_has_injected(worker->pool, -1);
}

/* TODO: returns the number of jobs in all workers' queues, whichever worker calls this, and sets
 * *injected to whether the shared queue has a job. Other workers may push and steal during the
 * call. Called with the pool's lock held, which protects the shared queue only. You need not
 * report the locks; if you do, `worker` takes them. */
static uint64_t fj_left(struct doze_worker *worker, bool *injected)
{
	*injected = forkjoin_of(worker->pool)->global.count != 0;
	return forkjoin_of(worker->pool)->global.count;
}

const struct doze_queue_ops doze_forkjoin_queues = {
    .init = fj_queues_init,
    .fini = fj_queues_fini,
    .push = fj_push,
    .reserve = fj_reserve,
    .push_many = fj_push_many,
    .pop = fj_pop,
    .steal = fj_steal,
    .remove = fj_remove,
    .empty = fj_empty,
    .inject = fj_inject,
    .inject_many = fj_inject_many,
    .uninject = fj_uninject,
    .has_injected = fj_has_injected,
    .left = fj_left,
};
