/*
 * SPDX-License-Identifier: MIT
 *
 * doze_emit.h - shows a thread pool that is not libdoze's in doze's tools: the pool calls these
 * functions at its sleep and wake decisions, and `doze record`, `live`, `check` and the others see
 * the events. README.md says what to call where, and what each tool needs.
 *
 * Link with -ldoze-emit -ldl -pthread. Without LTTng at run time, or while nobody records, a hook
 * costs a store at most, a load, and a branch. If this header is compiled without LTTng's headers,
 * or with DOZE_NO_TRACE, the events are left out.
 *
 * Indices of workers begin with 0; a worker of DOZE_EMIT_OUTSIDE is a thread that is none of the
 * pool's. Every function accepts a null pool and then does nothing.
 */
#ifndef DOZE_EMIT_H
#define DOZE_EMIT_H

#if !defined DOZE_NO_TRACE && defined __has_include
#if !__has_include(<lttng/tracepoint-types.h>)
#define DOZE_NO_TRACE
#endif
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "../../lib/trace.h"

#define DOZE_EMIT_OUTSIDE (-1)

/* Internal: what the snapshots need of one worker. Only the worker writes it, except `published`,
 * which every poster adds to. Relaxed: the snapshot thread reads each field alone. */
struct doze_emit_worker {
	int state; /* an enum doze_state */
	uint32_t tid;
	uint64_t jobs_run, published;
} __attribute__((aligned(64))); /* a cache line, so that workers do not disturb each other */

/* Internal: a pool, and its ids. */
struct doze_emit_pool {
	struct doze_emit_pool *next;
	uint32_t id, workers;
	char name[16], policy[32];
	uint64_t wakes, decisions; /* the last ids given out */
	struct doze_emit_worker worker[];
};

/** Announces a pool. Any thread, before the pool's first worker starts. name: prefix of the
 * threads' names; policy: how the pool decides who sleeps and who is woken, in a word, such as
 * "broadcast"; both are copied. A policy with the name of one of libdoze's promises to keep its
 * rules, and `doze check` then checks them. workers: the number of workers.
 *
 * The first call in a process starts a thread that loads the tracepoint provider, and another one
 * that reports each worker's state twice a second while somebody records. Returns null if out of
 * memory. */
struct doze_emit_pool *doze_emit_pool_start(const char *name, const char *policy, uint32_t workers);

/** Announces the end of a pool, and frees it. No other function may use the pool at that time or
 * later. */
void doze_emit_pool_stop(struct doze_emit_pool *pool);

/** Announces a worker, which is active. On the worker's thread, as its first event. */
void doze_emit_worker_start(struct doze_emit_pool *pool, int32_t worker);

/** Announces the end of a worker. On the worker's thread, as its last event. */
void doze_emit_worker_stop(struct doze_emit_pool *pool, int32_t worker);

/* Internal: reports a transition, and the jobs that are left in the queues. */
static inline void doze_emit_transition(struct doze_emit_pool *pool, int32_t worker,
					enum doze_state to, enum doze_reason why, uint32_t left)
{
	struct doze_trace_state_info info;
	struct doze_emit_worker *w;

	if (!pool)
		return;
	w = &pool->worker[worker];
	info.from = (enum doze_state)w->state;
	__atomic_store_n(&w->state, (int)to, __ATOMIC_RELAXED);
	if (!doze_trace_worker_state_on())
		return;
	info.old_word = info.new_word = 0;
	info.left_in_deques = left;
	info.left_injected = false;
	info.to = to;
	info.reason = why;
	info.jobs_run = w->jobs_run;
	info.jobs_published = __atomic_load_n(&w->published, __ATOMIC_RELAXED);
	doze_trace_worker_state(pool->id, worker, &info);
}

/** Reports that the worker is in another state from now on, but not that it sleeps. On the worker's
 * thread. README.md has the states and the reasons. */
static inline void doze_emit_state(struct doze_emit_pool *pool, int32_t worker, enum doze_state to,
				   enum doze_reason why)
{
	doze_emit_transition(pool, worker, to, why, 0);
}

/** Reports that the worker sleeps from now on. On the worker's thread, under the lock with which a
 * waker finds it, so that this report precedes that of the wake. left: number of jobs in the queues
 * at this moment; more than 0 is a lost wakeup, unless somebody else takes them. */
static inline void doze_emit_sleep(struct doze_emit_pool *pool, int32_t worker,
				   enum doze_reason why, uint32_t left)
{
	doze_emit_transition(pool, worker, DOZE_STATE_sleeping, why, left);
}

