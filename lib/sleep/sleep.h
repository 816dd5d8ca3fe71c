/*
 * SPDX-License-Identifier: MIT
 *
 * sleep.h - the interface between the pool and a sleep policy.
 *
 * A policy decides when a worker that finds no work goes to sleep, and which workers are woken when
 * work is published or a latch is set. A new policy is a file that fills a const table of
 * functions, and a line in registry.c. README.md describes what a policy must guarantee:
 *
 *   MUST   ensure, for an injected job, a set latch, a broadcast and a termination, that a worker
 *          that can serve it is awake or is woken.
 *   MAY    miss a job that a worker of the pool pushed, because that worker returns to it.
 *
 * A worker waits as follows (lib/worker.c); the hooks are called only in this order:
 *
 *      ACTIVE ── start_looking ──▶ search ──(nothing)──▶ no_work_found ──┐
 *        ▲                          │  ▲                                 │
 *        │                          │  └─────────────────────────────────┘
 *        └────── work_found ────────┘ (a job, or the awaited latch is set)
 *
 * no_work_found yields the CPU, or makes the worker sleepy or asleep; it returns when the worker
 * must search again. Each hook emits the trace events of its steps (listed in
 * tracepoints/README.md). `by` is the acting worker's index in that pool, -1 for any other thread.
 */
#ifndef DOZE_SLEEP_H
#define DOZE_SLEEP_H

#include "../atomic.h"
#include "../latch.h"
#include "../park.h"
#include "../trace_enums.h"
#include "counters.h"

struct doze_pool;
struct doze_worker;
struct doze_queue_ops;

/** State of a worker between start_looking and work_found. Owned by the worker and stored on its
 * stack. */
struct doze_idle {
	uint32_t rounds; /* fruitless searches so far */
	uint64_t jec;    /* the JEC when the worker got sleepy, or DOZE_JEC_DUMMY; policies without
			     a JEC may use the field freely */
};

/** Jobs that were just pushed to one queue. */
struct doze_publish {
	enum doze_queue queue;
	uint32_t n;
	bool was_empty;     /* the queue was empty before the push */
	uint64_t id;        /* id of the first job, for the trace */
	const void *caller; /* address of the user's call, for the trace; null if unknown */
};

struct doze_sleep_policy {
	const char *name;              /* the name for DOZE_POLICY and --policy */
	const char *summary;           /* one line for the list of policies */
	enum doze_word_kind word_kind; /* what sleep.word contains, for the trace */
	/* Default values of the two fields of doze_config with these names. */
	uint32_t rounds_until_sleepy;
	uint32_t rounds_until_sleeping; /* more than rounds_until_sleepy */
	/* True if the policy's proof needs seq_cst probes of latches (`tickle`); otherwise probes
	 * are acquire loads. */
	bool latch_probe_sc;
	/* If (word & quiet_mask) == quiet_value, new_jobs would only read the word after a push to
	 * a worker's own deque, so it is not called. With a mask of 0 it is always called. */
	uint64_t quiet_mask, quiet_value;
	/* Null means Chase-Lev deques and the lock-free injector (queues.h). */
	const struct doze_queue_ops *queues;

	/* Called once, before any worker runs, when the pool's fields are filled in. Returns 0 or
	 * an errno value; after an error fini is not called. Both may be null. */
	int (*init)(struct doze_pool *pool);
	/* Called once, after the last worker has been joined and the last reference dropped. */
	void (*fini)(struct doze_pool *pool);

	/* Worker: called once, by its home thread after the start handler. May be null. */
	void (*starts)(struct doze_worker *worker);
	/* Worker: called when it has no job and starts to search. Fills in *idle. Moves the worker
	 * active -> idle. */
	void (*start_looking)(struct doze_worker *worker, struct doze_idle *idle);
	/* Worker: called after a search of all queues that found nothing. `latch` is the latch that
	 * the worker waits for. The search finds any work that was available before it began. A
	 * worker that has slept calls doze_deadlock_acquire (../deadlock.h) before it returns. */
	void (*no_work_found)(struct doze_worker *worker, struct doze_idle *idle,
			      struct doze_core_latch *latch);
	/* Worker: called when it has found a job (found_*) or its latch is set (latch_set). Moves
	 * the worker idle or sleepy -> active. */
	void (*work_found)(struct doze_worker *worker, struct doze_idle *idle,
			   enum doze_reason reason);
	/* Any thread, after pushing jobs to its own deque (local) or to the injector. The pool
	 * still exists, but the jobs may already have been freed. */
	void (*new_jobs)(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs);
	/* Worker, while it searches: called after it has moved jobs of another worker's deque to
	 * its own, if a worker sleeps or is about to. That worker may have searched both deques and
	 * missed the jobs, so it must search again. work_found follows. May be null; thieves then
	 * take one job at a time. */
	void (*moved)(struct doze_pool *pool, int32_t by);
	/* Any thread, after setting a core latch of worker `owner`; `from` is the latch's previous
	 * state. The latch may no longer exist; the caller keeps the pool alive. */
	void (*latch_set)(struct doze_pool *pool, int32_t by, int32_t owner,
			  enum doze_latch_state from, enum doze_cause cause);
	/* Worker: called after a job that it took from a queue has run (`tickle`). May be null. */
	void (*job_done)(struct doze_worker *worker);
	/* Any thread, after pushing a turn to every worker's broadcast queue. No worker may sleep
	 * while its turn is queued. */
	void (*broadcast)(struct doze_pool *pool, int32_t by);
	/* Any thread, after a suspended wait of worker `owner` became ready (suspend/). That worker
	 * must not sleep while the wait is ready. If null, `broadcast` is called instead, which
	 * wakes all workers. */
	void (*resume)(struct doze_pool *pool, int32_t by, int32_t owner);
	/* Any thread, after setting every worker's terminate latch and calling latch_set for each
	 * (cause terminate). For policies that wake all workers together. May be null. */
	void (*terminate)(struct doze_pool *pool, int32_t by);
};

/** The sleep state of a pool; part of struct doze_pool. */
struct doze_sleep {
	/* Constant after creation. */
	const struct doze_sleep_policy *policy;
	uint32_t rounds_until_sleepy, rounds_until_sleeping;
	uint64_t quiet_mask,
	    quiet_value; /* copied from the policy; mask 0 and value 1 mean "never quiet" */
	void *data;      /* owned by the policy: its locks and lists */

	/* The policy's word: packed counters, or tickle's state. Written by any thread; on its own
	 * cache lines. */
	DOZE_CACHE_ALIGNED DOZE_ATOMIC(uint64_t) word;
	/* The last ids given to a wake and to a decision, for the trace; incremented only when a
	 * worker is woken. Any thread, relaxed. */
	DOZE_CACHE_ALIGNED DOZE_ATOMIC(uint64_t) wake_ids;
	DOZE_ATOMIC(uint64_t) decision_ids;
};

/** The sleep state of one worker; part of struct doze_worker. Used by policies that wake single
 * workers. */
struct doze_worker_sleep {
	DOZE_CACHE_ALIGNED doze_mutex lock;
	doze_cond cond;
	/* Protected by `lock`. */
	bool is_blocked;  /* the owner waits on cond */
	uint64_t wake_id; /* id of the wake that ended the wait; 0 if none */
};

/** Returns the policy with the given name, or null. */
const struct doze_sleep_policy *doze_policy_find(const char *name);
/** Returns all policies, in the order of the table, terminated by a null. */
const struct doze_sleep_policy *const *doze_policy_all(void);

#endif
