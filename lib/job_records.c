/*
 * SPDX-License-Identifier: MIT
 *
 * job_records.c - see job_records.h. Nothing here runs unless a trace is being recorded.
 */
#include "job_records.h"

#include "os.h"
#include "pool.h"
#include "queues.h"

/* The quota of a thread that is not a worker and has no struct doze_worker to store it in. */
static DOZE_THREAD_LOCAL struct doze_records_quota outside;

bool doze_records_allowed(struct doze_records_quota *quota, int64_t now_ns, uint32_t *skipped)
{
	int64_t second = now_ns / INT64_C(1000000000);

	if (second != quota->second) {
		quota->second = second;
		quota->used = 0;
	}
	if (quota->used == DOZE_RECORDS_PER_SECOND) {
		quota->skipped++;
		return false;
	}
	quota->used++;
	*skipped = quota->skipped;
	quota->skipped = 0;
	return true;
}

static bool anybody_sleeps(struct doze_pool *pool)
{
	uint64_t word = doze_pool_word(pool);

	/* The lowest bit of tickle's word is set while any worker sleeps. */
	return pool->sleep.policy->word_kind == DOZE_WORD_tickle
		   ? (word & 1) != 0
		   : doze_counters_sleeping(word) != 0;
}

static void report_taken(struct doze_worker *worker, uint64_t job, enum doze_source source)
{
	struct doze_trace_taken_info info = {.job = job, .source = source};

	if (source == DOZE_SOURCE_inline || !anybody_sleeps(worker->pool))
		return;
	if (doze_records_allowed(&worker->starts_quota, doze_os_now_ns(), &info.skipped))
		doze_trace_job_taken(worker->pool->id, worker->index, &info);
}

/* Returns the index of the note of the job, or DOZE_NOTED if there is none. With id 0, returns the
 * index of an unused note. */
static uint32_t find(const struct doze_noted *noted, uint64_t id)
{
	uint32_t i = 0;

	while (i < DOZE_NOTED && noted->job[i].id != id)
		i++;
	return i;
}

static void drop(struct doze_noted *noted, uint32_t i)
{
	noted->job[i].id = 0;
	noted->count--;
}

/* Owner only, when `count` or `sleepers` has changed. A change to 0 may be seen late. */
static void watch(struct doze_worker *worker)
{
	bool attend = worker->noted.count != 0 || worker->noted.sleepers;

	/* The explorer records every job and need not visit the states of this field. seq_cst: see
	 * look_for_sleepers. */
	if (!doze_trace_every_job())
		da_store(&worker->starts_on,
			 attend ? doze_trace_starts_state() : doze_trace_every_job_state(), SC);
}

void doze_records_sleepers(struct doze_worker *worker)
{
	worker->noted.sleepers = true;
	watch(worker);
}

/* A worker that falls asleep counts itself in the word, and then sets starts_on of each worker in
 * whose deque it leaves jobs. Either that store follows the one of watch, or the second look sees
 * the new word. */
static void look_for_sleepers(struct doze_worker *worker)
{
	worker->noted.sleepers = !doze_fast_is_quiet(worker);
	watch(worker);
	if (!worker->noted.sleepers && !doze_fast_is_quiet(worker))
		doze_records_sleepers(worker);
}

/* Drops the notes of jobs that thieves have taken. (The note of a job that the worker runs itself
 * is dropped when the job ends.) The bottom of the deque would be misleading: the owner takes the
 * newest token of a FIFO but runs the oldest job (worker.h), so the newest job still waits. */
static void drop_taken(struct doze_worker *worker)
{
	struct doze_noted *noted = &worker->noted;
	/* Relaxed: a superfluous note costs time, not correctness. */
	int64_t top = da_load(&worker->deque.top, RLX);

	for (uint32_t i = 0; i < DOZE_NOTED; i++) {
		int64_t at = noted->job[i].at;
		if (noted->job[i].id != 0 && !noted->job[i].running && at != DOZE_NOTED_NOWHERE &&
		    at < top)
			drop(noted, i);
	}
}

/* Notes the job, and returns the index of the note. If there is no room, returns DOZE_NOTED; the
 * job is then only counted if its poster runs it. */
