/*
 * SPDX-License-Identifier: MIT
 *
 * taken.h - what level `states` records of jobs: their posts and starts, only while a worker
 * sleeps.
 *
 * These records show how long jobs waited although a worker slept. A pool whose workers are all
 * awake pays nothing for them. A thread records at most DOZE_TAKEN_PER_SECOND of each kind in a
 * second and counts the others; the next record carries the count.
 */
#ifndef DOZE_TAKEN_H
#define DOZE_TAKEN_H

#include "trace.h"

struct doze_pool;
struct doze_worker;

#define DOZE_TAKEN_PER_SECOND 20000

/** How many records one thread has made in the current second. Owner thread only. */
struct doze_taken_quota {
	int64_t second; /* of the monotonic clock */
	uint32_t used;
	uint32_t skipped; /* since the last record */
};

/** Owner only: true when the quota allows a record, and then *skipped is the count to report with
 * it. Otherwise counts the record as skipped. */
bool doze_taken_allowed(struct doze_taken_quota *quota, int64_t now_ns, uint32_t *skipped);

/** Owner only: emits job_taken for a job that starts, if a worker of the pool sleeps. */
void doze_taken_report(struct doze_worker *worker, uint64_t job, enum doze_source source);

/** Any thread: whether a record of a post that woke nobody is allowed; fills post->skipped. */
bool doze_taken_post(struct doze_pool *pool, int32_t by, struct doze_trace_post_info *post);

/** Owner only, about to sleep: fills in what it leaves in the queues. A picture of about one
 * moment. */
void doze_taken_queues_left(struct doze_worker *worker, struct doze_trace_state_info *info);

#endif
