/*
 * SPDX-License-Identifier: MIT
 *
 * go.c - policy `go`: the rule of Go's scheduler, as its source describes it (runtime/proc.go,
 * "Worker thread parking/unparking"; named by RFC 5 under related work). An idle worker is what Go
 * calls spinning.
 *
 *   - A post wakes one worker, and only when nobody spins.
 *   - The last spinner that finds work wakes one more: where there was a job there may be others.
 *   - Whoever stops spinning to sleep leaves the count of spinners first and then looks at all
 *     queues once more, so no post can rely on a spinner that has already looked.
 *
 * Because of the last rule a post to a worker's own deque is never missed either: push, fence, read
 * of the count on one side; step on the count, fence, read of the deques on the other. `jec` and
 * `rfc` leave that fence out and may miss such a post.
 *
 * The waker takes the sleeper out of the count (wake.h), so a worker that was notified counts as
 * spinning at once and the next post wakes nobody: that is what limits the herd.
 */
#include "../deadlock.h"
#include "../pool.h"
#include "../queues.h"
#include "../trace.h"
#include "../worker.h"
#include "wake.h"

static void go_start_looking(struct doze_worker *worker, struct doze_idle *idle)
{
	idle->rounds = 0;
	idle->jec = DOZE_JEC_DUMMY;
	/* seq_cst: all steps on the word are in one order with the fences. */
	uint64_t old = da_add(&worker->pool->sleep.word, DOZE_ONE_INACTIVE, SC);
	doze_worker_transition(worker, DOZE_STATE_idle, DOZE_REASON_no_work, old,
			       old + DOZE_ONE_INACTIVE);
}

static void go_work_found(struct doze_worker *worker, struct doze_idle *idle,
			  enum doze_reason reason)
{
	struct doze_pool *pool = worker->pool;
	(void)idle;
	/* seq_cst: as above. */
	uint64_t old = da_sub(&pool->sleep.word, DOZE_ONE_INACTIVE, SC);
	doze_worker_transition(worker, DOZE_STATE_active, reason, old, old - DOZE_ONE_INACTIVE);

	/* Also when it saw its latch: posts may have relied on this spinner. */
	if (doze_counters_idle(old) == 1 && doze_counters_sleeping(old) > 0) {
		struct doze_decision decision = {0, DOZE_CAUSE_work_found, DOZE_SCOPE_one};
		(void)doze_wake_any(pool, worker->index, 1, &decision);
	}
}

/** Not counted as spinning any more: all queues once again. */
static enum doze_abort go_look_again(struct doze_worker *worker)
{
	struct doze_pool *pool = worker->pool;

	/* Our step on the count before the reads of the queues; partner: the fence in go_new_jobs.
	 */
	da_fence(SC);
	if (doze_injector_has_jobs(&worker->broadcast))
		return DOZE_ABORT_broadcast;
	if (doze_queue_has_injected(pool, worker->index))
		return DOZE_ABORT_injector;
	for (uint32_t i = 0; i < pool->num_workers; i++)
		if (!doze_queue_empty(&pool->workers[i]))
			return DOZE_ABORT_recheck;
	return DOZE_ABORT_none;
}

/** Holding the own lock: spins again, since there is work. */
static void go_take_back(struct doze_worker *worker, enum doze_abort by)
{
	struct doze_pool *pool = worker->pool;
	uint64_t old = da_sub(&pool->sleep.word, DOZE_ONE_SLEEPING, SC); /* seq_cst: as above */
	uint64_t now = old - DOZE_ONE_SLEEPING;

	doze_trace_sleep_abort(pool->id, worker->index, by, old, now);
	doze_worker_transition(worker, DOZE_STATE_idle, DOZE_REASON_recheck, now, now);
}

/** Holding the own lock: waits for a waker, which takes this worker out of the count. */
static void go_block(struct doze_worker *worker)
{
	struct doze_worker_sleep *s = &worker->sleep;

	s->is_blocked = true;
	s->wake_id = 0;
	doze_deadlock_sleep(worker);
	doze_deadlock_release(worker);
	while (s->is_blocked)
		doze_cond_wait(&s->cond, &s->lock);
}

