/*
 * SPDX-License-Identifier: MIT
 *
 * latch.h - one-time events that one thread waits for.
 *
 *   core latch   five states; its owner is the one worker that can sleep on it (core_latch.h)
 *   spin latch   a core latch that is set directly: join, install from another pool, future
 *   count latch  set when a counter that starts at 1 reaches 0: scope, broadcast
 *   lock latch   mutex and condition variable, for threads that are not workers
 *
 * The hazard of core_latch.h applies to every latch here: once a latch is set, its owner may free
 * it.
 */
#ifndef DOZE_LATCH_H
#define DOZE_LATCH_H

#include "core_latch.h"
#include "park.h"

struct doze_pool;

/** Called before any other thread can reach the latch. `cross` is true if a thread that is not a
 * worker of the same pool may set the latch. */
void doze_spin_latch_init(struct doze_core_latch *latch, struct doze_worker *owner, bool cross);
/** Any thread. Sets the latch and wakes its owner if the owner sleeps on it. The latch may be gone
 * on return. `worker` is the calling worker, of any pool, or null. */
void doze_spin_latch_set(struct doze_core_latch *latch, struct doze_worker *worker);

struct doze_lock_latch {
	doze_mutex lock;
	doze_cond cond;
	bool set; /* protected by lock */
};

void doze_lock_latch_init(struct doze_lock_latch *latch);
void doze_lock_latch_fini(struct doze_lock_latch *latch);
/** Any thread. Sets the latch and wakes the waiter, which may reuse the latch as soon as this
 * function has unlocked it. */
void doze_lock_latch_set(struct doze_lock_latch *latch);
/** Waiter only. Blocks until the latch is set, then resets it for its next use. */
void doze_lock_latch_wait_and_reset(struct doze_lock_latch *latch);
/** Called by a thread that is not a worker. Returns the thread's own lock latch. One latch per
 * thread is enough, because a thread is in only one wait at a time. */
struct doze_lock_latch *doze_thread_latch(void);

struct doze_count_latch {
	DOZE_ATOMIC(size_t) count; /* number of shares; starts at 1, the creator's own */
	struct doze_pool *pool;    /* null if the waiter is not a worker; u.lock is then used */
	int32_t owner;
	union {
		struct doze_core_latch core;
		struct doze_lock_latch lock;
	} u;
};

/** Called before any other thread can reach the latch. `owner` is the worker that will wait, or
 * null if the waiter is not a worker. */
void doze_count_latch_init(struct doze_count_latch *latch, struct doze_worker *owner,
			   enum doze_latch_kind kind);
/** Called before any other thread can reach the latch. `pool` is the pool whose workers will give
 * up the shares. `function` is the caller's name, for doze_handler_must_not_wait. */
void doze_count_latch_shared_by(struct doze_count_latch *latch, const struct doze_pool *pool,
				const char *function);
void doze_count_latch_fini(struct doze_count_latch *latch);
/** Called only by a holder of a share. _increment adds one share, _add adds n, and _take_back
 * removes n shares whose work could not be queued. */
void doze_count_latch_increment(struct doze_count_latch *latch);
void doze_count_latch_add(struct doze_count_latch *latch, size_t n);
void doze_count_latch_take_back(struct doze_count_latch *latch, size_t n);
/** Gives up one share; _give_back gives up n. Giving up the last share sets the latch, which may
 * then be freed before this returns. */
void doze_count_latch_decrement(struct doze_count_latch *latch, struct doze_worker *worker);
void doze_count_latch_give_back(struct doze_count_latch *latch, size_t n,
				struct doze_worker *worker);
/** Owner of the worker only. Gives back all shares that the worker owes (owed.h). The latch may be
 * gone on return. */
void doze_count_latch_pay(struct doze_worker *worker);
/** Owner only. Decrements the count for the owner and waits until it is zero. A worker runs
 * jobs while it waits. */
void doze_count_latch_wait(struct doze_count_latch *latch, struct doze_worker *owner);

#endif
