/*
 * SPDX-License-Identifier: MIT
 *
 * deadlock.c - see deadlock.h.
 */
#include "deadlock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int doze_deadlock_init(struct doze_pool *pool)
{
	if (pool->settings.user.deadlock_handler == NULL)
		return 0;
	struct doze_deadlock *d = calloc(1, sizeof *d);
	if (d == NULL)
		return ENOMEM;
	doze_mutex_init(&d->own);
	d->lock = &d->own;
	d->active = pool->num_workers;
	pool->deadlock = d;
	return 0;
}

void doze_deadlock_fini(struct doze_pool *pool)
{
	if (pool->deadlock == NULL)
		return;
	doze_mutex_destroy(&pool->deadlock->own);
	free(pool->deadlock);
}

/* Caller holds d->lock and has just lowered active. */
static void check(struct doze_worker *worker)
{
	const struct doze_pool *pool = worker->pool;
	const struct doze_deadlock *d = pool->deadlock;
	if (d->active != 0 || d->blocked == 0)
		return;
	doze_trace_deadlock(pool->id, worker->index, d->active, d->blocked);
	pool->settings.user.deadlock_handler(pool->settings.user.deadlock_arg);
}

void doze_deadlock_sleep_locked(struct doze_worker *worker)
{
	if (worker->pool->deadlock == NULL)
		return;
	worker->pool->deadlock->active--;
	check(worker);
}

void doze_deadlock_sleep(struct doze_worker *worker)
{
	struct doze_deadlock *d = worker->pool->deadlock;
	if (doze_likely(d == NULL))
		return;
	doze_mutex_lock(d->lock);
	doze_deadlock_sleep_locked(worker);
	doze_mutex_unlock(d->lock);
}

void doze_deadlock_wake(struct doze_pool *pool, uint32_t n)
{
	struct doze_deadlock *d = pool->deadlock;
	if (doze_likely(d == NULL))
		return;
	doze_mutex_lock(d->lock);
	d->active += n;
	doze_mutex_unlock(d->lock);
}

void doze_deadlock_wake_all_locked(struct doze_pool *pool)
{
	struct doze_deadlock *d = pool->deadlock;
	if (d != NULL)
		d->active = pool->num_workers - d->blocked;
}

void doze_deadlock_self_wake_locked(struct doze_worker *worker)
{
	struct doze_deadlock *d = worker->pool->deadlock;
	if (d != NULL)
		d->active++;
}

void doze_deadlock_release(struct doze_worker *worker)
{
	const doze_config *user = &worker->pool->settings.user;
	if (user->release_handler != NULL)
		user->release_handler(user->deadlock_arg);
}

void doze_deadlock_acquire(struct doze_worker *worker)
{
	const doze_config *user = &worker->pool->settings.user;
	if (user->acquire_handler != NULL)
		user->acquire_handler(user->deadlock_arg);
}

void doze_mark_blocked(void)
{
	struct doze_worker *worker = doze_self;
	if (worker == NULL)
		return;
	struct doze_pool *pool = worker->pool;
	struct doze_deadlock *d = pool->deadlock;
	uint64_t word = doze_pool_word(pool);

	doze_worker_transition(worker, DOZE_STATE_blocked, DOZE_REASON_mark_blocked, word, word);
	if (d == NULL)
		return;
	doze_mutex_lock(d->lock);
	d->active--;
	d->blocked++;
	doze_trace_blocked(pool->id, worker->index, d->active, d->blocked);
	check(worker);
	doze_mutex_unlock(d->lock);
}

void doze_mark_unblocked(doze_pool *pool, int index)
{
	if (index < 0 || (uint32_t)index >= pool->num_workers) {
		fprintf(stderr,
			"doze: doze_mark_unblocked: no worker %d in this pool; pass what "
			"doze_worker_index() gave on the blocked worker\n",
			index);
		abort();
	}
	struct doze_worker *worker = &pool->workers[index];
	struct doze_deadlock *d = pool->deadlock;
	uint64_t word = doze_pool_word(pool);

	if (d != NULL) {
		doze_mutex_lock(d->lock);
		d->active++;
		d->blocked--;
		doze_trace_unblocked(pool->id, index, d->active, d->blocked);
		doze_mutex_unlock(d->lock);
	}
	/* The worker still waits in user code, so nobody else writes its state. */
	doze_worker_transition(worker, DOZE_STATE_active, DOZE_REASON_mark_unblocked, word, word);
}
