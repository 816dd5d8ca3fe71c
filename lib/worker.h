/*
 * SPDX-License-Identifier: MIT
 *
 * worker.h - a worker of a pool: its data, its queues, and the functions that find and run jobs.
 */
#ifndef DOZE_WORKER_H
#define DOZE_WORKER_H

#include "deque.h"
#include "injector.h"
#include "job_records.h"
#include "latch.h"
#include "owed.h"
#include "park.h"
#include "slab.h"
#include "sleep/sleep.h"
#include "suspend/suspend.h"
#include "trace.h"

/** Implements spawn_fifo with a deque that is LIFO for its owner.
 *
 * The job goes into a FIFO, and a token goes into the deque. The worker that takes the token, owner
 * or thief, runs the oldest job of the token's FIFO. Each FIFO has one constant token, which is
 * pushed once per job, so tokens cost no memory and are never freed.
 *
 * Key invariant: tokens in deques <= jobs in the FIFO, because the job goes in first. */
struct doze_fifo {
	struct doze_injector jobs;
	struct doze_job token; /* constant after init */
};

/** The number of the layout that doze_inline.h describes; compared in join.c. */
#define DOZE_WORKER_LAYOUT 3

/** "Owner" below means the one thread that holds the worker at the time (suspend/). */
struct doze_worker {
	/* doze_inline.h knows the fields up to `deque.all_public`: change DOZE_WORKER_LAYOUT with
	 * them.
	 */
	uint32_t layout; /* constant: DOZE_WORKER_LAYOUT */
	int32_t index;   /* constant */
	/* Owner only. The last id given to a job, for the trace. Ids are unique in the pool: those
	 * of jobs begin at doze_worker_id_base, those of latches half of the worker's range above
	 * it. */
	uint64_t job_ids;
	/* Owner only. Root of the running job; null if no future waits for its end (suspend/). */
	struct doze_future *root;
	DOZE_ATOMIC(uint64_t) * word; /* constant: the pool's sleep.word */
	/* The pool's quiet_mask (constant), and its quiet_value, or DOZE_NEVER_QUIET while every
	 * post must be recorded, which saves each push a separate test (doze_worker_heed; owner
	 * only). */
	uint64_t quiet_mask, quiet_value;
	/* Written by the owner and read by any thread, relaxed, as the statistics below. */
	DOZE_ATOMIC(uint64_t) jobs_run;
	DOZE_ATOMIC(uint64_t) jobs_published;
	/* Not 0 there: the start of a job that this worker takes back may have to be recorded.
	 * While a worker may sleep or jobs are noted, that is doze_trace_starts_wanted, otherwise
	 * doze_trace_every_job, so that one test is enough. Read by the owner, written by
	 * job_records.c in any worker's thread. */
	DOZE_ATOMIC(const int *) starts_on;
	/* The owner pushes and pops, others steal. */
	struct doze_deque deque;
	struct doze_noted noted; /* owner only */

	/* Constant once the thread runs. */
	struct doze_pool *pool; /* not owned */
	/* the worker's thread is the one that created the pool (use_current_thread) */
	bool guest;
	const struct doze_queue_ops *queues; /* null for the default queues (queues.h) */
	/* The worker's home thread. Only the thread that creates and joins it uses the field. */
	doze_thread thread;

	/* Owner thread only. */
	uint64_t rng;       /* xorshift64* state for choosing victims; never 0 */
	uint64_t latch_ids; /* the last id given to a latch */
	struct doze_records_quota starts_quota, posts_quota;
	struct doze_slabs slabs;
	struct doze_owed owed;
	/* Number of shares of the pool's terminate_count that this worker keeps for jobs that it
	 * queues; given back when the worker finds no work. */
	size_t shares;
	/* Number of jobs, except injected ones, run since the injector was last checked, and number
	 * of jobs, except turns, run while a turn of a broadcast waited. Both stop at
	 * pool->settings.fair_every. */
	uint32_t since_injector, since_broadcast;
	bool waits_elsewhere; /* another pool will set the latch that the worker waits for */
	/* For deadlock detection (deadlock.c). */
	bool counted_elsewhere;
	bool rests;         /* counted as resting since event `rested_at` */
	uint64_t rested_at; /* value of pool.deadlock->events when the last search began */

