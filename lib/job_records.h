/*
 * SPDX-License-Identifier: MIT
 *
 * job_records.h - decides which posts and starts of jobs are recorded below level `all`.
 *
 * Level `states` records them only while a worker sleeps. These records show how long jobs waited
 * although a worker slept. In a pool whose workers are all awake, they cost a join one test: a
 * worker whose starts count has `starts_on` set to doze_trace_starts_wanted's flag (worker.h). That
 * is done by its own posts while a worker sleeps, and by a worker that falls asleep and leaves jobs
 * in its deque. Each thread records at most DOZE_RECORDS_PER_SECOND posts and as many starts per
 * second. It counts the others, and the next record carries the count.
 *
 * Level `jobs` also records, without limit, each job
 *
 *   - that a worker other than its poster runs; its id identifies the poster (doze_worker_id_base);
 *   - that was taken from the injector or a broadcast queue, or stolen back by its poster from a
 *     thief that had moved it (steal.c);
 *   - that its poster runs although the poster has woken a worker for it and noted its id.
 *
 * In fine-grained fork-join work such jobs are few. All others are only counted (jobs_run), so that
 * a join whose second half is not stolen costs the same as without a trace.
 */
#ifndef DOZE_JOB_RECORDS_H
#define DOZE_JOB_RECORDS_H

#include "trace.h"

struct doze_pool;
struct doze_worker;

#define DOZE_RECORDS_PER_SECOND 20000

/** The number of trace records of one kind that a thread has made in the current second; limits
 * their rate. Owner thread only. */
struct doze_records_quota {
	int64_t second; /* current second of the monotonic clock */
	uint32_t used;
	uint32_t skipped; /* number of records skipped since the last one that was allowed */
};

/** Owner only. Returns true if the quota allows a record, with the number of skipped records to
 * report in *skipped. Otherwise counts the record as skipped. */
bool doze_records_allowed(struct doze_records_quota *quota, int64_t now_ns, uint32_t *skipped);

/** Jobs whose start and end a worker records although it posted them itself. Owner only. A worker
 * with DOZE_NOTED such jobs running, nested in each other, records no more. */
#define DOZE_NOTED 16
struct doze_noted {
	uint32_t count;
	/* Whether a worker may sleep. Set by each post that calls the sleep policy; cleared by a
	 * start that finds nothing for the policy to do. */
	bool sleepers;
	struct {
		uint64_t id; /* 0: this note is unused */
		int64_t at;  /* the job's index in the deque, or DOZE_NOTED_NOWHERE if unknown */
		bool running;
	} job[DOZE_NOTED];
};
#define DOZE_NOTED_NOWHERE INT64_MIN

/** Owner only, right after pushing jobs to its own queue and deciding to wake workers for them.
 * Notes one job per wake. */
void doze_records_note(struct doze_worker *worker, const struct doze_trace_post_info *post);
/** Owner only, after a post has called the sleep policy: a worker may sleep from now on. */
void doze_records_sleepers(struct doze_worker *worker);
/** Owner only, when it finds no work. Drops the notes of jobs that other workers took. */
void doze_records_forget(struct doze_worker *worker);

/** Owner only, called by doze_job_begin and doze_job_end while a trace is recorded. Each emits what
 * the level requires: job_start; or job_taken, if a worker of the pool sleeps; or nothing. job_end
 * follows each job_start. */
void doze_records_start(struct doze_worker *worker, uint64_t job, enum doze_source source);
void doze_records_end(struct doze_worker *worker, uint64_t job);

/** Any thread. Returns whether the quota allows a record of a post that woke no worker, and fills
 * in post->skipped. */
bool doze_records_post(struct doze_pool *pool, int32_t by, struct doze_trace_post_info *post);

/** Owner only, before it sleeps and after it has counted itself in the pool's word. Fills in the
 * number of jobs left in the deques and whether the injector has a job, and makes the owners of
 * those deques record the starts. The queues are read one after the other, so the figures are
 * approximate. */
void doze_records_queues_left(struct doze_worker *worker, struct doze_trace_state_info *info);

#endif
