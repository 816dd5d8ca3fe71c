/*
 * SPDX-License-Identifier: MIT
 *
 * queues.c - the queues of preset `forkjoin`: a global deque under the pool's lock for jobs from
 * outside, and for each worker a deque with its own lock. The owner pushes and pops at the newest
 * end, thieves take from the oldest end. Because of the lock, the worker that waits for a future
 * which no thief has taken can remove it from the middle.
 */
#include "forkjoin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../trace.h"

#define FJ_FIRST_CAPACITY 64

void doze_fj_lock(struct doze_pool *pool, int32_t by, doze_mutex *lock, enum doze_lock_kind kind,
		  int32_t owner)
{
	bool contended = !doze_mutex_trylock(lock);
	if (contended)
		doze_mutex_lock(lock);
	doze_trace_lock(pool->id, by, kind, owner, contended);
}

static int fj_deque_init(struct fj_deque *d)
{
	d->slot = calloc(FJ_FIRST_CAPACITY, sizeof(struct doze_job *));
	if (d->slot == NULL)
		return ENOMEM;
	d->capacity = FJ_FIRST_CAPACITY;
	d->first = d->count = 0;
	d->owner_arrived = false;
	doze_mutex_init(&d->lock);
	return 0;
}

static void fj_deque_fini(struct fj_deque *d)
{
	doze_mutex_destroy(&d->lock);
	free(d->slot);
}

static struct doze_job **fj_slot(struct fj_deque *d, size_t i)
{
	return &d->slot[(d->first + i) & (d->capacity - 1)];
}

/** Caller holds the deque's lock. Makes room for n more jobs. Returns 0 or ENOMEM. */
static int fj_make_room(struct fj_deque *d, size_t n)
{
	size_t capacity = d->capacity;
	if (d->count + n <= capacity)
		return 0;
	while (capacity < d->count + n)
		capacity *= 2;
	struct doze_job **bigger = malloc(capacity * sizeof(struct doze_job *));
	if (bigger == NULL)
		return ENOMEM;
	for (size_t i = 0; i < d->count; i++)
		bigger[i] = *fj_slot(d, i);
	free(d->slot);
	d->slot = bigger;
	d->capacity = capacity;
	d->first = 0;
	return 0;
}

/** Caller holds the deque's lock. Aborts when out of memory: a job that cannot be queued is lost.
 */
static void fj_grow(struct fj_deque *d)
{
	if (fj_make_room(d, 1) != 0) {
		fprintf(stderr, "doze: out of memory for a deque of %zu jobs: cannot continue\n",
			d->count);
		abort();
	}
}

/** Caller holds the lock. */
static bool fj_add_newest(struct fj_deque *d, struct doze_job *job)
{
	bool was_empty = d->count == 0;
	if (d->count == d->capacity)
		fj_grow(d);
	d->count++;
	*fj_slot(d, d->count - 1) = job;
	return was_empty;
}

/** Caller holds the lock, and there is room. */
static bool fj_add_many(struct fj_deque *d, const struct doze_batch *batch)
{
	bool was_empty = d->count == 0;
	struct doze_job *job = batch->first;
	for (uint32_t i = 0; i < batch->count; i++) {
		d->count++;
		*fj_slot(d, d->count - 1) = job;
		job = da_load(&job->next, RLX); /* no other thread knows the job yet */
	}
	return was_empty;
}

/** Caller holds the lock. */
static struct doze_job *fj_take_newest(struct fj_deque *d)
{
	if (d->count == 0)
		return NULL;
	struct doze_job *job = *fj_slot(d, d->count - 1);
	d->count--;
	return job;
}

/** Caller holds the lock. */
static struct doze_job *fj_take_oldest(struct fj_deque *d)
{
	if (d->count == 0)
		return NULL;
	struct doze_job *job = *fj_slot(d, 0);
	d->first = (d->first + 1) & (d->capacity - 1);
	d->count--;
	return job;
}

