/*
 * SPDX-License-Identifier: MIT
 *
 * job.h - the unit of work that queues carry.
 *
 * A job is intrusive: its header sits inside whatever owns it (a frame of doze_join, a spawn on the
 * heap, a future), so queueing never allocates. The header says how to run it; what memory belongs
 * to it and who frees it is the business of `run`.
 *
 * Key invariant: whoever took a job out of a queue runs it exactly once and does not touch it
 * afterwards: `run` may have freed it, or may have released the frame that it lives in.
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
 * (doze_job_begin, doze_job_end): a token of a FIFO stands for another job, and a future that was
 * claimed by its getter is a tombstone that runs nothing. */
typedef void (*doze_job_run)(struct doze_job *job, struct doze_worker *worker,
			     enum doze_source source);

struct doze_job {
	/* Written by the publisher before it publishes; constant afterwards. */
	doze_job_run run;
	uint64_t id;        /* for the trace; unique in the pool */
	const void *caller; /* for the trace: where the user's program published it, or null */
	/* The future whose task cannot end before this job has; null: none. Only a name: compared,
	 * and followed by nobody but its own task's threads. See suspend/README.md. */
	struct doze_future *root;
	/* Link of the intrusive queues (injector, broadcast, FIFO); theirs while the job is in one.
	 * Before: the publisher's, to link a batch. */
	DOZE_ATOMIC(struct doze_job *) next;
};

/** Jobs that are published together: one push, one post. Linked by `next`, from `first` to `last`,
 * whose link is null. The publisher's own until it is published. */
struct doze_batch {
	struct doze_job *first, *last;
	uint32_t count;     /* at least 1 when published, at most DOZE_BATCH_MAX */
	uint64_t id;        /* of the first job, for the trace; entries may stand for other jobs */
	const void *caller; /* likewise */
};

/** So that policies may add to a number of jobs without an overflow. */
#define DOZE_BATCH_MAX ((uint32_t)INT32_MAX)

/** The publisher: adds a job behind the last one. */
static inline void doze_batch_add(struct doze_batch *batch, struct doze_job *job)
{
	/* Relaxed: nobody else knows these jobs yet. */
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

/** In a public function: the address in the user's program that called it. */
#define DOZE_CALLER __builtin_return_address(0)

#endif
