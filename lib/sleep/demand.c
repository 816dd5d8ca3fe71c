/*
 * SPDX-License-Identifier: MIT
 *
 * demand.c - policy `demand`: falls asleep like `jec`, but wakes a worker only for a job that waits
 * and that no searching worker will take. demand.md has the rules, the races and the figures.
 *
 *   - A worker that stops searching checks the queues and wakes others only for the jobs that it
 *     sees there. `jec` always wakes two.
 *   - Idle workers share the search: the more of them search, the sooner each of them sleeps.
 *   - The search for sleepers to wake starts at the waker's neighbour. `jec` starts at worker 0.
 */
#include "../config.h"
#include "event_counter.h"
#include "idle_step.h"
#include "report.h"
#include "steps.h"
#include "targets.h"
#include "wake.h"

enum {
	/* Maximum number of workers that a worker wakes when it stops searching, so that wakes
	 * spread like a tree. */
	MOST_WAKES = 2,
	SHORTEST_SHARE = 8, /* a worker searches for at least 1/8 of the configured rounds */
};

/* Returns the worker after the waker, or worker 0 if the waker is not a worker. */
static uint32_t neighbour(const struct doze_pool *pool, int32_t by)
{
	uint32_t next = (uint32_t)(by + 1);
	return next < pool->num_workers ? next : 0;
}

/* Wakes up to n sleepers, starting with the neighbour. */
static void wake_around(struct doze_pool *pool, int32_t by, uint32_t n,
			struct doze_decision *decision)
{
	uint32_t at = neighbour(pool, by);

	for (uint32_t i = 0; i < pool->num_workers && n > 0; i++) {
		if (doze_wake_specific(pool, by, (int32_t)at, decision))
			n--;
		at = at + 1 < pool->num_workers ? at + 1 : 0;
	}
}

static void demand_start_looking(struct doze_worker *worker, struct doze_idle *idle)
{
	/* seq_cst: all steps on the word and the fences have one total order. */
	doze_step_look(worker, idle, SC);
}

/* Returns the number of jobs in the queues, but at most `enough`. Jobs in the injector count as
 * one: the worker that takes the first of them checks again. */
static uint32_t waiting_jobs(struct doze_worker *worker, uint32_t enough)
{
	struct doze_pool *pool = worker->pool;
	uint64_t seen = doze_queue_has_injected(pool, worker->index) ? 1 : 0;

	for (uint32_t i = 0; seen < enough && i < pool->num_workers; i++)
		seen += (uint64_t)doze_deque_length(&pool->workers[i].deque);
	return seen < enough ? (uint32_t)seen : enough;
}

static void demand_work_found(struct doze_worker *worker, struct doze_idle *idle,
			      enum doze_reason reason)
{
	(void)idle;
	/* seq_cst: as in demand_start_looking */
	uint64_t old = doze_step_found(worker, reason, SC);
	uint32_t sleepers = doze_counters_sleeping(old);
	if (sleepers == 0)
		return;

	/* Orders the decrement of the idle count before this worker's reads of the queues. The
	 * partner is the fence between a push and the load of the word (doze_jec_post). If a post
	 * with that fence relied on this worker, the worker sees the posted job here unless another
	 * worker has taken it. */
	da_fence(SC);
	uint32_t searching = doze_counters_idle(old) - 1; /* each searcher will take a job */
	uint32_t most = sleepers < MOST_WAKES ? sleepers : MOST_WAKES;
	uint32_t jobs = waiting_jobs(worker, searching + most);
	if (jobs <= searching)
		return;
	struct doze_decision decision = {0, DOZE_CAUSE_work_found, DOZE_SCOPE_one};
	wake_around(worker->pool, worker->index, jobs - searching, &decision);
}

/* Returns the number of rounds that a worker searches before it gets sleepy: its share of the
 * configured number, so that a pool with many idle workers spends about as much CPU time on
 * searching as with one. */
static uint32_t share_of_rounds(const struct doze_pool *pool)
{
	uint32_t rounds = pool->sleep.rounds_until_sleepy;
	/* Relaxed: the length of the search affects only speed. */
	uint32_t idle = doze_counters_idle(da_load(&pool->sleep.word, RLX));
	uint32_t parts = idle < SHORTEST_SHARE ? idle : SHORTEST_SHARE;
	return rounds / (parts == 0 ? 1 : parts);
}

static void demand_no_work_found(struct doze_worker *worker, struct doze_idle *idle,
				 struct doze_core_latch *latch)
{
	uint32_t until_sleepy = worker->pool->sleep.rounds_until_sleepy;

	if (idle->rounds < until_sleepy && idle->rounds >= share_of_rounds(worker->pool))
		idle->rounds = until_sleepy;
	doze_idle_step(worker, idle, latch);
}

/* Returns whether a post needs a fence between its push and its load of the word. It does if it may
 * rely on an idle worker, even after a push to the poster's own deque; the partner is the fence in
 * demand_work_found. Relaxed: if this misses a worker that is just falling asleep, that worker may
 * not notice the job, which is permitted because the poster returns to its deque (demand.md). */
static bool needs_fence(const struct doze_pool *pool, enum doze_queue queue)
{
	return queue != DOZE_QUEUE_local ||
	       doze_counters_sleeping(da_load(&pool->sleep.word, RLX)) != 0;
}

static void demand_new_jobs(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs)
{
	struct doze_jec_step step =
	    doze_jec_post(&pool->sleep.word, needs_fence(pool, jobs->queue));
	uint64_t word = step.new_word;
	struct doze_trace_post_info post = doze_post_seen(
	    jobs, word, (int32_t)doze_counters_idle(word), (int32_t)doze_counters_sleeping(word));
	post.old_word = step.old_word;
	post.wakes = doze_targets_for(jobs->n, jobs->was_empty, word);
	struct doze_decision decision = doze_post_decided(pool, by, &post, DOZE_SCOPE_one);
	if (post.wakes != 0)
		wake_around(pool, by, post.wakes, &decision);
}

const struct doze_sleep_policy doze_policy_demand = {
    .name = "demand",
    .summary = "jec, but wakes only for waiting jobs that no searching worker will take",
    .word_kind = DOZE_WORD_counters,
    /* As under jec: the JEC is already odd, and no worker sleeps. */
    .quiet_mask = DOZE_MASK_BITS(DOZE_BITS_SLEEPING) | DOZE_ONE_JEC,
    .quiet_value = DOZE_ONE_JEC,
    .rounds_until_sleepy = DOZE_ROUNDS_UNTIL_SLEEPY_DEFAULT,
    .rounds_until_sleeping = DOZE_ROUNDS_UNTIL_SLEEPING_DEFAULT,
    .start_looking = demand_start_looking,
    .no_work_found = demand_no_work_found,
    .work_found = demand_work_found,
    .new_jobs = demand_new_jobs,
    .latch_set = doze_wake_latch_owner,
    .broadcast = doze_wake_all_for_broadcast,
    .resume = doze_wake_for_resume,
};
