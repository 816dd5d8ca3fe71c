/*
 * SPDX-License-Identifier: MIT
 *
 * report.c - see report.h.
 */
#include "report.h"

#include "../job_records.h"
#include "../pool.h"

static uint64_t decision_id(struct doze_pool *pool, struct doze_decision *decision)
{
	/* Relaxed: an id that only the trace uses needs no ordering. */
	if (decision->id == 0)
		decision->id = da_add(&pool->sleep.decision_ids, 1, RLX) + 1;
	return decision->id;
}

void doze_post_report(struct doze_pool *pool, int32_t by, struct doze_trace_post_info *post,
		      struct doze_decision *decision)
{
	bool stepped = post->old_word != post->new_word;

	if (post->wakes != 0)
		post->decision_id = decision_id(pool, decision);
	if (!doze_trace_post_on())
		return;
	/* A post that neither changed the JEC nor woke a worker is recorded only to show how long
	 * its jobs wait. */
	if (post->wakes == 0 && !stepped && !doze_post_wanted(post->queue) &&
	    !doze_records_post(pool, by, post))
		return;
	if (post->wakes != 0 && by >= 0 && post->queue == DOZE_QUEUE_local &&
	    doze_trace_job_start_on() && !doze_trace_every_job())
		doze_records_note(&pool->workers[by], post);
	doze_trace_post(pool->id, by, post);
}

uint64_t doze_wake_report(struct doze_pool *pool, int32_t by, int32_t target,
			  struct doze_decision *decision, uint64_t old_word, uint64_t new_word)
{
	const struct doze_trace_wake_info info = {
	    .target = target,
	    /* relaxed: an id that only the trace uses needs no ordering */
	    .wake_id = da_add(&pool->sleep.wake_ids, 1, RLX) + 1,
	    .decision_id = decision_id(pool, decision),
	    .cause = decision->cause,
	    .scope = decision->scope,
	    .old_word = old_word,
	    .new_word = new_word,
	};
	doze_trace_wake(pool->id, by, &info);
	return info.wake_id;
}