/** Holding the own lock, latch SLEEPING. Returns the id of the wake, 0 when it did not wait. */
static uint64_t go_sleep_locked(struct doze_worker *worker)
{
	uint64_t old = da_add(&worker->pool->sleep.word, DOZE_ONE_SLEEPING, SC); /* as above */
	doze_worker_transition(worker, DOZE_STATE_sleeping, DOZE_REASON_rounds, old,
			       old + DOZE_ONE_SLEEPING);
	enum doze_abort by = go_look_again(worker);
	if (by != DOZE_ABORT_none) {
		go_take_back(worker, by);
		return 0;
	}
	go_block(worker);
	return worker->sleep.wake_id;
}

static void go_averted_by_latch(struct doze_worker *worker)
{
	uint64_t word = doze_pool_word(worker->pool);
	doze_trace_sleep_abort(worker->pool->id, worker->index, DOZE_ABORT_latch, word, word);
}

static void go_sleep(struct doze_worker *worker, struct doze_core_latch *latch)
{
	struct doze_pool *pool = worker->pool;
	uint64_t wake_id = 0;

	if (!doze_core_latch_get_sleepy(latch)) {
		go_averted_by_latch(worker);
		return;
	}
	doze_mutex_lock(&worker->sleep.lock);
	if (doze_core_latch_fall_asleep(latch)) {
		wake_id = go_sleep_locked(worker);
		doze_core_latch_wake_up(latch);
	} else {
		go_averted_by_latch(worker);
	}
	doze_mutex_unlock(&worker->sleep.lock);
	if (wake_id == 0)
		return;
	doze_deadlock_acquire(worker);
	uint64_t word = doze_pool_word(pool);
	doze_trace_woken(pool->id, worker->index, wake_id);
	doze_worker_transition(worker, DOZE_STATE_idle, DOZE_REASON_woken, word, word);
}

static void go_no_work_found(struct doze_worker *worker, struct doze_idle *idle,
			     struct doze_core_latch *latch)
{
	if (idle->rounds < worker->pool->sleep.rounds_until_sleeping) {
		idle->rounds++;
		doze_thread_yield();
	} else {
		go_sleep(worker, latch);
		idle->rounds = 0;
	}
}

static void go_new_jobs(struct doze_pool *pool, int32_t by, uint32_t n, bool was_empty,
			enum doze_queue queue)
{
	struct doze_decision decision = {
	    0, queue == DOZE_QUEUE_local ? DOZE_CAUSE_push : DOZE_CAUSE_inject, DOZE_SCOPE_one};

	/* The push, to whatever queue, before the read of the count; partner: go_look_again. */
	da_fence(SC);
	uint64_t word = da_load(&pool->sleep.word, SC); /* seq_cst: as above */
	uint32_t idle = doze_counters_idle(word);
	uint32_t sleeping = doze_counters_sleeping(word);
	uint32_t wakes = idle == 0 && sleeping > 0 ? 1 : 0;
	struct doze_trace_post_info info = {
	    .queue = queue,
	    .jobs = n,
	    .was_empty = was_empty,
	    .old_word = word,
	    .new_word = word,
	    .idle = (int32_t)idle,
	    .sleeping = (int32_t)sleeping,
	    .wakes = wakes,
	    .decision_id = wakes != 0 ? doze_decision_id(pool, &decision) : 0,
	};
	doze_post_report(pool, by, &info);
	if (wakes != 0)
		(void)doze_wake_any(pool, by, wakes, &decision);
}

const struct doze_sleep_policy doze_policy_go = {
    .name = "go",
    .summary = "Go's rule: wakes one when nobody spins; the last spinner wakes the next",
    .word_kind = DOZE_WORD_counters,
    .rounds_until_sleepy = 32,
    .rounds_until_sleeping = 33,
    .start_looking = go_start_looking,
    .no_work_found = go_no_work_found,
    .work_found = go_work_found,
    .new_jobs = go_new_jobs,
    .latch_set = doze_wake_latch_owner,
    .broadcast = doze_wake_all_for_broadcast,
};