static uint32_t note(struct doze_noted *noted, uint64_t id, int64_t at)
{
	uint32_t i = find(noted, 0);

	if (i < DOZE_NOTED) {
		noted->job[i].id = id;
		noted->job[i].at = at;
		noted->job[i].running = false;
		noted->count++;
	}
	return i;
}

void doze_records_note(struct doze_worker *worker, const struct doze_trace_post_info *post)
{
	/* The deque index of the first of the jobs, if the worker uses the default queues. Relaxed:
	 * only the owner writes bottom. */
	int64_t first = da_load(&worker->deque.bottom, RLX) - post->jobs;

	drop_taken(worker);
	for (uint32_t i = 0; i < post->wakes && i < post->jobs && i < DOZE_NOTED; i++)
		(void)note(&worker->noted, post->job + i,
			   worker->queues == NULL ? first + i : DOZE_NOTED_NOWHERE);
	watch(worker);
}

void doze_records_forget(struct doze_worker *worker)
{
	for (uint32_t i = 0; i < DOZE_NOTED && worker->noted.count != 0; i++)
		if (worker->noted.job[i].id != 0 && !worker->noted.job[i].running)
			drop(&worker->noted, i);
}

static bool is_posted_by(const struct doze_worker *worker, uint64_t job)
{
	uint64_t base = doze_worker_id_base(worker);

	return job > base && job - base < DOZE_ID_HALF;
}

/* Returns whether level `jobs` records the job. If so, marks its note, if any, as running. */
static bool is_recorded(struct doze_worker *worker, uint64_t job, enum doze_source source)
{
	struct doze_noted *noted = &worker->noted;

	if (!is_posted_by(worker, job))
		return true;
	uint32_t i = noted->count != 0 ? find(noted, job) : DOZE_NOTED;
	if (i == DOZE_NOTED && (source == DOZE_SOURCE_injected || source == DOZE_SOURCE_broadcast ||
				source == DOZE_SOURCE_stolen))
		i = note(noted, job, DOZE_NOTED_NOWHERE);
	if (i < DOZE_NOTED)
		noted->job[i].running = true;
	if (noted->count != 0)
		drop_taken(worker);
	return i < DOZE_NOTED;
}

void doze_records_start(struct doze_worker *worker, uint64_t job, enum doze_source source)
{
	doze_worker_heed(worker);
	if (doze_trace_job_start_on() &&
	    (doze_trace_every_job() || is_recorded(worker, job, source)))
		doze_trace_job_start(worker->pool->id, worker->index, job, source);
	else if (doze_trace_delays_wanted())
		report_taken(worker, job, source);
	if (!doze_trace_every_job())
		look_for_sleepers(worker);
}

void doze_records_end(struct doze_worker *worker, uint64_t job)
{
	struct doze_noted *noted = &worker->noted;

	if (!doze_trace_every_job() && is_posted_by(worker, job)) {
		uint32_t i = noted->count != 0 ? find(noted, job) : DOZE_NOTED;
		if (i == DOZE_NOTED || !noted->job[i].running)
			return;
		drop(noted, i);
	}
	doze_trace_job_end(worker->pool->id, worker->index, job);
}

bool doze_records_post(struct doze_pool *pool, int32_t by, struct doze_trace_post_info *post)
{
	struct doze_records_quota *quota = by >= 0 ? &pool->workers[by].posts_quota : &outside;

	return doze_records_allowed(quota, doze_os_now_ns(), &post->skipped);
}

static uint64_t left_in_deques(struct doze_pool *pool, bool *injected)
{
	int64_t left = 0;

	for (uint32_t i = 0; i < pool->num_workers; i++) {
		int64_t length = doze_deque_length(&pool->workers[i].deque);

		left += length;
		if (length > 0)
			da_store(&pool->workers[i].starts_on, doze_trace_starts_state(), SC);
	}
	*injected = !doze_injector_empty_hint(&pool->injector);
	return (uint64_t)left;
}

void doze_records_queues_left(struct doze_worker *worker, struct doze_trace_state_info *info)
{
	uint64_t left = worker->queues != NULL ? worker->queues->left(worker, &info->left_injected)
					       : left_in_deques(worker->pool, &info->left_injected);

	info->left_in_deques = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
}