/** Caller holds the lock. Searches from the newest end, where a worker's own futures are. */
static bool fj_take_this(struct fj_deque *d, const struct doze_job *job)
{
	for (size_t i = d->count; i-- > 0;) {
		if (*fj_slot(d, i) != job)
			continue;
		for (size_t j = i; j + 1 < d->count; j++)
			*fj_slot(d, j) = *fj_slot(d, j + 1);
		d->count--;
		return true;
	}
	return false;
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

/** Frees the deques of the first `made` workers and all other data. */
static void fj_free(struct forkjoin *fj, uint32_t made)
{
	while (made-- > 0)
		fj_deque_fini(&fj->deque[made]);
	free(fj->deque);
	fj_deque_fini(&fj->global);
	free(fj);
}

/* Called before the sleep policy's init: creates the data that both use. */
static int fj_queues_init(struct doze_pool *pool)
{
	struct forkjoin *fj = aligned_alloc(DOZE_CACHE_LINE, sizeof *fj);
	if (fj == NULL)
		return ENOMEM;
	memset(fj, 0, sizeof *fj);
	if (fj_deque_init(&fj->global) != 0) {
		free(fj);
		return ENOMEM;
	}
	uint32_t made = 0;
	fj->deque = aligned_alloc(DOZE_CACHE_LINE, pool->num_workers * sizeof *fj->deque);
	while (fj->deque != NULL && made < pool->num_workers &&
	       fj_deque_init(&fj->deque[made]) == 0)
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
	bool was_empty = fj_add_newest(fj_own(worker), job);
	doze_mutex_unlock(&fj_own(worker)->lock);
	return was_empty;
}

static int fj_reserve(struct doze_worker *worker, uint32_t n)
{
	fj_lock_deque(worker, worker);
	int error = fj_make_room(fj_own(worker), n);
	doze_mutex_unlock(&fj_own(worker)->lock);
	return error;
}

static bool fj_push_many(struct doze_worker *worker, const struct doze_batch *batch)
{
	fj_lock_deque(worker, worker);
	bool was_empty = fj_add_many(fj_own(worker), batch);
	doze_mutex_unlock(&fj_own(worker)->lock);
	return was_empty;
}

static struct doze_job *fj_pop(struct doze_worker *worker)
{
	fj_lock_deque(worker, worker);
	struct doze_job *job = fj_take_newest(fj_own(worker));
	doze_mutex_unlock(&fj_own(worker)->lock);
	return job;
}

static enum doze_steal fj_steal(struct doze_worker *thief, struct doze_worker *victim,
				struct doze_job **out)
{
	fj_lock_deque(thief, victim);
	struct doze_job *job = fj_take_oldest(fj_own(victim));
	doze_mutex_unlock(&fj_own(victim)->lock);
	if (job == NULL)
		return DOZE_STEAL_empty;
	*out = job;
	return DOZE_STEAL_success;
}

static bool fj_remove(struct doze_worker *worker, struct doze_job *job)
{
	fj_lock_deque(worker, worker);
	bool there = fj_take_this(fj_own(worker), job);
	doze_mutex_unlock(&fj_own(worker)->lock);
	return there;
}

static bool fj_empty(struct doze_worker *worker)
{
	doze_mutex_lock(&fj_own(worker)->lock);
	bool empty = fj_own(worker)->count == 0;
	doze_mutex_unlock(&fj_own(worker)->lock);
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
	bool was_empty = fj_add_newest(&fj->global, job);
	doze_mutex_unlock(&fj->pool_lock);
	return was_empty;
}

static int fj_inject_many(struct doze_pool *pool, int32_t by, const struct doze_batch *batch,
			  bool *was_empty)
{
	struct forkjoin *fj = forkjoin_of(pool);
	fj_lock_pool(pool, by);
	int error = fj_make_room(&fj->global, batch->count);
	if (error == 0)
		*was_empty = fj_add_many(&fj->global, batch);
	doze_mutex_unlock(&fj->pool_lock);
	return error;
}

static struct doze_job *fj_uninject(struct doze_worker *worker)
{
	struct forkjoin *fj = forkjoin_of(worker->pool);
	fj_lock_pool(worker->pool, worker->index);
	struct doze_job *job = fj_take_oldest(&fj->global);
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

/* Caller holds the pool's lock, under which a worker falls asleep. */
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
