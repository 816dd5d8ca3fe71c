/*
 * SPDX-License-Identifier: MIT
 *
 * forkjoin.h - preset `forkjoin`: a classic fork-join pool, with one lock for the pool and one per
 * worker's deque. README.md explains how it works and what can go wrong because it signals without
 * the lock.
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

/** A growable ring of job pointers. The token of a FIFO (worker.h) may be in it several times. */
struct fj_deque {
	/* Protects a worker's deque. Not used in the global deque, which pool_lock protects. */
	DOZE_CACHE_ALIGNED doze_mutex lock;
	/* Protected by `lock`, or in the global deque by pool_lock. */
	struct doze_job **slot; /* owned */
	size_t capacity;        /* a power of two */
	size_t first, count;    /* index of the oldest entry; number of entries */
	/* Protected by pool_lock; used only in a worker's deque. */
	bool owner_arrived; /* the owner has arrived at the start-up barrier */
};

/* deque.c. Callers of all functions but init and fini hold the lock that protects the ring;
 * queues.c decides which one that is. */

/** Creates an empty deque and its own lock. Returns 0 or ENOMEM. */
int doze_fj_deque_init(struct fj_deque *d);
void doze_fj_deque_fini(struct fj_deque *d);
/** Makes room for n more jobs. Returns 0 or ENOMEM. */
int doze_fj_make_room(struct fj_deque *d, size_t n);
/** Adds a job at the newest end. Returns whether the deque was empty. Aborts when out of memory,
 * because a job that cannot be queued would be lost. */
bool doze_fj_add_newest(struct fj_deque *d, struct doze_job *job);
/** Adds a batch, oldest job first; the caller has made room for it. Returns whether the deque was
 * empty. */
bool doze_fj_add_many(struct fj_deque *d, const struct doze_batch *batch);
/** Each takes a job from one end, or returns null if the deque is empty. */
struct doze_job *doze_fj_take_newest(struct fj_deque *d);
struct doze_job *doze_fj_take_oldest(struct fj_deque *d);
/** Removes the given job, wherever it is in the deque. Returns false if it is not in the deque. */
bool doze_fj_take_this(struct fj_deque *d, const struct doze_job *job);

/** Capacity of wake_ring, which contains the ids of pending wakes in the order in which they were
 * recorded. Which sleeper a wake will reach is not known. */
#define FJ_WAKE_RING 64

/** What sleep.data of a pool with preset `forkjoin` points to. */
struct forkjoin {
	struct fj_deque *deque; /* owned; one per worker */

	DOZE_CACHE_ALIGNED doze_mutex pool_lock;
	doze_cond work_avail;
	/* Protected by pool_lock. */
	struct fj_deque global;
	uint32_t arrived;     /* number of workers that have arrived at the start-up barrier */
	bool barrier_open;    /* all workers have arrived, or the pool ends first */
	uint64_t wakes_taken; /* number of ids taken from wake_ring or skipped */
	uint32_t owed;        /* with deadlock detection: workers counted as active but not yet
			       * awake */
	/* Written by any thread, without the lock because signals are sent without it. */
	DOZE_ATOMIC(uint32_t) sleepers; /* number of waiting workers, a hint for the trace */
	DOZE_ATOMIC(uint64_t) wakes_given;
	DOZE_ATOMIC(uint64_t) wake_ring[FJ_WAKE_RING];
};

static inline struct forkjoin *forkjoin_of(struct doze_pool *pool)
{
	return pool->sleep.data;
}

extern const struct doze_queue_ops doze_forkjoin_queues;

/** Takes a lock and traces whether it was contended. `by` is the acting worker or -1. */
void doze_fj_lock(struct doze_pool *pool, int32_t by, doze_mutex *lock, enum doze_lock_kind kind,
		  int32_t owner);

#endif
