/*
 * SPDX-License-Identifier: MIT
 *
 * taken.h - records posts and starts of jobs at level `states`, but only while a worker sleeps.
 *
 * These records show how long jobs waited although a worker slept. They cost nothing in a pool
 * whose workers are all awake. Each thread records at most DOZE_TAKEN_PER_SECOND posts and as many
 * starts per second. It counts those beyond the limit, and the next record carries the count.
 */
#ifndef DOZE_TAKEN_H
#define DOZE_TAKEN_H

#include "trace.h"

struct doze_pool;
struct doze_worker;

#define DOZE_TAKEN_PER_SECOND 20000

/** Counts the records of one kind that a thread made in the current second. Owner thread only. */
struct doze_taken_quota {
	int64_t second; /* of the monotonic clock */
	uint32_t used;
	uint32_t skipped; /* since the last record */
};

/** Owner only: returns true if the quota allows a record, with the number of skipped records to
 * report in *skipped. Otherwise counts the record as skipped. */
bool doze_taken_allowed(struct doze_taken_quota *quota, int64_t now_ns, uint32_t *skipped);

/** Owner only: emits job_taken for a starting job if a worker of the pool sleeps. */
void doze_taken_report(struct doze_worker *worker, uint64_t job, enum doze_source source);

/** Any thread: returns whether the quota allows a record of a post that woke no worker, and fills
 * post->skipped. */
bool doze_taken_post(struct doze_pool *pool, int32_t by, struct doze_trace_post_info *post);

/** Owner only, before it sleeps: fills in the number of jobs left in the deques and whether the
 * injector has any. The queues are read one after the other, so the figures are approximate. */
void doze_taken_queues_left(struct doze_worker *worker, struct doze_trace_state_info *info);

#endif