	/* Written by the owner and read by any thread (snapshots, statistics), relaxed. A reader
	 * may see a slightly old value. */
	DOZE_CACHE_ALIGNED DOZE_ATOMIC(uint32_t) state; /* enum doze_state */
	/* Kernel id of the thread that started the worker; 0 once another thread has taken over. */
	DOZE_ATOMIC(uint32_t) tid;
	DOZE_ATOMIC(uint64_t) jobs_stolen;
	DOZE_ATOMIC(uint64_t) sleeps;

	/* Jobs that must run on this worker: any thread pushes, only the owner pops. */
	struct doze_injector broadcast;
	/* Jobs of spawn_fifo: the owner pushes, any thread pops. The deque has a token for each
	 * job. */
	struct doze_fifo fifo;
	/* The latch that ends the worker; set once, when the pool ends. */
	struct doze_core_latch terminate;

	struct doze_worker_sleep sleep;

	DOZE_CACHE_ALIGNED struct doze_hold hold;
};

/** The calling thread's worker, or null on a thread that is not a worker. Written when a worker
 * starts and ends. */
extern DOZE_THREAD_LOCAL_HOT struct doze_worker *doze_self;
/** Makes `worker`, or no worker if it is null, the calling thread's worker. */
void doze_self_set(struct doze_worker *worker);

/** Returns the index of the calling worker for trace events of `pool`: -1 if the worker is null or
 * belongs to another pool. */
int32_t doze_acting_index(const struct doze_worker *worker, const struct doze_pool *pool);

/** Adds to a counter that only this thread writes, without a read-modify-write. */
static inline void doze_bump(DOZE_ATOMIC(uint64_t) * counter, uint64_t n)
{
	/* relaxed: a statistic needs no ordering */
	da_store(counter, da_load(counter, RLX) + n, RLX);
}

/** Owner only. Publishes the new state and emits worker_state. old_word != new_word means that this
 * transition changed the word. */
void doze_worker_transition(struct doze_worker *worker, enum doze_state to, enum doze_reason reason,
			    uint64_t old_word, uint64_t new_word);

/** A value that differs from the sleep word under every quiet_mask (sleep.h), so that a comparison
 * with it always fails. */
#define DOZE_NEVER_QUIET UINT64_MAX
/** Owner only. Adapts quiet_value to the level of detail that is being recorded. Called when the
 * worker changes its state, when it calls the policy for a post, and at each start that may have to
 * be recorded, so that a worker that is busy when a recording of level all begins notices it at its
 * next job. */
void doze_worker_heed(struct doze_worker *worker);

/** Owner only. Called by every doze_job_run before and after the job's body. */
void doze_job_begin(struct doze_worker *worker, uint64_t job, enum doze_source source);
void doze_job_end(struct doze_worker *worker, uint64_t job);
/** The same as doze_job_begin for a job of a scope, which ends with doze_owed_add_share: the worker
 * may go on owing shares of this scope. */
void doze_job_begin_in(struct doze_worker *worker, uint64_t job, enum doze_source source,
		       const struct doze_count_latch *scope);

#define DOZE_ID_HALF (UINT64_C(1) << 43)
/** Returns the number just below the ids of all the worker's jobs and latches. */
static inline uint64_t doze_worker_id_base(const struct doze_worker *worker)
{
	return ((uint64_t)worker->index + 1) << 44;
}
/** Owner only. Returns a new job id, unique in the pool. */
static inline uint64_t doze_worker_next_job(struct doze_worker *worker)
{
	return ++worker->job_ids;
}

/** Owner only. Queues a job at the worker's own end and calls the sleep policy. */
void doze_worker_push(struct doze_worker *worker, struct doze_job *job);
/** Owner only. Queues an entry that represents another job (a token), as doze_worker_push does with
 * a job. The trace names the represented job. */
void doze_worker_push_for(struct doze_worker *worker, struct doze_job *entry, uint64_t id,
			  const void *caller);
