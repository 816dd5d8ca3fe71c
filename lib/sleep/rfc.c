/*
 * SPDX-License-Identifier: MIT
 *
 * rfc.c - policy `rfc`: RFC 5 as first written, Appendix A included. It counts inactive and
 * sleeping workers but has no jobs event counter. Each worker has a lock, a condition variable and
 * a flag that only its owner writes, and waits once, without a loop. A post wakes one worker when
 * fewer workers are idle than the post has jobs.
 *
 * The RFC's text alone loses injected jobs (rfc.md). So this file adds a last check of the injector
 * and the broadcast queue after the increment of *sleeping*, and the two fences that the check
 * needs.
 */
#include "rfc.h"

/* 0 selects Appendix A's simplification, the latch without its state SLEEPY. It saves one
 * compare-and-swap, but the worker takes the lock before it has checked the latch. Used for
 * measurements (make bench-policies); README.md has the results. */
#ifndef DOZE_RFC_SLEEPY
#define DOZE_RFC_SLEEPY 1
#endif

/* 1 selects the RFC exactly as written: without the last check, so that injected jobs can be lost.
 * Used only by the test that shows this (tests/unit/lib/forced_test.c), never in the product. */
#ifndef DOZE_RFC_AS_WRITTEN
#define DOZE_RFC_AS_WRITTEN 0
#endif

#include "../deadlock.h"
#include "report.h"
#include "steps.h"

void doze_rfc_start_looking(struct doze_worker *worker, struct doze_idle *idle)
{
	/* seq_cst, like all steps on the word: the steps and the posts' loads have one total
	 * order. */
	doze_step_look(worker, idle, SC);
}

void doze_rfc_work_found(struct doze_worker *worker, struct doze_idle *idle,
			 enum doze_reason reason)
{
	(void)idle;
	(void)doze_step_found(worker, reason, SC);
}

/** Called by a worker that holds its own lock and counts as sleeping. Checks for jobs that might
 * otherwise never be taken. ADDED to the RFC. The fence orders this worker's increment of
 * *sleeping* before the reads of the queues; its partner is the fence in doze_rfc_look. */
static enum doze_abort rfc_last_look(struct doze_worker *worker)
{
	if (DOZE_RFC_AS_WRITTEN)
		return DOZE_ABORT_none;
	da_fence(SC);
	return doze_look_injected(worker);
}

/** Called with the worker's own lock held. Waits once, without a loop: the worker's search is the
 * loop. A spurious wake is treated like any other wake and is distinguished only for the trace. */
static void rfc_block(struct doze_worker *worker)
{
	struct doze_worker_sleep *s = &worker->sleep;

	s->is_blocked = true;
	s->wake_id = 0;
	(void)doze_deadlock_sleep(worker, &s->lock);
	if (s->wake_id == 0) /* otherwise, a waker has woken this worker while a handler ran */
		doze_cond_wait(&s->cond, &s->lock);
	s->is_blocked = false;

	if (s->wake_id == 0)
		/* spurious wake: no waker has counted this worker as active */
		doze_deadlock_wake(worker->pool, 1);
	doze_step_awake(worker, s->wake_id, SC);
}

/** Called with the worker's own lock held and its latch SLEEPING. Returns whether the worker
 * waited. */
static bool rfc_sleep_locked(struct doze_worker *worker)
{
	doze_step_lie_down(worker, SC);
	enum doze_abort by = rfc_last_look(worker);
	if (by != DOZE_ABORT_none)
		doze_step_take_back(worker, by, doze_reason_of_look(by), SC);
	else
		rfc_block(worker);
	return by == DOZE_ABORT_none;
}

static void rfc_sleep(struct doze_worker *worker, struct doze_core_latch *latch)
{
	/* If this fails, the latch was set before the worker slept: the near miss of Appendix A. */
	if (DOZE_RFC_SLEEPY && !doze_core_latch_get_sleepy(latch)) {
		doze_step_averted(worker, DOZE_ABORT_latch);
		return;
	}
	bool waited = false;
	doze_mutex_lock(&worker->sleep.lock);
	if (DOZE_RFC_SLEEPY ? doze_core_latch_fall_asleep(latch)
			    : doze_core_latch_fall_asleep_at_once(latch)) {
		waited = rfc_sleep_locked(worker);
		doze_core_latch_wake_up(latch);
	} else {
		doze_step_averted(worker, DOZE_ABORT_latch);
	}
	doze_mutex_unlock(&worker->sleep.lock);
	if (waited)
		doze_deadlock_acquire(worker);
}

