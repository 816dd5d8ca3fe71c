/*
 * SPDX-License-Identifier: MIT
 *
 * forkjoin.h - preset `forkjoin`: a classic fork-join pool with one lock for the pool and one for
 * each worker's deque. README.md explains how it works and what its signal outside the lock costs.
 *
 *   deque.c    a ring of jobs
 *   queues.c   the global deque and the workers' deques, and their locks (queues.h)
 *   sleep.c    sleeping on the pool's condition variable, as a sleep policy (sleep/sleep.h)
 */
#ifndef DOZE_FORKJOIN_H
#define DOZE_FORKJOIN_H

#include "../park.h"
#include "../pool.h"
#include "../queues.h"

/** A growable ring of job pointers. The same job may be in it several times (tokens are). */
struct fj_deque {
	DOZE_CACHE_ALIGNED doze_mutex lock; /* of a worker's deque; the global one uses pool_lock */
	/* Protected by the lock. */
	struct doze_job **slot; /* owned */
	size_t capacity;        /* a power of two */
	size_t first, count;    /* index of the oldest entry; number of entries */
	/* Protected by pool_lock; of a worker's deque only. */
	bool owner_arrived; /* the owner waits at the start-up barrier */
};

/** Pending wakes whose sleeper is not known: ids in order of arrival. */
#define FJ_WAKE_RING 64

/** The sleep.data of a forkjoin pool. */
struct forkjoin {
	struct fj_deque *deque; /* owned; one per worker */

	DOZE_CACHE_ALIGNED doze_mutex pool_lock;
	doze_cond work_avail;
	/* Protected by pool_lock. */
	struct fj_deque global;
	uint32_t arrived;     /* start-up barrier: workers that have arrived */
	bool barrier_open;    /* all workers have arrived, or the creation of the pool failed */
	uint64_t wakes_taken; /* position in wake_ring up to which ids are taken */
	uint32_t owed;        /* with deadlock detection: wakes counted as active, not yet awake */
	/* Any thread. Written without the lock, because signals are sent without it. */
	DOZE_ATOMIC(uint32_t) sleepers; /* number of waiting workers, a hint for the trace */
	DOZE_ATOMIC(uint64_t) wakes_given;
	DOZE_ATOMIC(uint64_t) wake_ring[FJ_WAKE_RING];
};

static inline struct forkjoin *forkjoin_of(struct doze_pool *pool)
{
	return pool->sleep.data;
}

extern const struct doze_queue_ops doze_forkjoin_queues;

/** Takes a lock and reports it, contended or not. `by` is the acting worker or -1. */
void doze_fj_lock(struct doze_pool *pool, int32_t by, doze_mutex *lock, enum doze_lock_kind kind,
		  int32_t owner);

#endif
