/*
 * SPDX-License-Identifier: MIT
 *
 * sleep.h - the interface between the pool and a sleep policy.
 *
 * A policy decides when a worker that finds no work goes to sleep, and who is woken when work is
 * published or a latch is set. Adding one is adding a file that fills a const table of functions,
 * and a line in registry.c. README.md tells what a policy has to guarantee:
 *
 *   MUST   an injected job, a set latch, a broadcast, a termination: somebody who can serve it is
 *          awake, or is woken.
 *   MAY    miss a job pushed by a worker of the pool: that worker comes back to it itself.
 *
 * A worker waits like this (lib/wait.c), and the hooks are called in this order only:
 *
 *      ACTIVE ── start_looking ──▶ search ──(nothing)──▶ no_work_found ──┐
 *        ▲                          │  ▲                                 │
 *        │                          │  └─────────────────────────────────┘
 *        └────── work_found ────────┘ (a job, or the awaited latch is set)
 *
 * no_work_found yields the CPU, gets sleepy, or sleeps; it returns when the worker is to search
 * again. Each hook emits the trace events of the steps it makes (tracepoints/README.md says which).
 * `by` is the acting worker's index in that pool, -1 for any other thread.
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

/** What a worker remembers between start_looking and work_found; its own, on its stack. */
struct doze_idle {
	uint32_t rounds; /* fruitless searches so far */
	uint64_t jec; /* the JEC when it got sleepy, or DOZE_JEC_DUMMY; free for other policies */
};

/** Jobs that were just pushed to one queue. */
struct doze_publish {
	enum doze_queue queue;
	uint32_t n;
	bool was_empty;     /* the queue, before the push */
	uint64_t id;        /* of the first of them, for the trace */
	const void *caller; /* address in the user's program, for the trace; null: not known */
};

struct doze_sleep_policy {
	const char *name;               /* as in DOZE_POLICY and --policy */
	const char *summary;            /* one line for lists */
	enum doze_word_kind word_kind;  /* what sleep.word holds, for the trace */
	uint32_t rounds_until_sleepy;   /* defaults; a pool's configuration may change them */
	uint32_t rounds_until_sleeping; /* > rounds_until_sleepy */
	/* True when the policy's proof needs seq_cst probes of latches (`tickle`); else acquire. */
	bool latch_probe_sc;
	/* When (word & quiet_mask) == quiet_value, new_jobs for one job in a worker's own deque
	 * would only read the word: doze_join then does not call it. A mask of 0: never. */
	uint64_t quiet_mask, quiet_value;
	/* Null: Chase-Lev deques and the lock-free injector (queues.h). */
	const struct doze_queue_ops *queues;

	/* Once, before any worker runs; the pool's fields are filled. 0 or an errno value; then
	 * fini is not called. May be null, as fini may. */
	int (*init)(struct doze_pool *pool);
	/* Once, after the last worker has been joined and the last reference dropped. */
	void (*fini)(struct doze_pool *pool);

	/* Worker: its home thread runs and has called the start handler; once. May be null. */
	void (*starts)(struct doze_worker *worker);
	/* Worker: has nothing to do and starts to search. Fills *idle. active -> idle. */
	void (*start_looking)(struct doze_worker *worker, struct doze_idle *idle);
	/* Worker: searched everything once, in vain. `latch` is what it waits for in the end. Work
	 * that was available before the search started would have been found. */
	void (*no_work_found)(struct doze_worker *worker, struct doze_idle *idle,
			      struct doze_core_latch *latch);
	/* Worker: found a job (found_*), or sees its latch (latch_set). idle|sleepy -> active. */
	void (*work_found)(struct doze_worker *worker, struct doze_idle *idle,
			   enum doze_reason reason);
	/* Any thread, after it pushed jobs: to its own deque (local) or to the injector. The pool
	 * is alive, the jobs may be gone. */
	void (*new_jobs)(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs);
	/* Any thread, after it set a core latch of worker `owner`, which was in state `from`
	 * before. The latch may be gone; the pool is held. */
	void (*latch_set)(struct doze_pool *pool, int32_t by, int32_t owner,
			  enum doze_latch_state from, enum doze_cause cause);
	/* Worker: a job that it took from a queue has run (`tickle`). May be null. */
	void (*job_done)(struct doze_worker *worker);
	/* Any thread, after it filled every worker's broadcast queue: nobody may sleep over it. */
	void (*broadcast)(struct doze_pool *pool, int32_t by);
	/* Any thread, after a suspended wait of worker `owner` became ready (suspend/): that worker
	 * may not sleep over it. May be null: then `broadcast` is called, which wakes all. */
	void (*resume)(struct doze_pool *pool, int32_t by, int32_t owner);
	/* Any thread, after it set every worker's terminate latch and called latch_set for each
	 * (cause terminate). For policies that wake in common. May be null. */
	void (*terminate)(struct doze_pool *pool, int32_t by);
};

/** Pool-wide part; struct doze_pool has one. */
struct doze_sleep {
	/* Constant after creation. */
	const struct doze_sleep_policy *policy;
	uint32_t rounds_until_sleepy, rounds_until_sleeping;
	uint64_t quiet_mask, quiet_value; /* of the policy; mask 0 and value 1 for "never" */
	void *data;                       /* owned by the policy: its own locks and lists */

	/* The policy's word: packed counters, or tickle's state. Any thread; own cache lines. */
	DOZE_CACHE_ALIGNED DOZE_ATOMIC(uint64_t) word;
	/* Numbers for the trace, taken only when somebody is really woken. Any thread, relaxed. */
	DOZE_CACHE_ALIGNED DOZE_ATOMIC(uint64_t) wake_ids;
	DOZE_ATOMIC(uint64_t) decision_ids;
};

/** Per-worker part; struct doze_worker has one. For policies that wake workers one by one. */
struct doze_worker_sleep {
	DOZE_CACHE_ALIGNED doze_mutex lock;
	doze_cond cond;
	/* By `lock`. */
	bool is_blocked;  /* true: the owner waits on cond */
	uint64_t wake_id; /* of the wake that ended the wait; 0: none did */
};

/** The policy of that name, or null. */
const struct doze_sleep_policy *doze_policy_find(const char *name);
/** All policies, in the order of the table; null at the end. For messages and lists. */
const struct doze_sleep_policy *const *doze_policy_all(void);

#endif