/** Owner only. Calls the sleep policy for one job that was pushed to the worker's deque. */
void doze_worker_posted(struct doze_worker *worker, uint64_t id, const void *caller,
			bool was_empty);
/** Owner only. Takes the newest job at the worker's own end, or returns null. */
struct doze_job *doze_worker_pop(struct doze_worker *worker);
/** Owner only. Makes room for n jobs at the worker's own end. Returns 0 or ENOMEM. */
int doze_worker_reserve(struct doze_worker *worker, uint32_t n);
/** Owner only. Queues a job in the given FIFO, or at the worker's own end if `fifo` is null.
 * Returns 0, or ENOMEM with nothing queued. */
int doze_worker_queue(struct doze_worker *worker, struct doze_fifo *fifo, struct doze_job *job);
/** Owner only, right after reserving room. Queues a batch at the worker's own end and calls the
 * sleep policy once. */
void doze_worker_push_many(struct doze_worker *worker, const struct doze_batch *batch);
/** Called by the publisher of a batch before it publishes. Calls da_edge_out for each job
 * (atomic.h). */
void doze_batch_edges(const struct doze_batch *batch);
/** Owner only. Returns the next job of the worker's own deque, or else of its broadcast queue, or
 * null. doze_worker_take_turn uses only the broadcast queue. */
struct doze_job *doze_worker_take_turn(struct doze_worker *worker, enum doze_source *source);
struct doze_job *doze_worker_take_local(struct doze_worker *worker, enum doze_source *source);
/** Owner only. Like doze_worker_take_local, but takes a broadcast's turn first if the turn has
 * waited for fair_every jobs. */
struct doze_job *doze_worker_take_own(struct doze_worker *worker, enum doze_source *source);
/** Owner only. Like doze_worker_take_own, but checks the injector first if the worker has not done
 * so for fair_every jobs. */
struct doze_job *doze_worker_take_next(struct doze_worker *worker, enum doze_source *source);
/** Owner only. Steals a job from another worker, or returns null. May also take more of that
 * worker's jobs into the worker's own deque (steal.c). */
struct doze_job *doze_worker_steal(struct doze_worker *worker);
/** Owner only. Tries doze_worker_take_next, the other workers' deques, then the injector. */
struct doze_job *doze_worker_find_work(struct doze_worker *worker, enum doze_source *source);
/** Owner only. Runs a job taken from a queue; the job may have been freed on return. */
void doze_worker_execute(struct doze_worker *worker, struct doze_job *job, enum doze_source source);
/** Owner only. Gives back everything that the worker owes (owed.h). Called when the worker leaves
 * the loop in which it takes and runs jobs. */
static inline void doze_worker_settle(struct doze_worker *worker)
{
	doze_owed_release_block(&worker->owed);
	doze_count_latch_pay(worker);
}
/** Owner only. Works and sleeps, or suspends the wait, until the latch, which the worker owns, is
 * set. _wait_for names the awaited future, if any. */
void doze_worker_wait_until(struct doze_worker *worker, struct doze_core_latch *latch);
void doze_worker_wait_for(struct doze_worker *worker, struct doze_core_latch *latch,
			  struct doze_future *target);
/** Owner only, with no job on its stack. Works and sleeps until a suspended wait of the worker can
 * continue or the pool ends. */
void doze_worker_serve(struct doze_worker *worker);

/** `root` is the root of all jobs in the FIFO; see job.h. */
void doze_fifo_init(struct doze_fifo *fifo, struct doze_future *root);
void doze_fifo_fini(struct doze_fifo *fifo);
/** Owner of the deque only. Queues the job and pushes a token onto the worker's deque. Returns 0,
 * or ENOMEM with nothing queued. */
int doze_fifo_push(struct doze_fifo *fifo, struct doze_worker *worker, struct doze_job *job);
/** Owner of the deque only. Queues a batch, and pushes a token per job, all in one push. Returns 0,
 * or ENOMEM with nothing queued. */
int doze_fifo_push_many(struct doze_fifo *fifo, struct doze_worker *worker,
			const struct doze_batch *batch);

#endif
