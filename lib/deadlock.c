/*
 * SPDX-License-Identifier: MIT
 *
 * deadlock.c - see deadlock.h.
 */
#include "deadlock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "deadlock_counts.h"
#include "guard.h"

/* The pool whose handler runs on the calling thread, or null. */
static DOZE_THREAD_LOCAL const struct doze_pool *in_handler_of;

int doze_deadlock_init(struct doze_pool *pool)
{
	const doze_config *user = &pool->settings.user;
	if (user->deadlock_handler == NULL && user->release_handler == NULL)
		return 0;
	struct doze_deadlock *d = calloc(1, sizeof *d);
	if (d == NULL)
		return ENOMEM;
	doze_mutex_init(&d->own);
	d->lock = &d->own;
	d->active = pool->num_workers;
	/* starts at 1, because rested_at is 0 in workers that have not searched yet */
	d->events = 1;
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

/* Calls a handler on the worker's thread. During the call doze_self is null, so the thread does not
 * count as a worker, because the worker may be in the middle of falling asleep. */
static void call_handler(struct doze_worker *worker, void (*handler)(void *))
{
	if (handler == NULL)
		return;
	const struct doze_pool *outer = in_handler_of;
	in_handler_of = worker->pool;
	doze_self_set(NULL);
	DOZE_GUARDED(handler(worker->pool->settings.user.deadlock_arg));
	doze_self_set(worker);
	in_handler_of = outer;
}

void doze_handler_must_not_wait(const struct doze_pool *pool, const char *function)
{
	if (doze_likely(in_handler_of != pool))
		return;
	fprintf(stderr,
		"doze: %s: must not be called from this pool's deadlock, release or acquire "
		"handler, because it would wait for the pool; a handler may queue work in its pool "
		"but must not wait for it\n",
		function);
	abort();
}

/* Called with d->lock held, after the caller has decremented `active` or incremented `resting`. If
 * this returns true, the caller must release all locks and then call the handler
 * (call_deadlock). */
static bool check(struct doze_worker *worker)
{
	const struct doze_pool *pool = worker->pool;
	struct doze_deadlock *d = pool->deadlock;
	if (!doze_counts_deadlock(d) || pool->settings.user.deadlock_handler == NULL)
		return false;
	doze_trace_deadlock(pool->id, worker->index, d->active, d->blocked);
	return doze_counts_claim(d);
}

/* Called without any lock, after check has returned true. */
static void call_deadlock(struct doze_worker *worker)
{
	struct doze_deadlock *d = worker->pool->deadlock;
	bool again;
	do {
		call_handler(worker, worker->pool->settings.user.deadlock_handler);
		doze_mutex_lock(d->lock);
		again = doze_counts_called(d);
		doze_mutex_unlock(d->lock);
	} while (again);
}

/* Called with d->lock held. Counts the worker as asleep and returns the result of check. */
static bool count_out(struct doze_worker *worker)
{
	struct doze_deadlock *d = worker->pool->deadlock;
	worker->counted_elsewhere = worker->waits_elsewhere;
	doze_counts_sleep(d, worker->counted_elsewhere);
	return check(worker);
}

bool doze_deadlock_sleep(struct doze_worker *worker, doze_mutex *held)
{
	struct doze_deadlock *d = worker->pool->deadlock;
	if (doze_likely(d == NULL))
		return false;
	if (d->lock != held)
		doze_mutex_lock(d->lock);
	bool due = count_out(worker);
	if (d->lock != held)
		doze_mutex_unlock(d->lock);

	bool releases = worker->pool->settings.user.release_handler != NULL;
	if (!due && !releases)
		return false;
	doze_mutex_unlock(held);
	if (due)
		call_deadlock(worker);
	call_handler(worker, worker->pool->settings.user.release_handler);
	doze_mutex_lock(held);
	return true;
}

void doze_deadlock_idle(struct doze_worker *worker)
{
	struct doze_deadlock *d = worker->pool->deadlock;
	bool due = false;
	doze_mutex_lock(d->lock);
	if (worker->rested_at != d->events) {
		/* an event has occurred: only a search that begins after it counts as fruitless */
		worker->rested_at = d->events;
		worker->rests = false;
	} else if (!worker->rests && !worker->waits_elsewhere) {
		worker->rests = true;
		d->resting++;
		due = check(worker);
	}
	doze_mutex_unlock(d->lock);
	if (due)
		call_deadlock(worker);
}

void doze_deadlock_busy(struct doze_worker *worker)
{
	struct doze_deadlock *d = worker->pool->deadlock;
	doze_mutex_lock(d->lock);
	doze_counts_event(d);
	doze_mutex_unlock(d->lock);
}

/* Called when the worker runs again. If it was counted in `elsewhere`, as waiting for another pool,
 * takes it out of that count. */
static void count_back(struct doze_worker *worker)
{
	struct doze_deadlock *d = worker->pool->deadlock;
	if (doze_likely(!worker->counted_elsewhere))
		return;
	worker->counted_elsewhere = false;
	doze_mutex_lock(d->lock);
	doze_counts_back(d);
	doze_mutex_unlock(d->lock);
}

void doze_deadlock_wake(struct doze_pool *pool, uint32_t n)
{
	struct doze_deadlock *d = pool->deadlock;
	if (doze_likely(d == NULL))
		return;
	doze_mutex_lock(d->lock);
	doze_counts_wake(d, n);
	doze_mutex_unlock(d->lock);
}

void doze_deadlock_wake_all_locked(struct doze_pool *pool)
{
	struct doze_deadlock *d = pool->deadlock;
	if (d != NULL)
		doze_counts_wake_all(d, pool->num_workers);
}

void doze_deadlock_self_wake_locked(struct doze_worker *worker)
{
	struct doze_deadlock *d = worker->pool->deadlock;
	if (d != NULL)
		doze_counts_wake(d, 1);
}

void doze_deadlock_acquire(struct doze_worker *worker)
{
	count_back(worker);
	call_handler(worker, worker->pool->settings.user.acquire_handler);
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
	doze_counts_block(d);
	doze_trace_blocked(pool->id, worker->index, d->active, d->blocked);
	bool due = check(worker);
	doze_mutex_unlock(d->lock);
	if (due)
		call_deadlock(worker);
}

void doze_mark_unblocked(doze_pool *pool, int index)
{
	doze_pool_must_not_be_inherited(pool->id);
	if (index < 0 || (uint32_t)index >= pool->num_workers) {
		fprintf(stderr,
			"doze: doze_mark_unblocked: no worker %d in this pool; pass what "
			"doze_worker_index() returned on the blocked worker\n",
			index);
		abort();
	}
	struct doze_worker *worker = &pool->workers[index];
	struct doze_deadlock *d = pool->deadlock;
	uint64_t word = doze_pool_word(pool);

	if (d != NULL) {
		doze_mutex_lock(d->lock);
		doze_counts_unblock(d);
		doze_trace_unblocked(pool->id, index, d->active, d->blocked);
		doze_mutex_unlock(d->lock);
	}
	/* The worker is still blocked in user code and does not write its state itself. */
	doze_worker_transition(worker, DOZE_STATE_active, DOZE_REASON_mark_unblocked, word, word);
}
