/*
 * SPDX-License-Identifier: MIT
 *
 * fast.h - publishing and running one job, inlined into doze_join, and checking whether a post is
 * needed. A join whose second half is not stolen should cost little more than the deque operations.
 * So the common case of each step is inlined here; each rare case calls a function in worker.c that
 * does the whole step. Both versions execute the same atomic operations.
 */
#ifndef DOZE_FAST_H
#define DOZE_FAST_H

#include "pool.h"
#include "queues.h"

/** Forces inlining even into a function with two calls, which -O2 alone would not do. */
#define DOZE_FAST __attribute__((always_inline)) static inline

/** Owner only, after pushing jobs to its deque. Returns whether the policy would neither write
 * pool.sleep.word nor wake a worker; if so, its hook new_jobs need not be called (sleep.h). */
DOZE_FAST bool doze_fast_is_quiet(struct doze_worker *worker)
{
	struct doze_pool *pool = worker->pool;
	/* seq_cst, like the policies' own first load of the word, which this load replaces. */
	uint64_t word = da_load(&pool->sleep.word, SC);

	return doze_likely((word & pool->sleep.quiet_mask) == worker->quiet_value);
}

/** Does the same as doze_worker_push, for a worker whose deque has room. The deque of a worker with
 * other queues never has room. */
DOZE_FAST void doze_fast_push(struct doze_worker *worker, struct doze_job *job)
{
	uint64_t id = job->id;
	const void *caller = job->caller;
	da_edge_out(job);
	doze_deque_push_in_room(&worker->deque, job); /* a thief may already have the job */

	doze_bump(&worker->jobs_published, 1);
	if (doze_unlikely(!doze_fast_is_quiet(worker)))
		doze_worker_posted(worker, id, caller, doze_deque_length(&worker->deque) <= 1);
}

/** Takes the newest entry of the worker's own deque, or returns null. Ignores the worker's other
 * queues. */
DOZE_FAST struct doze_job *doze_fast_pop(struct doze_worker *worker)
{
	/* A worker with other queues has an empty deque. */
	return doze_likely(doze_deque_has_private(&worker->deque))
		   ? doze_deque_pop_private(&worker->deque)
		   : doze_worker_pop(worker);
}

/** Owner only, for a job that the worker posted and has taken back. Returns whether doze_job_begin
 * and doze_job_end would only count the job, because its start and end would not be recorded at any
 * level. In that case no worker sleeps, and none was woken for this job (taken.h). */
DOZE_FAST bool doze_fast_only_counts(struct doze_worker *worker)
{
	if (doze_likely(!doze_trace_starts_wanted()))
		return true;
	/* A word that is not quiet may mean that a worker sleeps. Relaxed: this decides only what
	 * is recorded. */
	return !doze_trace_every_job() && worker->noted.count == 0 &&
	       (da_load(&worker->pool->sleep.word, RLX) & worker->pool->sleep.quiet_mask) ==
		   worker->quiet_value;
}

#endif
