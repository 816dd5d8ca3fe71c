/*
 * SPDX-License-Identifier: MIT
 *
 * join.h - the fast path of join, inlined into callers that know their worker. It needs no
 * allocation and no lock, and waits only if the second half was stolen.
 *
 * A join whose second half is not stolen should cost little more than the deque operations. So the
 * common case of publishing, taking back and running one job is inlined here; each rare case calls
 * a function in worker.c that does the whole step. Both execute the same atomic operations.
 */
#ifndef DOZE_JOIN_H
#define DOZE_JOIN_H

#include "doze.h"
#include "guard.h"
#include "pool.h"
#include "queues.h"
#include "worker.h"

/** Forces inlining even into a function with two calls, which -O2 alone would not do. */
#define DOZE_FAST __attribute__((always_inline)) static inline

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
 * level. In that case no worker sleeps, and none was woken for this job (job_records.h). */
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

/** The half that is offered to thieves; stored in the joiner's frame. */
struct doze_join_job {
	struct doze_job job;
	doze_fn fn;
	void *arg;
	struct doze_core_latch done;
};

/** The doze_job_run of the offered half. Called by a thief, or by the owner if it takes the half as
 * an ordinary job. */
void doze_join_run(struct doze_job *job, struct doze_worker *worker, enum doze_source source);
/** Owner only, if the offered half was stolen or is not the newest entry. Runs jobs until the half
 * is done. */
void doze_join_wait(struct doze_worker *worker, struct doze_join_job *b, struct doze_job *taken,
		    enum doze_source source);

/** Worker only, before it publishes the job. `caller` is the address of the user's call. */
DOZE_FAST void doze_join_prepare(struct doze_worker *worker, struct doze_join_job *offered,
				 doze_fn b, void *arg_b, const void *caller)
{
	offered->job.run = doze_join_run;
	offered->job.id = doze_worker_next_job(worker);
	offered->job.caller = caller;
	offered->job.root = worker->hold.root;
	offered->fn = b;
	offered->arg = arg_b;
	doze_core_latch_set_up(&offered->done, DOZE_LATCH_KIND_spin, worker, offered->job.id);
}

/** Owner only. Runs the half that it has taken back, and traces its start and end. */
void doze_join_run_here(struct doze_worker *worker, struct doze_join_job *b);

/** Called by the worker that offered the half; a worker that offered several starts with the
 * newest. Runs b(arg_b), or waits until a thief has run it. */
DOZE_FAST void doze_join_take_back(struct doze_worker *worker, struct doze_join_job *offered,
				   doze_fn b, void *arg_b)
{
	enum doze_source source;

	/* Check before popping: if b was stolen and is done, the remaining entries of the deque do
	 * not belong to this join. Acquire: orders b's effects before the return. */
	if (doze_core_latch_probe(&offered->done, ACQ))
		return;
	struct doze_job *taken = doze_fast_pop(worker);
	if (doze_likely(taken == &offered->job)) {
		if (doze_unlikely(!doze_fast_only_counts(worker))) {
			doze_join_run_here(worker, offered);
			return;
		}
		doze_bump(&worker->jobs_run, 1);
		DOZE_GUARDED(b(arg_b));
		return;
	}
	source = DOZE_SOURCE_local;
	if (taken == NULL)
		taken = doze_worker_take_turn(worker, &source);
	doze_join_wait(worker, offered, taken, source);
}

#endif
