/*
 * SPDX-License-Identifier: MIT
 *
 * Lab 10 replaces this file (labs/10-contest): keep other code out of it.
 *
 * jec.c - policy `jec`: packed counters with a jobs event counter, as in Rayon's current sleep
 * module. README.md describes states, protocol, races and proof. This file has the steps of posts
 * and of workers that begin or end a search, idle_step.c has the steps of a worker without work,
 * and targets.c decides how many workers a post wakes.
 */
#include "../config.h"
#include "event_counter.h"
#include "idle_step.h"
#include "report.h"
#include "steps.h"
#include "targets.h"
#include "wake.h"

static void jec_start_looking(struct doze_worker *worker, struct doze_idle *idle)
{
	/* seq_cst: all steps on the word and the fences have one total order. */
	doze_step_look(worker, idle, SC);
}

static void jec_work_found(struct doze_worker *worker, struct doze_idle *idle,
			   enum doze_reason reason)
{
	(void)idle;
	uint64_t old = doze_step_found(worker, reason, SC); /* seq_cst: as in jec_start_looking */

	/* There is one searcher fewer now, and one job may be a sign of more. Wake at most two
	 * workers, so that wakes spread like a tree and do not come all at once. */
	uint32_t sleepers = doze_counters_sleeping(old);
	if (sleepers != 0) {
		struct doze_decision decision = {0, DOZE_CAUSE_work_found, DOZE_SCOPE_one};
		(void)doze_wake_any(worker->pool, worker->index, sleepers < 2 ? sleepers : 2,
				    &decision);
	}
}

static void jec_new_jobs(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs)
{
	/* A push to the worker's own deque needs no fence: its owner returns to it. */
	struct doze_jec_step step =
	    doze_jec_post(&pool->sleep.word, jobs->queue != DOZE_QUEUE_local);
	uint64_t word = step.new_word;
	struct doze_trace_post_info post = doze_post_seen(
	    jobs, word, (int32_t)doze_counters_idle(word), (int32_t)doze_counters_sleeping(word));
	post.old_word = step.old_word;
	post.wakes = doze_targets_for(jobs->n, jobs->was_empty, word);
	struct doze_decision decision = doze_post_decided(pool, by, &post, DOZE_SCOPE_one);
	if (post.wakes != 0)
		(void)doze_wake_any(pool, by, post.wakes, &decision);
}

static void jec_moved(struct doze_pool *pool, int32_t by)
{
	/* A worker that got sleepy may have searched this deque before the jobs were moved here,
	 * and the other one after that. As for a push to the own deque, no fence is needed. A
	 * worker that sleeps already is woken by jec_work_found. */
	struct doze_jec_step step = doze_jec_post(&pool->sleep.word, false);
	if (step.old_word != step.new_word)
		doze_trace_jec(pool->id, by, DOZE_JEC_CAUSE_post, step.old_word, step.new_word);
}

const struct doze_sleep_policy doze_policy_jec = {
    .name = "jec",
    .summary = "counters and a jobs event counter, as in Rayon today (default)",
    .word_kind = DOZE_WORD_counters,
    /* The JEC is already odd, and no worker sleeps. */
    .quiet_mask = DOZE_MASK_BITS(DOZE_BITS_SLEEPING) | DOZE_ONE_JEC,
    .quiet_value = DOZE_ONE_JEC,
    .rounds_until_sleepy = DOZE_ROUNDS_UNTIL_SLEEPY_DEFAULT,
    .rounds_until_sleeping = DOZE_ROUNDS_UNTIL_SLEEPING_DEFAULT,
    .start_looking = jec_start_looking,
    .no_work_found = doze_idle_step,
    .work_found = jec_work_found,
    .new_jobs = jec_new_jobs,
    .moved = jec_moved,
    .latch_set = doze_wake_latch_owner,
    .broadcast = doze_wake_all_for_broadcast,
    .resume = doze_wake_for_resume,
};
