/*
 * SPDX-License-Identifier: MIT
 *
 * report.h - reports the decisions of all policies: posts, and the wakes that they cause. Each wake
 * has a number, which the awakened worker reports. Each decision has a number too, to distinguish
 * its wakes from those of other decisions.
 */
#ifndef DOZE_REPORT_H
#define DOZE_REPORT_H

#include "../trace.h"
#include "sleep.h"

/** One decision to wake, passed to each wake that it causes. */
struct doze_decision {
	uint64_t id; /* 0 until the pool's counter has assigned one */
	enum doze_cause cause;
	enum doze_scope_kind scope;
};

/** Returns a post with the arguments of new_jobs and the numbers of idle and sleeping workers that
 * the policy read (-1 for a number that it does not read). The policy then fills in its step on the
 * word and its wakes. */
static inline struct doze_trace_post_info
doze_post_seen(const struct doze_publish *jobs, uint64_t word, int32_t idle, int32_t sleeping)
{
	return (struct doze_trace_post_info){
	    .queue = jobs->queue,
	    .jobs = jobs->n,
	    .was_empty = jobs->was_empty,
	    .job = jobs->id,
	    .caller = jobs->caller,
	    .old_word = word,
	    .new_word = word,
	    .idle = idle,
	    .sleeping = sleeping,
	};
}
/** Returns whether to record a post that neither changed the word, nor saw sleepers, nor wakes a
 * worker. Level `all` records every such post, level `jobs` only posts to queues that all workers
 * take jobs from. */
static inline bool doze_post_wanted(enum doze_queue queue)
{
	return doze_trace_every_job() || (queue != DOZE_QUEUE_local && doze_trace_job_start_on());
}
/** Slow path of doze_post_decided: numbers the decision if it wakes a worker, and emits `post`. */
void doze_post_report(struct doze_pool *pool, int32_t by, struct doze_trace_post_info *post,
		      struct doze_decision *decision);
/** Any thread, in new_jobs, once post->wakes is filled in. Emits `post` if the level of detail
 * includes it (always when the post changed the word, saw sleepers or wakes workers), and returns
 * the decision to pass to those wakes. Hot: most posts of a busy pool report nothing. */
static inline struct doze_decision doze_post_decided(struct doze_pool *pool, int32_t by,
						     struct doze_trace_post_info *post,
						     enum doze_scope_kind scope)
{
	struct doze_decision decision = {
	    .cause = post->queue == DOZE_QUEUE_local ? DOZE_CAUSE_push : DOZE_CAUSE_inject,
	    .scope = scope,
	};
	bool toggled = post->old_word != post->new_word;

	if (doze_unlikely(toggled || post->sleeping > 0 || post->wakes > 0 ||
			  doze_post_wanted(post->queue)))
		doze_post_report(pool, by, post, &decision);
	return decision;
}

/** Any thread, holding the lock that the sleeper waits with, if the protocol has one. Emits `wake`
 * and returns its number. Target -1 means that a condition variable chooses the worker. The two
 * words differ if the waker subtracts the sleeper from the count. */
uint64_t doze_wake_report(struct doze_pool *pool, int32_t by, int32_t target,
			  struct doze_decision *decision, uint64_t old_word, uint64_t new_word);

#endif
