/*
 * SPDX-License-Identifier: MIT
 *
 * Lab 6 replaces this file (labs/06-futures): keep other code out of it.
 *
 * queues.c - the queues of preset `forkjoin` and their locks: a global deque under the pool's lock
 * for jobs of threads that are not workers, and for each worker a deque with its own lock. The
 * owner pushes and pops at the newest end, thieves take from the oldest end. Under the lock of its
 * deque, a worker can remove a future that it waits for from the middle, unless a thief has taken
 * that future.
 */
#include "forkjoin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../trace.h"

void doze_fj_lock(struct doze_pool *pool, int32_t by, doze_mutex *lock, enum doze_lock_kind kind,
		  int32_t owner)
{
	bool contended = !doze_mutex_trylock(lock);
	if (contended)
		doze_mutex_lock(lock);
	if (contended || doze_trace_every_job())
		doze_trace_lock(pool->id, by, kind, owner, contended);
}

static struct fj_deque *fj_own(struct doze_worker *worker)
{
	return &forkjoin_of(worker->pool)->deque[worker->index];
}

static void fj_lock_deque(struct doze_worker *by, struct doze_worker *owner)
{
	doze_fj_lock(owner->pool, doze_acting_index(by, owner->pool), &fj_own(owner)->lock,
		     DOZE_LOCK_deque, owner->index);
}

static void fj_unlock_deque(struct doze_worker *owner)
{
	doze_mutex_unlock(&fj_own(owner)->lock);
}

/** Frees the deques of the first `made` workers and all other data. */
static void fj_free(struct forkjoin *fj, uint32_t made)
{
	while (made-- > 0)
		doze_fj_deque_fini(&fj->deque[made]);
	free(fj->deque);
	doze_fj_deque_fini(&fj->global);
	free(fj);
}

/* Called before the sleep policy's init. Creates the data that queues and policy share. */
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

static bool fj_push(struct doze_worker *worker, struct doze_job *job)
{
	fj_lock_deque(worker, worker);
	bool was_empty = doze_fj_add_newest(fj_own(worker), job);
	fj_unlock_deque(worker);
	return was_empty;
}

static int fj_reserve(struct doze_worker *worker, uint32_t n)
{
	fj_lock_deque(worker, worker);
	int error = doze_fj_make_room(fj_own(worker), n);
	fj_unlock_deque(worker);
	return error;
}

static bool fj_push_many(struct doze_worker *worker, const struct doze_batch *batch)
{
	fj_lock_deque(worker, worker);
	bool was_empty = doze_fj_add_many(fj_own(worker), batch);
	fj_unlock_deque(worker);
	return was_empty;
}

static struct doze_job *fj_pop(struct doze_worker *worker)
{
	fj_lock_deque(worker, worker);
	struct doze_job *job = doze_fj_take_newest(fj_own(worker));
	fj_unlock_deque(worker);
	return job;
}

static enum doze_steal fj_steal(struct doze_worker *thief, struct doze_worker *victim,
				struct doze_job **out)
{
	fj_lock_deque(thief, victim);
	struct doze_job *job = doze_fj_take_oldest(fj_own(victim));
	fj_unlock_deque(victim);
	if (job == NULL)
		return DOZE_STEAL_empty;
	*out = job;
	return DOZE_STEAL_success;
}

static bool fj_remove(struct doze_worker *worker, struct doze_job *job)
{
	fj_lock_deque(worker, worker);
	bool there = doze_fj_take_this(fj_own(worker), job);
	fj_unlock_deque(worker);
	return there;
}

static bool fj_empty(struct doze_worker *worker)
{
	doze_fj_lock(worker->pool, -1, &fj_own(worker)->lock, DOZE_LOCK_deque, worker->index);
	bool empty = fj_own(worker)->count == 0;
	fj_unlock_deque(worker);
	return empty;
}

static void fj_lock_pool(struct doze_pool *pool, int32_t by)
{
	doze_fj_lock(pool, by, &forkjoin_of(pool)->pool_lock, DOZE_LOCK_pool, -1);
}

static bool fj_inject(struct doze_pool *pool, int32_t by, struct doze_job *job)
{
	struct forkjoin *fj = forkjoin_of(pool);
	fj_lock_pool(pool, by);
	bool was_empty = doze_fj_add_newest(&fj->global, job);
	doze_mutex_unlock(&fj->pool_lock);
	return was_empty;
}

static int fj_inject_many(struct doze_pool *pool, int32_t by, const struct doze_batch *batch,
			  bool *was_empty)
{
	struct forkjoin *fj = forkjoin_of(pool);
	fj_lock_pool(pool, by);
	int error = doze_fj_make_room(&fj->global, batch->count);
	if (error == 0)
		*was_empty = doze_fj_add_many(&fj->global, batch);
	doze_mutex_unlock(&fj->pool_lock);
	return error;
}

static struct doze_job *fj_uninject(struct doze_worker *worker)
{
	struct forkjoin *fj = forkjoin_of(worker->pool);
	fj_lock_pool(worker->pool, worker->index);
	struct doze_job *job = doze_fj_take_oldest(&fj->global);
	doze_mutex_unlock(&fj->pool_lock);
	return job;
}

static bool fj_has_injected(struct doze_pool *pool, int32_t by)
{
	struct forkjoin *fj = forkjoin_of(pool);
	fj_lock_pool(pool, by);
	bool has = fj->global.count != 0;
	doze_mutex_unlock(&fj->pool_lock);
	return has;
}

/* Called with the pool's lock held, under which workers fall asleep. */
static uint64_t fj_left(struct doze_worker *worker, bool *injected)
{
	struct doze_pool *pool = worker->pool;
	struct forkjoin *fj = forkjoin_of(pool);
	uint64_t left = 0;

	for (uint32_t i = 0; i < pool->num_workers; i++) {
		doze_mutex_lock(&fj->deque[i].lock);
		left += fj->deque[i].count;
		doze_mutex_unlock(&fj->deque[i].lock);
	}
	*injected = fj->global.count != 0;
	return left;
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
