/*
 * SPDX-License-Identifier: MIT
 *
 * pool.h - a pool: its workers, its injector, its sleep state and its life cycle.
 *
 * Life cycle: the pool is created -> its workers run -> terminate_count reaches 0 -> the workers
 * exit and are joined -> the last reference is dropped -> the pool is freed. The creator holds one
 * reference. A thread that must touch a pool after a step that may cause it to be freed (such as
 * setting a latch of another pool) takes a reference before that step.
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
	/* Constant; thieves take jobs with this `run` one by one: the second halves of joins
	 * (steal.c). Null in a pool of a test, which has none. */
	doze_job_run stolen_alone;
	/* Owned; null if the pool has no deadlock or release handler and so needs no counts. */
	struct doze_deadlock *deadlock;

	/* Written by any thread. */
	struct doze_sleep sleep;
	struct doze_suspend suspend;
	struct doze_injector injector;
	/* last job id given to a thread that is not a worker of the pool */
	DOZE_CACHE_ALIGNED DOZE_ATOMIC(uint64_t) outside_ids;
	DOZE_ATOMIC(uint64_t) outside_published;
	/* When this reaches 0, every terminate latch is set and the workers may exit. There is one
	 * share for the owner of the pool, one per spawned job, task, turn and installed function,
	 * and one per scope whose owner is not a worker of the pool. So every job that a worker
	 * runs is covered by a share. */
	DOZE_ATOMIC(size_t) terminate_count;
	DOZE_ATOMIC(size_t) references;
	/* One share per thread of a spawn handler that is still running, and one for the thread
	 * that frees the pool. */
	struct doze_count_latch threads_left;
	/* number of threads that are not workers of the pool and are queueing a job */
	DOZE_ATOMIC(uint32_t) callers;
	/* The pool's owner waits for the end in doze_pool_free_timed (end.c). */
	DOZE_ATOMIC(bool) end_awaited;
	/* lowest bit: discard jobs; other bits: number of discarded jobs */
	DOZE_ATOMIC(size_t) discards;

	/* Protected by life_lock; life_cond is notified when one of the flags becomes true. */
	doze_mutex life_lock;
	doze_cond life_cond;
	bool begun;     /* all threads have been created and may begin */
	bool abandoned; /* a thread could not be created, so the others exit at once */
	bool ended;     /* terminate_count has reached 0; set only if end_awaited */

	/* Held while a broadcast is queued, so that broadcasts reach all workers' queues in the
	 * same order. */
	doze_mutex broadcast_lock;

	/* Protected by the lock of the list of live pools. */
	struct doze_pool *next_live, *previous_live;
};

/** Number of shares of terminate_count that a worker takes at once. A worker keeps at most twice as
 * many, so its jobs rarely write terminate_count. */
#define DOZE_SHARES 64

/** Any thread. Creates a pool without its threads, for doze_pool_create and for tests that act as
 * the workers themselves; doze_pool_unref frees it. Returns 0, or an errno value with *out
 * unchanged. */
int doze_pool_build(struct doze_pool **out, const struct doze_settings *settings);

/** Any thread, while the pool is certain to be alive. Adds a reference. */
void doze_pool_ref(struct doze_pool *pool);
/** Drops one reference; the last one frees the pool. */
void doze_pool_unref(struct doze_pool *pool);

/* Ids of pools. A child of fork() inherits the pools with ids up to doze_pools_inherited;
 * it is 0 in a process that was not forked, or without pools. Written only in the child, by its
 * only thread, during fork(). */
extern uint32_t doze_pools_inherited;

/** Any thread. Aborts with a message if the process has inherited the pool with this id: its
 * workers exist only in the parent, so a job would never run and a wait would never end. Each entry
 * point of doze.h calls this before it touches the pool. */
void doze_pool_abort_inherited(uint32_t id);
static inline void doze_pool_must_not_be_inherited(uint32_t id)
{
	if (doze_unlikely(id <= doze_pools_inherited))
		doze_pool_abort_inherited(id);
}

/** Any thread. Returns the given pool; for null, the calling worker's pool, or else the default
 * pool. */
struct doze_pool *doze_pool_or_default(struct doze_pool *pool);

/** Returns whether jobs that `worker` (the calling one, or null) queues in the pool may go to its
 * own deque. True for the pool's workers except the guest, which may never return to its deque.
 * Jobs that the guest itself waits for (joins and loops) do go to its deque. */
static inline bool doze_pool_own_deque(const struct doze_pool *pool,
				       const struct doze_worker *worker)
{
	return worker != NULL && worker->pool == pool && !worker->guest;
}

/** Any thread. Queues a job in the injector and calls the sleep policy. `worker` is the calling
 * worker, of any pool, or null. */
void doze_pool_inject(struct doze_pool *pool, struct doze_worker *worker, struct doze_job *job);

/** Any thread. Queues a batch in the injector in one post, as doze_pool_inject does with a job.
 * Returns 0, or ENOMEM with nothing queued. */
int doze_pool_inject_many(struct doze_pool *pool, struct doze_worker *worker,
			  const struct doze_batch *batch);

/** Works like doze_install, for public functions built on it. `caller` is the address of the user's
 * call to that function (install.c). */
