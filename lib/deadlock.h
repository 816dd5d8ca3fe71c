/*
 * SPDX-License-Identifier: MIT
 *
 * deadlock.h - deadlock detection for every policy: detects that no worker runs while at least one
 * is blocked in user code, and calls the three handlers.
 *
 * Counts, under `lock`: active + blocked + asleep = workers. A worker that goes to sleep leaves
 * *active*; the waker counts it as active again before it notifies (so that two wakes in flight
 * cannot look like a deadlock). The worker that lowers *active* makes the check (active == 0,
 * blocked > 0, elsewhere == 0). *elsewhere* counts the sleepers whose latch another pool will set:
 * while there is one, the pool will continue by itself.
 *
 * No lock is held while a handler runs. A worker that is about to sleep has registered as a sleeper
 * by then and releases the lock under which it will wait; afterwards it must check whether it was
 * woken in the meantime. During the handler its thread counts as an outside thread, so what the
 * handler publishes goes to the injector and may wake this very worker. Only one deadlock handler
 * runs at a time: the same thread reports a deadlock that arises meanwhile after the handler
 * returns, if it still holds then.
 *
 * Lock order: a policy's sleep lock, then this one. `tickle`, faithful to rustc-rayon, passes its
 * own mutex as `lock`, so that sleep and detection exclude each other as they do there.
 */
#ifndef DOZE_DEADLOCK_H
#define DOZE_DEADLOCK_H

#include "park.h"
#include "pool.h"

struct doze_deadlock {
	doze_mutex own;   /* used unless the policy passes a mutex of its own */
	doze_mutex *lock; /* &own, or the policy's */
	/* Protected by *lock. */
	uint32_t active, blocked;
	uint32_t elsewhere; /* sleepers that another pool will wake */
	/* For a policy that never sleeps, under which no worker leaves *active*: `events` counts
	 * the events that may end or cause a deadlock, and `resting` the workers whose search since
	 * the last event found nothing. A search that began before that event does not count,
	 * because the worker may already hold a job. */
	uint64_t events;
	uint32_t resting;
	bool calling; /* a thread is in the deadlock handler */
	bool again;   /* a deadlock arose meanwhile */
};

/** Called when a pool is created and when it ends. Creates pool->deadlock if there is a deadlock or
 * release handler. Returns 0 or ENOMEM. */
int doze_deadlock_init(struct doze_pool *pool);
void doze_deadlock_fini(struct doze_pool *pool);

/** Called by a worker that is registered as a sleeper under `held`, before it waits: lowers
 * *active* and calls the handlers that are due. Returns true if it released `held` meanwhile; then
 * the worker may already have been woken. `held` may be the policy's own mutex. */
bool doze_deadlock_sleep(struct doze_worker *worker, doze_mutex *held);
/** For a policy that never sleeps. Called by a worker after a search that found nothing, at the
 * point where it would sleep under another policy: calls the deadlock handler if no other worker
 * has anything to do either. */
void doze_deadlock_idle(struct doze_worker *worker);
/** Called by a worker that has found a job. */
void doze_deadlock_busy(struct doze_worker *worker);
/** Called by a waker before it notifies n sleepers: counts them as active. */
void doze_deadlock_wake(struct doze_pool *pool, uint32_t n);
/** Called by a thread that wakes all workers, holding the policy's mutex: active = workers -
 * blocked. */
void doze_deadlock_wake_all_locked(struct doze_pool *pool);
/** Called after a spurious wake, holding the policy's mutex: the worker runs again. */
void doze_deadlock_self_wake_locked(struct doze_worker *worker);
/** Called by a worker after it waited, holding no lock: calls the acquire handler. */
void doze_deadlock_acquire(struct doze_worker *worker);

/** Called by an outside thread before it waits for the pool. If the thread is in one of the pool's
 * handlers, it would wait for its own worker; then this aborts with a message that names
 * `function`. */
void doze_handler_must_not_wait(const struct doze_pool *pool, const char *function);

#endif
