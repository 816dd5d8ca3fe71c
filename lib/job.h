/*
 * SPDX-License-Identifier: MIT
 *
 * job.h - the unit of work in the queues.
 *
 * A job is intrusive: its header is embedded in its owner (a frame of doze_join, a spawn on the
 * heap, a future), so queueing never allocates. The header describes only how to run the job; `run`
 * frees the memory that belongs to it.
 *
 * Key invariant: the thread that takes a job out of a queue runs it exactly once and does not touch
 * it afterwards, because `run` may have freed it or released the frame that contains it.
 */
#ifndef DOZE_JOB_H
#define DOZE_JOB_H

#include <stddef.h>

#include "atomic.h"
#include "trace_enums.h"

struct doze_future;
struct doze_job;
struct doze_worker;

/** Runs the job on `worker`, which took it from `source`. Emits job_start and job_end itself
 * (doze_job_begin, doze_job_end), because a queue entry is not always the job that runs: a FIFO's
 * token represents another job, and a future claimed by its getter is a tombstone that runs
 * nothing. */
typedef void (*doze_job_run)(struct doze_job *job, struct doze_worker *worker,
			     enum doze_source source);

struct doze_job {
	/* Written by the publisher before it publishes; constant afterwards. */
	doze_job_run run;
	uint64_t id;        /* id for the trace; unique in the pool */
	const void *caller; /* address of the user's call, for the trace; null: unknown */
	/* The future whose task cannot end before this job has ended, or null. Only threads that
	 * run jobs of this task dereference the pointer; all others only compare it. See
	 * suspend/README.md. */
	struct doze_future *root;
	/* Link of the intrusive queues (injector, broadcast, FIFO). A queue owns the link while it
	 * holds the job; before that the publisher may use the link to form a batch. */
	DOZE_ATOMIC(struct doze_job *) next;
};

/** Jobs that are published together, with one push and one post. Linked by `next`, from `first` to
 * `last`, whose link is null. Owned by the publisher until it publishes the batch. */
struct doze_batch {
	struct doze_job *first, *last;
	uint32_t count; /* number of jobs; at least 1 when published, at most DOZE_BATCH_MAX */
	/* id of the first job, for the trace; differs from first->id if the entries are tokens */
	uint64_t id;
	const void *caller; /* address of the user's call, for the trace */
};

/** Maximum length of a batch, so that policies can add to a number of jobs without overflow. */
#define DOZE_BATCH_MAX ((uint32_t)INT32_MAX)

/** Publisher only. Adds a job after the last one. */
static inline void doze_batch_add(struct doze_batch *batch, struct doze_job *job)
{
	/* Relaxed: no other thread can reach these jobs yet. */
	da_store(&job->next, NULL, RLX);
	if (batch->count++ == 0) {
		batch->first = job;
		batch->id = job->id;
		batch->caller = job->caller;
	} else {
		da_store(&batch->last->next, job, RLX);
	}
	batch->last = job;
}

/** The return address of the public function that uses this macro; identifies the user's call. */
#define DOZE_CALLER __builtin_return_address(0)

#endif