void doze_install_for(doze_pool *pool, doze_fn fn, void *arg, const void *caller);

/** Any thread. Queues a batch in one post. On a worker of the pool the batch goes to its own deque,
 * or to the given FIFO if `fifo` is not null; other threads' batches go to the injector. Returns 0,
 * or ENOMEM with nothing queued. */
int doze_pool_queue_many(struct doze_pool *pool, struct doze_worker *worker, struct doze_fifo *fifo,
			 const struct doze_batch *batch);
int doze_pool_queue(struct doze_pool *pool, struct doze_worker *worker, struct doze_fifo *fifo,
		    struct doze_job *job);

/** Any thread. Returns a new job id that is unique in the pool. `worker` is the calling worker, of
 * any pool, or null. */
uint64_t doze_pool_next_job(struct doze_pool *pool, struct doze_worker *worker);

/** Adds n shares of terminate_count. The caller must hold a share. `worker` is the calling worker,
 * of any pool, or null. */
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
/** Worker only, before it searches or ends the pool. Gives back the shares that the worker
 * keeps. */
void doze_pool_terminate_give_back(struct doze_worker *worker);
/** Drops one share; a worker of the pool may keep it for its next job instead. Dropping the last
 * share sets the terminate latches. Called by a worker of the pool, which cannot have been joined
 * yet, by the creator, or between doze_pool_enter and doze_pool_leave, so the pool outlives the
 * call. `worker` is as for doze_pool_inject. */
void doze_pool_terminate_drop(struct doze_pool *pool, struct doze_worker *worker);

/** Does nothing on a worker of the pool (by >= 0). On any other thread, begins the thread's
 * accesses to the pool while it queues a job; doze_pool_leave ends them. The job may be the last
 * one, after which another thread may free the pool immediately; the pool's end waits for
 * doze_pool_leave. */
static inline void doze_pool_enter(struct doze_pool *pool, int32_t by)
{
	if (by >= 0)
		return;
	doze_pool_must_not_be_inherited(pool->id); /* the entry points of a scope name no pool */
	da_add(&pool->callers, 1, RLX); /* relaxed: the publication of the job orders it */
}
static inline void doze_pool_leave(struct doze_pool *pool, int32_t by)
{
	if (by < 0) {
		da_edge_out(&pool->callers);
		/* orders the accesses before the free of the pool */
		da_sub(&pool->callers, 1, REL);
	}
}

/** Worker only, for a job that has not begun and that no call waits for. Returns whether to discard
 * the job, because the pool is ending with DOZE_FREE_DISCARD. Counts a discarded job. */
bool doze_pool_discards(struct doze_pool *pool);
/** Owner of the pool only. Lets the workers exit once everything has run, waits for the first
 * `started` workers, and drops the owner's reference. */
void doze_pool_end(struct doze_pool *pool, uint32_t started);

/** Any thread. Returns the current word, for trace events that report no change of the word. */
static inline uint64_t doze_pool_word(struct doze_pool *pool)
{
	return da_load(&pool->sleep.word, RLX); /* relaxed: used only in the trace */
}

/* The threads of a pool (thread.c). The library creates them, or the user's spawn handler does.
 * With use_current_thread the thread that creates the pool is worker 0, the guest. */
/** Called by the pool's creator. Starts every worker. Returns 0 or an errno value; *started is the
 * number of started workers, for doze_threads_end. No worker begins before all threads exist, so
 * that no user handler waits for a worker that could not be created. */
int doze_threads_start(struct doze_pool *pool, uint32_t *started);
/** Called by the thread that frees the pool, after it has given up its share of terminate_count.
 * Waits until the first `started` workers have exited. A guest that calls this works until its own
 * terminate latch is set. */
void doze_threads_end(struct doze_pool *pool, uint32_t started);

/** Adds the pool to the list of live pools, which doze_trace_for_each_worker in trace_load.h reads.
 * Called when the pool is created. */
void doze_pools_add(struct doze_pool *pool);
/** Removes the pool from that list. Called when the pool ends. */
void doze_pools_remove(struct doze_pool *pool);

/** Owner only, after pushing jobs to its deque. Returns whether the policy would neither write
 * pool.sleep.word nor wake a worker; if so, its hook new_jobs need not be called (sleep.h). */
static inline bool doze_fast_is_quiet(struct doze_worker *worker)
{
	/* seq_cst, like the policies' own first load of the word, which this load replaces. */
	uint64_t word = da_load(worker->word, SC);

	return doze_likely((word & worker->quiet_mask) == worker->quiet_value);
}

/* The following functions keep the library usable in the child when a program with pools forks. The
 * child has only the
 * thread that called fork(), and none of the parent's workers. So the parent's pools are dead in
 * the child: it must neither use nor free them, and their memory is never freed. The child may
 * create its own pools, and gets a new default pool. */
/** Any thread, before the trace loader starts. Registers the next four as fork handlers (fork.c).
 */
void doze_fork_watch(void);
/** The handlers hold the lock of the list of pools during the fork. In the child they empty the
 * list and forget the default pool. */
void doze_pools_fork_prepare(void);
void doze_pools_fork_parent(void);
void doze_pools_fork_child(void);
void doze_default_pool_fork_child(void);

#endif
