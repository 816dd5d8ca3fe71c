/*
 * SPDX-License-Identifier: MIT
 *
 * deadlock.h - deadlock detection for all policies: detects when no worker runs while at least one
 * is blocked in user code, and calls the three handlers.
 *
 * `lock` protects the counts, which satisfy active + blocked + asleep = workers. A worker that goes
 * to sleep decrements *active*; its waker increments *active* again before it notifies, so that two
 * wakes in flight cannot look like a deadlock. The worker that decrements *active* checks for a
 * deadlock (active == 0, blocked > 0, elsewhere == 0). *elsewhere* counts the sleepers whose latch
 * another pool will set: while there is one, the pool is not stuck.
 *
 * No lock is held while a handler runs. A worker that is about to sleep has already registered as a
 * sleeper; it releases its sleep lock for the call, and must afterwards check whether it was woken
 * during the call. During the handler its thread does not count as a worker, so jobs that the
 * handler publishes go to the injector and may wake this very worker. Only one deadlock handler
 * runs at a time. If another deadlock arises during the call and persists until the handler
 * returns, the same thread reports it.
 *
 * Lock order: a policy's sleep lock, then this one. `tickle` passes its own mutex as `lock`, so
 * that sleeping and detection exclude each other as they do in rustc-rayon.
 */
#ifndef DOZE_DEADLOCK_H
#define DOZE_DEADLOCK_H

#include "park.h"
#include "pool.h"

struct doze_deadlock {
	doze_mutex own;   /* used unless the policy passes its own mutex */
	doze_mutex *lock; /* points to `own`, or to the policy's mutex */
	/* Protected by *lock. */
	uint32_t active, blocked;
	uint32_t elsewhere; /* number of sleeping workers that another pool will wake */
	/* For a policy that never sleeps, where no worker lowers *active*: `events` counts the
	 * events that may end or cause a deadlock, and `resting` counts the workers whose search
	 * since the last event found nothing. A search that began before that event does not count,
	 * because the worker may already hold a job. */
	uint64_t events;
	uint32_t resting;
	bool calling; /* a thread is in the deadlock handler */
	bool again;   /* another deadlock was found during that call */
};

/** Called when a pool is created and when it ends. doze_deadlock_init creates pool->deadlock if
 * there is a deadlock or release handler, and returns 0 or ENOMEM. */
int doze_deadlock_init(struct doze_pool *pool);
void doze_deadlock_fini(struct doze_pool *pool);

/** Called by a worker that is registered as a sleeper under `held`, before it waits: decrements
 * *active* and calls the handlers that are due. Returns true if it released `held` for a handler;
 * the worker may then already have been woken. `held` may be the policy's own mutex. */
bool doze_deadlock_sleep(struct doze_worker *worker, doze_mutex *held);
/** For a policy that never sleeps. Called by a worker after a search that found nothing, at the
 * point where it would sleep under another policy. Calls the deadlock handler if the other workers
 * have found nothing either. */
void doze_deadlock_idle(struct doze_worker *worker);
/** For a policy that never sleeps. Called by a worker that has found a job. */
void doze_deadlock_busy(struct doze_worker *worker);
/** Counts n sleepers as active. Called by their waker before it notifies them. */
void doze_deadlock_wake(struct doze_pool *pool, uint32_t n);
/** Counts all workers that are not blocked as active. Called, with the policy's mutex held, by a
 * thread that wakes all workers. */
void doze_deadlock_wake_all_locked(struct doze_pool *pool);
/** Counts the worker as active after a spurious wake. Called with the policy's mutex held. */
void doze_deadlock_self_wake_locked(struct doze_worker *worker);
/** Calls the acquire handler. Called by a worker after its wait, without any lock. */
void doze_deadlock_acquire(struct doze_worker *worker);

/** Called by a thread that is not a worker, before it waits for the pool. Aborts with a message
 * that names `function` if the thread is in one of the pool's handlers, where it would wait for its
 * own worker. */
void doze_handler_must_not_wait(const struct doze_pool *pool, const char *function);

#endif
