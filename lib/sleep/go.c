/*
 * SPDX-License-Identifier: MIT
 *
 * go.c - policy `go`: the rule of Go's scheduler, as its source describes it (runtime/proc.go,
 * "Worker thread parking/unparking"; cited by RFC 5 under related work). An idle worker here is a
 * spinning one in Go's terms.
 *
 *   - A post wakes one worker, and only when no worker is spinning.
 *   - The last spinner that finds work wakes one more worker, because there may be more jobs.
 *   - Before it sleeps, a spinner first decrements the count of spinners and then checks all
 *     queues once more, so no post relies on a spinner that has made its last check.
 *
 * Because of the last rule, even a post to a worker's own deque is never missed: one side pushes,
 * fences and reads the count; the other changes the count, fences and reads the deques. `jec` and
 * `rfc` omit the fence after such a push and may miss the post.
 *
 * The waker decrements the count of sleepers on the sleeper's behalf (wake.h), so a notified worker
 * counts as spinning at once and the next post wakes no worker. This limits the number of wakes.
 */
#include "../deadlock.h"
#include "report.h"
#include "steps.h"
#include "targets.h"
#include "wake.h"

static void go_start_looking(struct doze_worker *worker, struct doze_idle *idle)
{
	/* seq_cst: all steps on the word and the fences have one total order. */
	doze_step_look(worker, idle, SC);
}

static void go_work_found(struct doze_worker *worker, struct doze_idle *idle,
			  enum doze_reason reason)
{
	(void)idle;
	uint64_t old = doze_step_found(worker, reason, SC); /* seq_cst: as in go_start_looking */

	/* Wake even if the worker stops because its latch is set: posts may have relied on this
	 * spinner. */
	if (doze_counters_idle(old) == 1 && doze_counters_sleeping(old) > 0) {
		struct doze_decision decision = {0, DOZE_CAUSE_work_found, DOZE_SCOPE_one};
		(void)doze_wake_any(worker->pool, worker->index, 1, &decision);
	}
}

/** Called with the worker's own lock held and its latch SLEEPING. Returns the id of the wake, or 0
 * if the worker did not wait. */
static uint64_t go_sleep_locked(struct doze_worker *worker)
{
	/* seq_cst: as in go_start_looking. From now on the worker does not count as spinning. */
	doze_step_lie_down(worker, SC);
	/* Orders that step before the reads of the queues. The partner is the fence in
	 * go_new_jobs. */
	da_fence(SC);
	enum doze_abort by = doze_look_everywhere(worker);
	if (by != DOZE_ABORT_none) {
		/* The worker counts as spinning again. */
		doze_step_take_back(worker, by, DOZE_REASON_recheck, SC);
		return 0;
	}
	return doze_wake_await(worker);
}

static void go_sleep(struct doze_worker *worker, struct doze_core_latch *latch)
{
	struct doze_pool *pool = worker->pool;
	uint64_t wake_id = 0;

	if (!doze_core_latch_get_sleepy(latch)) {
		doze_step_averted(worker, DOZE_ABORT_latch);
		return;
	}
	doze_mutex_lock(&worker->sleep.lock);
	if (doze_core_latch_fall_asleep(latch)) {
		wake_id = go_sleep_locked(worker);
		doze_core_latch_wake_up(latch);
	} else {
		doze_step_averted(worker, DOZE_ABORT_latch);
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
	if (!doze_step_yield(worker, idle))
		go_sleep(worker, latch);
}

static void go_new_jobs(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs)
{
	/* Orders the push, to any queue, before the read of the count. The partner is the fence in
	 * go_sleep_locked. */
	da_fence(SC);
	uint64_t word = da_load(&pool->sleep.word, SC); /* seq_cst: as in go_start_looking */
	uint32_t idle = doze_counters_idle(word);
	uint32_t sleeping = doze_counters_sleeping(word);
	struct doze_trace_post_info post =
	    doze_post_seen(jobs, word, (int32_t)idle, (int32_t)sleeping);
	post.wakes = idle == 0 && sleeping > 0 ? 1 : 0;
	struct doze_decision decision = doze_post_decided(pool, by, &post, DOZE_SCOPE_one);
	if (post.wakes != 0)
		(void)doze_wake_any(pool, by, post.wakes, &decision);
}

const struct doze_sleep_policy doze_policy_go = {
    .name = "go",
    .summary = "Go's rule: wakes one worker when none spins; the last spinner wakes the next",
    .word_kind = DOZE_WORD_counters,
    .rounds_until_sleepy = 32,
    .rounds_until_sleeping = 33,
    .start_looking = go_start_looking,
    .no_work_found = go_no_work_found,
    .work_found = go_work_found,
    .new_jobs = go_new_jobs,
    .latch_set = doze_wake_latch_owner,
    .broadcast = doze_wake_all_for_broadcast,
    .resume = doze_wake_for_resume,
};