/** What a poster knows of a post. Zeroed, it claims nothing. */
struct doze_emit_post {
	enum doze_queue
	    queue;      /* DOZE_QUEUE_injector: a queue of the pool; _local: the worker's own */
	uint32_t jobs;  /* number of jobs that it publishes */
	bool was_empty; /* the queue was empty before */
	bool counted;   /* `idle` and `sleeping` are set */
	int32_t idle, sleeping; /* what the poster saw: workers that search, workers that sleep and
				 * no wake is on its way to; -1: unknown */
	uint32_t wakes;         /* number of workers that it has decided to wake */
	uint64_t job;           /* id of the first job, as in doze_emit_job_start; 0: unknown */
	const void *caller;     /* address of the call that posts; null: that of this call */
};

/** Reports a post and the decision about it, after the jobs are in the queue and before the first
 * wake. Any thread. Returns the id of the decision for doze_emit_wake; 0 if it wakes nobody. */
uint64_t doze_emit_post(struct doze_emit_pool *pool, int32_t worker,
			const struct doze_emit_post *post);

/** Reports a wake, under the lock with which the sleeper waits, and before the notification. Any
 * thread. target: the worker to be woken, or DOZE_EMIT_OUTSIDE if a condition variable or semaphore
 * chooses it. decision: from doze_emit_post; 0: another reason. Returns the id of the wake, which
 * the woken worker needs for doze_emit_woken: leave it where that worker finds it under the lock.
 * The ids of a pool count from 1, even if nobody records. */
uint64_t doze_emit_wake(struct doze_emit_pool *pool, int32_t worker, int32_t target,
			uint64_t decision, enum doze_cause cause, enum doze_scope_kind scope);

/** Reports that the worker has been woken, on its thread, before doze_emit_state. wake: the id of
 * the wake; 0: nobody woke it. */
static inline void doze_emit_woken(struct doze_emit_pool *pool, int32_t worker, uint64_t wake)
{
	if (pool)
		doze_trace_woken(pool->id, worker, wake);
}

/** Reports a job that starts on the worker's thread. job: its id, unique among the pool's jobs, not
 * 0. source: the queue that it was in. */
static inline void doze_emit_job_start(struct doze_emit_pool *pool, int32_t worker, uint64_t job,
				       enum doze_source source)
{
	struct doze_trace_taken_info info;
	uint64_t *run;

	if (!pool)
		return;
	run = &pool->worker[worker].jobs_run;
	__atomic_store_n(run, *run + 1, __ATOMIC_RELAXED);
	if (doze_trace_job_start_on()) {
		doze_trace_job_start(pool->id, worker, job, source);
	} else if (doze_trace_job_taken_on()) {
		info.job = job;
		info.source = source;
		info.skipped = 0;
		doze_trace_job_taken(pool->id, worker, &info);
	}
}

/** Reports that the job has ended. It may have been freed. */
static inline void doze_emit_job_end(struct doze_emit_pool *pool, int32_t worker, uint64_t job)
{
	if (pool)
		doze_trace_job_end(pool->id, worker, job);
}

/** Reports that a job has been taken out of a queue of the pool and will not run. Any thread. job:
 * its id; 0: unknown. */
static inline void doze_emit_cancel(struct doze_emit_pool *pool, uint64_t job)
{
	struct doze_trace_taken_info info;

	if (!pool || !doze_trace_job_taken_on())
		return;
	info.job = job;
	info.source = DOZE_SOURCE_injected;
	info.skipped = 0;
	doze_trace_job_taken(pool->id, DOZE_EMIT_OUTSIDE, &info);
}

/** Reports a search of all queues that found nothing. */
static inline void doze_emit_search(struct doze_emit_pool *pool, int32_t worker, uint32_t rounds)
{
	if (pool)
		doze_trace_search(pool->id, worker, rounds);
}

/** Reports an attempt to steal from another worker's queue that was not empty. */
static inline void doze_emit_steal(struct doze_emit_pool *pool, int32_t worker, int32_t victim,
				   enum doze_steal result, uint64_t job)
{
	if (pool)
		doze_trace_steal(pool->id, worker, victim, result, job);
}

/** Names a moment. Any thread. text: at most 63 bytes. */
static inline void doze_emit_mark(struct doze_emit_pool *pool, int32_t worker, const char *text)
{
	if (pool)
		doze_trace_mark(pool->id, worker, text);
}

#ifdef __cplusplus
}
#endif

#endif
