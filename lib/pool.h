/*
 * SPDX-License-Identifier: MIT
 *
 * pool.h - a pool: its workers, its injector, its sleep state and its life cycle.
 *
 * Life cycle: created -> workers run -> terminate_count reaches 0 -> workers leave -> joined -> the
 * last reference is dropped -> freed. The creator holds one reference. A thread that must touch a
 * pool after a step that may let it be freed (a latch set from another pool) takes a reference
 * before that step.
 */
#ifndef DOZE_POOL_H
#define DOZE_POOL_H

#include "config.h"
#include "injector.h"
#include "sleep/sleep.h"
#include "suspend/suspend.h"
#include "worker.h"

struct doze_deadlock;

struct doze_pool {
	/* Constant after creation. */
	uint32_t id; /* unique in the process, from 1 */
	uint32_t num_workers;
	struct doze_worker *workers; /* owned, cache-aligned array */
	struct doze_settings settings;
	/* Owned; null: there is no handler, and nothing is counted. */
	struct doze_deadlock *deadlock;

	/* Any thread. */
	struct doze_sleep sleep;
	struct doze_suspend suspend;
	struct doze_injector injector;
	DOZE_CACHE_ALIGNED DOZE_ATOMIC(uint64_t) outside_ids; /* job ids for outside threads */
	DOZE_ATOMIC(uint64_t) outside_published;
	/* Number of things that must end before the workers may leave: 1 for the owner of the pool,
	 * 1 per spawned job, task, turn and installed function, and 1 per scope whose owner is
	 * outside. So there is a share for everything that a worker runs. At 0 every terminate
	 * latch is set. */
	DOZE_ATOMIC(size_t) terminate_count;
	DOZE_ATOMIC(size_t) references;
	/* One share per thread of a spawn handler that has not left yet, and one for the thread
	 * that frees the pool. */
	struct doze_count_latch threads_left;
	DOZE_ATOMIC(uint32_t) callers; /* outside threads that are about to queue a job */
	/* For the end with a deadline (end.c). */
	DOZE_ATOMIC(bool) end_awaited;
	DOZE_ATOMIC(size_t) discards; /* whether to discard jobs, and how many were */

	/* Protected by life_lock; life_cond is notified when one of them changes to true. */
	doze_mutex life_lock;
	doze_cond life_cond;
	bool begun;     /* all threads are created: they may begin */
	bool abandoned; /* a thread could not be created: the others leave at once */
	bool ended;     /* terminate_count has reached 0; set only if end_awaited */

	/* Held while a broadcast is queued, so that broadcasts reach all workers' queues in the
	 * same order. */
	doze_mutex broadcast_lock;

	/* Protected by the lock of the list of live pools (pools.c). */
	struct doze_pool *next_live, *previous_live;
};

/** Number of shares of terminate_count that a worker takes at once. It keeps at most twice as many,
 * so its jobs seldom write that word. */
#define DOZE_SHARES 64

/** Any thread. Creates a pool without its threads, for doze_pool_create and for tests that play the
 * workers themselves; doze_pool_unref ends it. Returns 0, or an errno value with *out unchanged. */
int doze_pool_build(struct doze_pool **out, const struct doze_settings *settings);

/** Any thread that knows that the pool is alive. Adds a reference. */
void doze_pool_ref(struct doze_pool *pool);
/** Drops one reference; the last one frees the pool. */
void doze_pool_unref(struct doze_pool *pool);

/** Any thread. Returns the given pool; for null, the calling worker's pool, or else the default
 * pool. */
struct doze_pool *doze_pool_or_default(struct doze_pool *pool);
/** Returns the calling outside thread's own lock latch. One latch per thread is enough, because a
 * thread waits for one thing at a time. */
struct doze_lock_latch *doze_thread_latch(void);

/** Returns whether jobs that `worker` (the calling one, or null) queues in the pool may go to its
 * own deque. It must be one of the pool's workers, and not the guest, which may never return to its
 * deque. Jobs that the guest itself waits for, joins and loops, do go to its deque. */
static inline bool doze_pool_own_deque(const struct doze_pool *pool,
				       const struct doze_worker *worker)
{
	return worker != NULL && worker->pool == pool && !worker->guest;
}

