/*
 * SPDX-License-Identifier: MIT
 *
 * taken.c - see taken.h. Nothing here runs unless a trace is being recorded.
 */
#include "taken.h"

#include "os.h"
#include "pool.h"
#include "queues.h"

/* The quota of an outside thread, which has no struct doze_worker to store it in. */
static DOZE_THREAD_LOCAL struct doze_taken_quota outside;

bool doze_taken_allowed(struct doze_taken_quota *quota, int64_t now_ns, uint32_t *skipped)
{
	int64_t second = now_ns / INT64_C(1000000000);

	if (second != quota->second) {
		quota->second = second;
		quota->used = 0;
	}
	if (quota->used == DOZE_TAKEN_PER_SECOND) {
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

void doze_taken_report(struct doze_worker *worker, uint64_t job, enum doze_source source)
{
	struct doze_trace_taken_info info = {.job = job, .source = source};

	/* At level jobs, job_start records every start. */
	if (source == DOZE_SOURCE_inline || doze_trace_job_start_on() ||
	    !anybody_sleeps(worker->pool))
		return;
	if (doze_taken_allowed(&worker->starts_quota, doze_os_now_ns(), &info.skipped))
		doze_trace_job_taken(worker->pool->id, worker->index, &info);
}

bool doze_taken_post(struct doze_pool *pool, int32_t by, struct doze_trace_post_info *post)
{
	struct doze_taken_quota *quota = by >= 0 ? &pool->workers[by].posts_quota : &outside;

	return doze_taken_allowed(quota, doze_os_now_ns(), &post->skipped);
}

static uint64_t left_in_deques(struct doze_pool *pool, bool *injected)
{
	int64_t left = 0;

	for (uint32_t i = 0; i < pool->num_workers; i++)
		left += doze_deque_length(&pool->workers[i].deque);
	*injected = !doze_injector_empty_hint(&pool->injector);
	return (uint64_t)left;
}

void doze_taken_queues_left(struct doze_worker *worker, struct doze_trace_state_info *info)
{
	uint64_t left = worker->queues != NULL ? worker->queues->left(worker, &info->left_injected)
					       : left_in_deques(worker->pool, &info->left_injected);

	info->left_in_deques = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
}