void doze_rfc_no_work_found(struct doze_worker *worker, struct doze_idle *idle,
			    struct doze_core_latch *latch)
{
	if (!doze_step_yield(worker, idle))
		rfc_sleep(worker, latch);
}

/** Any thread. Notifies a worker whose flag is set, even if it is already waking up. */
static bool rfc_wake_specific(struct doze_pool *pool, int32_t by, int32_t target,
			      struct doze_decision *decision)
{
	struct doze_worker_sleep *s = &pool->workers[target].sleep;

	doze_mutex_lock(&s->lock);
	bool sleeps = s->is_blocked;
	if (sleeps) {
		uint64_t word = doze_pool_word(pool);
		uint64_t wake_id = doze_wake_report(pool, by, target, decision, word, word);
		if (s->wake_id == 0) { /* only the first wake ends this sleep */
			s->wake_id = wake_id;
			doze_deadlock_wake(pool, 1);
		}
		doze_cond_signal(&s->cond);
	}
	doze_mutex_unlock(&s->lock);
	return sleeps;
}

void doze_rfc_latch_set(struct doze_pool *pool, int32_t by, int32_t owner,
			enum doze_latch_state from, enum doze_cause cause)
{
	/* If the latch was UNSET or SLEEPY, its owner is not asleep, and the owner's next CAS will
	 * fail. */
	if (from != DOZE_LATCH_sleeping)
		return;
	struct doze_decision decision = {.cause = cause, .scope = DOZE_SCOPE_one};
	/* Taking the owner's lock delays this thread until the owner waits or is awake again. */
	rfc_wake_specific(pool, by, owner, &decision);
}

void doze_rfc_broadcast(struct doze_pool *pool, int32_t by)
{
	struct doze_decision decision = {.cause = DOZE_CAUSE_broadcast, .scope = DOZE_SCOPE_all};
	/* Either the worker holds its lock and will check its queue, or its flag is visible
	 * here. */
	for (uint32_t i = 0; i < pool->num_workers; i++)
		rfc_wake_specific(pool, by, (int32_t)i, &decision);
}

void doze_rfc_resume(struct doze_pool *pool, int32_t by, int32_t owner)
{
	struct doze_decision decision = {.cause = DOZE_CAUSE_latch, .scope = DOZE_SCOPE_one};
	/* As in doze_rfc_broadcast: either the worker will make its last check, or its flag is
	 * visible here. */
	rfc_wake_specific(pool, by, owner, &decision);
}

uint64_t doze_rfc_look(struct doze_pool *pool, enum doze_queue queue)
{
	/* ADDED to the RFC, for injected jobs: orders the push before the load of the counts.
	 * Pushes to the worker's own deque need no fence: the pusher is awake and returns to that
	 * deque. */
	if (queue == DOZE_QUEUE_injector)
		da_fence(SC);
	return da_load(&pool->sleep.word, SC);
}

void doze_rfc_wake(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs,
		   uint64_t word, uint32_t wakes)
{
	struct doze_trace_post_info post = doze_post_seen(
	    jobs, word, (int32_t)doze_counters_idle(word), (int32_t)doze_counters_sleeping(word));
	post.wakes = wakes;
	struct doze_decision decision = doze_post_decided(pool, by, &post, DOZE_SCOPE_one);
	doze_rfc_wake_any(pool, by, wakes, &decision);
}

void doze_rfc_wake_any(struct doze_pool *pool, int32_t by, uint32_t n,
		       struct doze_decision *decision)
{
	for (uint32_t i = 0; i < pool->num_workers && n > 0; i++) {
		if (rfc_wake_specific(pool, by, (int32_t)i, decision))
			n--;
	}
}

void doze_rfc_new_jobs(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs)
{
	uint64_t word = doze_rfc_look(pool, jobs->queue);
	bool enough = doze_counters_idle(word) >= jobs->n;
	uint32_t wakes = !enough && doze_counters_sleeping(word) > 0 ? 1 : 0;
	doze_rfc_wake(pool, by, jobs, word, wakes);
}

const struct doze_sleep_policy doze_policy_rfc = {
    .name = "rfc",
    .summary =
	"RFC 5 as first written: only counts, no jobs event counter; a post wakes one worker",
    DOZE_RFC_HOOKS,
    .new_jobs = doze_rfc_new_jobs,
};
