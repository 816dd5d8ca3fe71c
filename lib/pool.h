/*
 * SPDX-License-Identifier: MIT
 *
 * pool.h - a pool: its workers, its injector, its sleep, its life.
 *
 * Life: created -> workers run -> the terminate count comes to 0 -> workers leave -> joined -> the
 * last reference goes -> freed. The creator holds one reference; whoever must touch a pool after a
 * step that may let it be freed (a latch set from another pool) takes one before that step.
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
	uint32_t id; /* process-wide, from 1 */
	uint32_t num_workers;
	struct doze_worker *workers; /* owned, cache-aligned array */
	struct doze_settings settings;
	struct doze_deadlock *deadlock; /* owned; null: no handler, nothing is counted */

	/* Any thread. */
	struct doze_sleep sleep;
	struct doze_suspend suspend;
	struct doze_injector injector;
	DOZE_CACHE_ALIGNED DOZE_ATOMIC(uint64_t) outside_ids; /* numbers of jobs from outside */
	DOZE_ATOMIC(uint64_t) outside_published;
	/* What must still happen before the workers may leave: 1 for the owner of the pool, 1 for
	 * each spawned job. At 0 every terminate latch is set. */
	DOZE_ATOMIC(size_t) terminate_count;
	DOZE_ATOMIC(size_t) references;
	/* Threads of a spawn handler that have not left yet, and a share of whoever frees the pool.
	 */
	struct doze_count_latch threads_left;
	DOZE_ATOMIC(uint32_t) callers; /* outside threads that are about to queue a job */
	/* End with a deadline (end.c). */
	DOZE_ATOMIC(bool) end_awaited;
	DOZE_ATOMIC(bool) discards; /* jobs that nobody waits for do not run */
	DOZE_ATOMIC(size_t) discarded;

	/* By life_lock; life_cond is notified when one of them is set. */
	doze_mutex life_lock;
	doze_cond life_cond;
	bool begun;     /* all threads are created: they may begin */
	bool abandoned; /* one could not be created: the others leave at once */
	bool ended;     /* terminate_count has come to 0; kept up only if end_awaited */

	/* By broadcast_lock: the order in which broadcasts reach the workers' queues, the same for
	 * all. */
	doze_mutex broadcast_lock;

	/* By the lock of the list of live pools (pools.c). */
	struct doze_pool *next_live, *previous_live;
};

/** Any thread: everything of a pool but its threads, for doze_pool_create, and for tests that play
 * the workers themselves; ended by doze_pool_unref. 0, or an errno value and *out as it was. */
int doze_pool_build(struct doze_pool **out, const struct doze_settings *settings);

/** Any thread that knows that the pool is alive. */
void doze_pool_ref(struct doze_pool *pool);
/** Gives one reference up; the last one frees the pool. */
void doze_pool_unref(struct doze_pool *pool);

/** Any thread: the pool, or for null the calling worker's, or the default one. */
struct doze_pool *doze_pool_or_default(struct doze_pool *pool);
/** The calling outside thread's own lock latch; it waits for one thing at a time. */
struct doze_lock_latch *doze_thread_latch(void);

/** Whether what `worker` (the calling one, or null) queues in the pool may go to its own deque: it
 * is one of the pool's, and comes back to its deque. A guest may never come back. What it waits for
 * itself, joins and loops, goes there all the same. */
static inline bool doze_pool_own_deque(const struct doze_pool *pool,
				       const struct doze_worker *worker)
{
	return worker != NULL && worker->pool == pool && !worker->guest;
}

/** Any thread. Queues a job in the injector and tells the sleep policy. `worker` is the calling
 * worker, of any pool, or null. */
void doze_pool_inject(struct doze_pool *pool, struct doze_worker *worker, struct doze_job *job);

/** The same with a batch, in one post. 0, or ENOMEM and nothing is queued. */
int doze_pool_inject_many(struct doze_pool *pool, struct doze_worker *worker,
			  const struct doze_batch *batch);

/** doze_install for a public function that is built on it: `caller` is where the user called that
 * one (install.c). */
void doze_install_for(doze_pool *pool, doze_fn fn, void *arg, const void *caller);

/** Any thread: queues a job, or a batch in one post, where the calling thread's jobs go: at its
 * worker's own end, or in that FIFO (null: none), or in the injector. 0, or ENOMEM and nothing is
 * queued. */
int doze_pool_queue_many(struct doze_pool *pool, struct doze_worker *worker, struct doze_fifo *fifo,
			 const struct doze_batch *batch);
int doze_pool_queue(struct doze_pool *pool, struct doze_worker *worker, struct doze_fifo *fifo,
		    struct doze_job *job);

/** Any thread: a number for a job of that pool. `worker` as above. */
uint64_t doze_pool_next_job(struct doze_pool *pool, struct doze_worker *worker);

/** Whoever knows that it is not 0: one more thing, or n more, to wait for before termination. */
void doze_pool_terminate_hold(struct doze_pool *pool);
void doze_pool_terminate_hold_many(struct doze_pool *pool, size_t n);
/** Takes n back, for things that did not come to be; the caller has a hold beside them. */
void doze_pool_terminate_unhold(struct doze_pool *pool, size_t n);
/** One less; at 0 the workers are told to leave. By a worker of the pool, which cannot have been
 * joined yet, or by the creator: so the pool outlives the call. `worker` as in doze_pool_inject. */
void doze_pool_terminate_drop(struct doze_pool *pool, struct doze_worker *worker);

/** Outside thread (by < 0): brackets of what it does in the pool to queue a job. The job may be the
 * last one and let somebody free the pool at once; the pool's end waits for the bracket to close.
 */
static inline void doze_pool_enter(struct doze_pool *pool, int32_t by)
{
	if (by < 0)
		da_add(&pool->callers, 1, RLX); /* the publication of the job orders it */
}
static inline void doze_pool_leave(struct doze_pool *pool, int32_t by)
{
	if (by < 0) {
		da_edge_out(&pool->callers);
		da_sub(&pool->callers, 1, REL); /* our last accesses before the pool's freeing */
	}
}

/** Worker, with a job that nobody waits for and that has not begun: true if it is to be thrown
 * away, because the pool is being ended so. Counts it. */
bool doze_pool_discards(struct doze_pool *pool);
/** The pool's owner: lets the workers leave once everything has run, waits for the first `started`
 * of them, and gives the owner's reference up. */
void doze_pool_end(struct doze_pool *pool, uint32_t started);

/** Any thread: the word as it is, for events that report no step. */
static inline uint64_t doze_pool_word(struct doze_pool *pool)
{
	return da_load(&pool->sleep.word, RLX); /* relaxed: only for the record */
}

/* The list of live pools (pools.c); doze_trace_for_each_worker in trace_load.h reads it. */
void doze_pools_add(struct doze_pool *pool);
void doze_pools_remove(struct doze_pool *pool);
#endif