/** Any thread. Queues a job in the injector and calls the sleep policy. `worker` is the calling
 * worker, of any pool, or null. */
void doze_pool_inject(struct doze_pool *pool, struct doze_worker *worker, struct doze_job *job);

/** Does the same with a batch, in one post. Returns 0, or ENOMEM, and then nothing is queued. */
int doze_pool_inject_many(struct doze_pool *pool, struct doze_worker *worker,
			  const struct doze_batch *batch);

/** Does what doze_install does, for a public function that is built on it. `caller` is the address
 * of the user's call of that function (install.c). */
void doze_install_for(doze_pool *pool, doze_fn fn, void *arg, const void *caller);

/** Any thread. Queues a batch in one post where the calling thread's jobs go: at its worker's own
 * end, or in the given FIFO (null: none), or in the injector. Returns 0, or ENOMEM, and then
 * nothing is queued. */
int doze_pool_queue_many(struct doze_pool *pool, struct doze_worker *worker, struct doze_fifo *fifo,
			 const struct doze_batch *batch);
int doze_pool_queue(struct doze_pool *pool, struct doze_worker *worker, struct doze_fifo *fifo,
		    struct doze_job *job);

/** Any thread. Returns a new job id of the pool. `worker` as above. */
uint64_t doze_pool_next_job(struct doze_pool *pool, struct doze_worker *worker);

/** Adds n things that must end before the workers leave. The caller must hold a share. `worker` is
 * the calling worker, of any pool, or null. */
void doze_pool_terminate_hold_many(struct doze_pool *pool, size_t n);
static inline void doze_pool_terminate_hold(struct doze_pool *pool, struct doze_worker *worker)
{
	if (worker == NULL || worker->pool != pool) {
		doze_pool_terminate_hold_many(pool, 1);
		return;
	}
	if (worker->shares == 0) {
		doze_pool_terminate_hold_many(pool, DOZE_SHARES);
		worker->shares = DOZE_SHARES;
	}
	worker->shares--;
}
/** Takes back n shares whose work could not be queued; the caller must hold another share. */
void doze_pool_terminate_unhold(struct doze_pool *pool, size_t n);
/** Worker only, before it searches or ends the pool. Gives back the shares that it keeps. */
void doze_pool_terminate_give_back(struct doze_worker *worker);
/** Drops one share, or, on a worker of the pool, keeps it for its next job; at 0 sets the terminate
 * latches. Called by a worker of the pool, which cannot have been joined yet, by the creator, or
 * between doze_pool_enter and doze_pool_leave, so the pool outlives the call. `worker` as in
 * doze_pool_inject. */
void doze_pool_terminate_drop(struct doze_pool *pool, struct doze_worker *worker);

/** Outside thread only (by < 0). Begins the thread's accesses to the pool while it queues a job;
 * doze_pool_leave ends them. The job may be the last one, after which another thread may free the
 * pool at once; the pool's end waits for doze_pool_leave. */
static inline void doze_pool_enter(struct doze_pool *pool, int32_t by)
{
	if (by < 0)
		da_add(&pool->callers, 1, RLX); /* the publication of the job orders it */
}
static inline void doze_pool_leave(struct doze_pool *pool, int32_t by)
{
	if (by < 0) {
		da_edge_out(&pool->callers);
		da_sub(&pool->callers, 1, REL); /* orders these accesses before the freeing */
	}
}

/** Worker only, with a job that no call waits for and that has not begun. Returns whether to
 * discard the job, because the pool is ending with DOZE_FREE_DISCARD. Counts a discarded job. */
bool doze_pool_discards(struct doze_pool *pool);
/** Owner of the pool only. Lets the workers leave once everything has run, waits for the first
 * `started` of them, and drops the owner's reference. */
void doze_pool_end(struct doze_pool *pool, uint32_t started);

/** Any thread. Returns the current word, for events that report no step. */
static inline uint64_t doze_pool_word(struct doze_pool *pool)
{
	return da_load(&pool->sleep.word, RLX); /* relaxed: only for the record */
}

/* The list of live pools (pools.c); doze_trace_for_each_worker in trace_load.h reads it. */
void doze_pools_add(struct doze_pool *pool);
void doze_pools_remove(struct doze_pool *pool);
#endif
