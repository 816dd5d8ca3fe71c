/*
 * SPDX-License-Identifier: MIT
 *
 * deadlock.h - deadlock detection for every policy: nobody runs, somebody is blocked in user code;
 * and the calls of the three handlers that go with it.
 *
 * Counts, under `lock`: active + blocked + asleep = workers. A worker that sleeps leaves *active*;
 * the waker puts it back before it notifies (so that two wakes in flight cannot look like a
 * deadlock). The check (active == 0, blocked > 0, elsewhere == 0) is made by the worker that lowers
 * *active*. *elsewhere* counts the sleepers whose latch another pool will set: while there is one,
 * the pool will go on by itself.
 *
 * No lock is held while a handler runs. A worker that is about to sleep has registered as a sleeper
 * by then and releases the lock under which it will wait; afterwards it must look whether it was
 * woken in the meantime. During the handler its thread counts as an outside thread, so what the
 * handler publishes goes to the injector and may wake this very worker. Only one deadlock handler
 * runs at a time: a deadlock that comes to be meanwhile is reported by the same thread afterwards,
 * if it still holds then.
 *
 * Lock order: a policy's sleep lock, then this one. `tickle`, faithful to rustc-rayon, passes its
 * own mutex as `lock`, so that sleep and detection exclude each other as they do there.
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
	uint32_t elsewhere; /* sleepers that another pool will wake */
	/* Under a policy that never sleeps, nobody leaves *active*. There, `events` counts what may
	 * end a deadlock or make one, and `resting` the workers that have searched in vain since. A
	 * search that began before the last event says nothing: the worker may hold a job already.
	 */
	uint64_t events;
	uint32_t resting;
	bool calling; /* some thread is in the deadlock handler */
	bool again;   /* a deadlock came to be meanwhile */
};

/** Pool creation and end; makes pool->deadlock if there is a deadlock or release handler. 0 or
 * ENOMEM. */
int doze_deadlock_init(struct doze_pool *pool);
void doze_deadlock_fini(struct doze_pool *pool);

/** Worker, registered as a sleeper under `held`, before it waits: counts it out and calls the
 * handlers that are due. True: `held` was released meanwhile, so the worker may have been woken
 * already. `held` may be the lent lock. */
bool doze_deadlock_sleep(struct doze_worker *worker, doze_mutex *held);
/** For a policy that never sleeps. Worker, after a search in vain, when it would sleep under
 * another policy: calls the deadlock handler if nobody else has anything to do either. */
void doze_deadlock_idle(struct doze_worker *worker);
/** Worker, which has found something. */
void doze_deadlock_busy(struct doze_worker *worker);
/** Waker, before it notifies: n sleepers will run again. */
void doze_deadlock_wake(struct doze_pool *pool, uint32_t n);
/** Waker of everybody, holding the lent lock: active = workers - blocked. */
void doze_deadlock_wake_all_locked(struct doze_pool *pool);
/** A worker that awoke though nobody woke it, holding the lent lock: it runs again. */
void doze_deadlock_self_wake_locked(struct doze_worker *worker);
/** Worker, after it waited, holding no lock: the acquire handler. */
void doze_deadlock_acquire(struct doze_worker *worker);

/** Outside thread, before it waits for that pool: aborts with a message that names `function` if
 * the thread is in one of the pool's handlers, which would wait for its own worker. */
void doze_handler_must_not_wait(const struct doze_pool *pool, const char *function);

#endif
