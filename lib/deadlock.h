/*
 * SPDX-License-Identifier: MIT
 *
 * deadlock.h - deadlock detection for every policy: nobody runs, somebody is blocked in user code.
 *
 * Counts, under `lock`: active + blocked + asleep = workers. A worker that sleeps leaves *active*;
 * the waker puts it back before it notifies (so that two wakes in flight cannot look like a
 * deadlock). The check (active == 0 and blocked > 0) is made by whoever lowers *active*; the
 * handler runs under the lock and must not call doze_mark_blocked or doze_mark_unblocked.
 *
 * Lock order: a policy's sleep lock, then this one. `tickle`, faithful to rustc-rayon, passes its
 * own mutex as `lock`, so that handler and sleep exclude each other as they do there.
 */
#ifndef DOZE_DEADLOCK_H
#define DOZE_DEADLOCK_H

#include "park.h"
#include "pool.h"

struct doze_deadlock {
	doze_mutex own;   /* used unless a policy lends its own */
	doze_mutex *lock; /* &own, or the policy's */
	/* By *lock. */
	uint32_t active, blocked;
};

/** Pool creation and end; makes pool->deadlock if there is a handler. 0 or ENOMEM. */
int doze_deadlock_init(struct doze_pool *pool);
void doze_deadlock_fini(struct doze_pool *pool);

/** Worker, about to sleep, before it waits. The plain form takes the lock; the _locked form is for
 * a policy that lent its own lock and holds it. Nothing without a handler. */
void doze_deadlock_sleep(struct doze_worker *worker);
void doze_deadlock_sleep_locked(struct doze_worker *worker);
/** Waker, before it notifies: n sleepers will run again. */
void doze_deadlock_wake(struct doze_pool *pool, uint32_t n);
/** Waker of everybody, holding the lent lock: active = workers - blocked. */
void doze_deadlock_wake_all_locked(struct doze_pool *pool);
/** A worker that awoke though nobody woke it, holding the lent lock: it runs again. */
void doze_deadlock_self_wake_locked(struct doze_worker *worker);
/** Worker, just before and just after it waits: the user's release and acquire handlers. */
void doze_deadlock_release(struct doze_worker *worker);
void doze_deadlock_acquire(struct doze_worker *worker);

#endif
