/*
 * SPDX-License-Identifier: MIT
 *
 * tickle.c - policy `tickle`: Rayon's legacy sleep (rayon-core up to 1.7). One word of state, one
 * sleepy worker at a time, one mutex, one condition variable; every event wakes all workers.
 *
 *   word   bit 0        a worker sleeps, or holds the lock and is about to sleep
 *          bits 1..     index + 1 of the sleepy worker, 0 = none
 *
 *   0 none   1 sleepers   2 worker 0 is sleepy   3 sleepers, and worker 0 is sleepy
 *   4 worker 1 is sleepy, and so on
 *
 * Memory orders, and why (tickle.md draws the two scenarios):
 *   - tickle's first load is seq_cst, so it sees any worker that got sleepy before it in the total
 *     order (scenario 1);
 *   - latches are set and probed with seq_cst (latch_probe_sc): if a latch is set before a tickle
 *     that saw no worker, a worker that gets sleepy later sees the latch in its probe (scenario 2);
 *   - jobs are published with plain release stores, so injected jobs get a fence on both sides here
 *     (marked ADDED). Pushes to a worker's own deque get none and may be missed, as in Rayon.
 */
#include "../deadlock.h"
#include "report.h"
#include "steps.h"

#include <errno.h>
#include <stdlib.h>

#define TICKLE_ASLEEP UINT64_C(1)

/* 1 makes a tickle store instead of swap, as in one of the two source texts; it then loses
 * sleepers. Used only by the test that shows this (tests/unit/lib/forced_test.c), never in the
 * product. */
#ifndef DOZE_TICKLE_STORES
#define DOZE_TICKLE_STORES 0
#endif

/* Does nothing in the product. forced_test.c defines it as a function that stops a thread between a
 * tickle's load and its swap. */
#ifdef DOZE_TICKLE_POINT
void DOZE_TICKLE_POINT(void);
#else
#define DOZE_TICKLE_POINT() ((void)0)
#endif

/** What sleep.data of a pool with policy `tickle` points to. */
struct tickle {
	doze_mutex lock;
	doze_cond cond;
	/* Protected by lock: worker.sleep.is_blocked and .wake_id of all workers, and the set of
	 * sleepers. */
};

static struct tickle *tickle_of(struct doze_pool *pool)
{
	return pool->sleep.data;
}

static uint64_t tickle_mine(const struct doze_worker *worker)
{
	return ((uint64_t)worker->index + 1) << 1;
}

static int tickle_init(struct doze_pool *pool)
{
	struct tickle *t = malloc(sizeof *t);
	if (t == NULL)
		return ENOMEM;
	doze_mutex_init(&t->lock);
	doze_cond_init(&t->cond);
	pool->sleep.data = t;
	if (pool->deadlock != NULL) /* as in rustc-rayon, detection uses the sleep lock */
		pool->deadlock->lock = &t->lock;
	return 0;
}

static void tickle_fini(struct doze_pool *pool)
{
	struct tickle *t = tickle_of(pool);
	doze_cond_destroy(&t->cond);
	doze_mutex_destroy(&t->lock);
	free(t);
}

/** Called with the lock held. Records a wake for every registered sleeper, all with the same
 * decision. */
static void tickle_wake_registered(struct doze_pool *pool, int32_t by,
				   struct doze_decision *decision)
{
	for (uint32_t i = 0; i < pool->num_workers; i++) {
		struct doze_worker_sleep *s = &pool->workers[i].sleep;
		if (!s->is_blocked)
			continue;
		uint64_t word = doze_pool_word(pool);
		s->wake_id = doze_wake_report(pool, by, (int32_t)i, decision, word, word);
		s->is_blocked = false;
	}
}

/** Slow path of a tickle, called when the word showed a sleepy or sleeping worker. */
static void tickle_cold(struct doze_pool *pool, int32_t by, struct doze_decision *decision)
{
	struct tickle *t = tickle_of(pool);
#if DOZE_TICKLE_STORES
	uint64_t old = da_load(&pool->sleep.word, SC);
	DOZE_TICKLE_POINT();
	da_store(&pool->sleep.word, 0, REL);
#else
	DOZE_TICKLE_POINT();
	/* A swap, not a store: a store could overwrite a sleeper's CAS from sleepy to asleep, and
	 * no tickle would then notify that sleeper (forced_test.c). Release: a thread that reads
	 * the 0 also sees the event that caused the tickle. */
	uint64_t old = da_swap(&pool->sleep.word, 0, REL);
#endif

	if (old != 0)
		doze_trace_jec(pool->id, by, DOZE_JEC_CAUSE_tickle, old, 0);
	if ((old & TICKLE_ASLEEP) == 0)
		return;
	/* A sleeper holds the lock from its CAS until it waits, so it cannot miss this
	 * notification. */
	doze_mutex_lock(&t->lock);
	if (pool->deadlock != NULL)
		doze_deadlock_wake_all_locked(pool);
	tickle_wake_registered(pool, by, decision);
	doze_cond_broadcast(&t->cond);
	doze_mutex_unlock(&t->lock);
}

/** Any thread, after an event that a sleeper may wait for. Hot: usually one load. */
static void tickle_decided(struct doze_pool *pool, int32_t by, struct doze_decision *decision)
{
	/* seq_cst: for scenarios 1 and 2 (see the file's header). */
	if (doze_unlikely(da_load(&pool->sleep.word, SC) != 0))
		tickle_cold(pool, by, decision);
}

/** Any thread, after an event that publishes no jobs but that a sleeper may wait for. */
static void tickle(struct doze_pool *pool, int32_t by, enum doze_cause cause)
{
	struct doze_decision decision = {0, cause, DOZE_SCOPE_all};

	tickle_decided(pool, by, &decision);
}

static void tickle_start_looking(struct doze_worker *worker, struct doze_idle *idle)
{
	uint64_t word = doze_pool_word(worker->pool);
	idle->rounds = 0;
	idle->jec = DOZE_JEC_DUMMY;
	doze_worker_transition(worker, DOZE_STATE_idle, DOZE_REASON_no_work, word, word);
}

static void tickle_work_found(struct doze_worker *worker, struct doze_idle *idle,
			      enum doze_reason reason)
{
	struct doze_pool *pool = worker->pool;
	uint64_t word = doze_pool_word(pool);

	doze_worker_transition(worker, DOZE_STATE_active, reason, word, word);
	/* If this was the sleepy worker, free its slot; that also wakes all sleepers. */
	if (idle->rounds > pool->sleep.rounds_until_sleepy)
		tickle(pool, worker->index, DOZE_CAUSE_work_found);
}

/** Tries to become the sleepy worker. */
static bool tickle_get_sleepy(struct doze_worker *worker)
{
	DOZE_ATOMIC(uint64_t) *word = &worker->pool->sleep.word;
	uint64_t now = da_load(word, ACQ); /* acquire: pairs with the release of a tickle's swap */

	if (now > TICKLE_ASLEEP)
		return false; /* another worker is sleepy */
	/* seq_cst: for scenario 1 (see the file's header). */
	if (!da_cas(word, &now, now | tickle_mine(worker), SC, RLX))
		return false;
	/* ADDED: orders the CAS before the reads of the queues in the searches that follow; the
	 * partner is the fence in tickle_new_jobs. In Rayon the queues themselves were
	 * seq_cst.
	 */
	da_fence(SC);
	doze_worker_transition(worker, DOZE_STATE_sleepy, DOZE_REASON_rounds, now,
			       now | tickle_mine(worker));
	return true;
}

static void tickle_was_tickled(struct doze_worker *worker, struct doze_idle *idle, bool averted)
{
	uint64_t word = doze_pool_word(worker->pool);

	if (averted)
		doze_step_averted(worker, DOZE_ABORT_tickled);
	idle->rounds = 0;
	doze_worker_transition(worker, DOZE_STATE_idle, DOZE_REASON_tickled, word, word);
}

/** Called with the lock held, after the word has been set to show a sleeper. Waits once, without a
 * loop. Returns the id of the wake, or 0 if there was none. */
static uint64_t tickle_wait(struct doze_worker *worker)
{
	struct doze_pool *pool = worker->pool;
	struct tickle *t = tickle_of(pool);
	struct doze_worker_sleep *s = &worker->sleep;

	s->is_blocked = true;
	s->wake_id = 0;
	(void)doze_deadlock_sleep(worker, &t->lock);
	if (s->is_blocked) /* otherwise, a tickle has woken this worker while a handler ran */
		doze_cond_wait(&t->cond, &t->lock);
	if (s->is_blocked) {
		s->is_blocked = false;
		/* spurious wake: no waker has counted this worker as active */
		doze_deadlock_self_wake_locked(worker);
	}
	return s->wake_id;
}

static void tickle_awake(struct doze_worker *worker, uint64_t wake_id)
{
	uint64_t word = doze_pool_word(worker->pool);

	doze_deadlock_acquire(worker);
	doze_trace_woken(worker->pool->id, worker->index, wake_id);
	doze_worker_transition(worker, DOZE_STATE_idle,
			       wake_id ? DOZE_REASON_woken : DOZE_REASON_self_wake, word, word);
}

static void tickle_sleep(struct doze_worker *worker, struct doze_idle *idle)
{
	struct doze_pool *pool = worker->pool;
	struct tickle *t = tickle_of(pool);

	for (;;) {
		/* Acquire: if a tickle has freed the slot, orders the event that caused it before
		 * this worker's next search. */
		uint64_t now = da_load(&pool->sleep.word, ACQ);
		if ((now & ~TICKLE_ASLEEP) != tickle_mine(worker)) {
			tickle_was_tickled(worker, idle, true);
			return;
		}
		doze_mutex_lock(&t->lock);
		/* seq_cst: for scenario 1 (see the file's header). Fails if there was a tickle in
		 * between; the loop then checks again. */
		if (da_cas(&pool->sleep.word, &now, TICKLE_ASLEEP, SC, RLX)) {
			doze_worker_transition(worker, DOZE_STATE_sleeping, DOZE_REASON_rounds, now,
					       TICKLE_ASLEEP);
			uint64_t wake_id = tickle_wait(worker);
			doze_mutex_unlock(&t->lock);
			tickle_awake(worker, wake_id);
			idle->rounds = 0;
			return;
		}
		doze_mutex_unlock(&t->lock);
	}
}

static bool tickle_still_sleepy(struct doze_worker *worker)
{
	/* seq_cst, as in Rayon; a relaxed load would merely notice a tickle later. */
	uint64_t now = da_load(&worker->pool->sleep.word, SC);
	return (now & ~TICKLE_ASLEEP) == tickle_mine(worker);
}

static void tickle_no_work_found(struct doze_worker *worker, struct doze_idle *idle,
				 struct doze_core_latch *latch)
{
	const struct doze_sleep *sleep = &worker->pool->sleep;
	(void)latch; /* no sleeper records its latch: every event wakes all of them */

	if (idle->rounds >= sleep->rounds_until_sleeping) {
		tickle_sleep(worker, idle);
		return;
	}
	doze_thread_yield();
	if (idle->rounds == sleep->rounds_until_sleepy) {
		if (tickle_get_sleepy(worker))
			idle->rounds++; /* otherwise, repeat this round until the slot is free */
	} else if (idle->rounds < sleep->rounds_until_sleepy || tickle_still_sleepy(worker)) {
		idle->rounds++;
	} else {
		tickle_was_tickled(worker, idle, false);
	}
}

static void tickle_new_jobs(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs)
{
	/* ADDED for injected jobs: orders the push before tickle's load. The partner is the fence
	 * in tickle_get_sleepy. */
	if (jobs->queue != DOZE_QUEUE_local)
		da_fence(SC);
	uint64_t word = doze_pool_word(pool);
	bool asleep = (word & TICKLE_ASLEEP) != 0;
	struct doze_trace_post_info post =
	    doze_post_seen(jobs, word, -1, asleep ? 1 : 0); /* the word has no counts */
	post.wakes = asleep ? pool->num_workers : 0;        /* a tickle wakes all workers */
	struct doze_decision decision = doze_post_decided(pool, by, &post, DOZE_SCOPE_all);
	tickle_decided(pool, by, &decision);
}

static void tickle_latch_set(struct doze_pool *pool, int32_t by, int32_t owner,
			     enum doze_latch_state from, enum doze_cause cause)
{
	(void)owner;
	(void)from;
	/* Tickle even if the setter is a worker of this pool, although job_done tickles after each
	 * job from a queue: a helping worker runs a task inside another job, and that job may be
	 * waiting for the sleeper (tickle.md, "A latch set inside a job"). */
	tickle(pool, by, cause);
}

static void tickle_job_done(struct doze_worker *worker)
{
	/* Rayon tickles after each job, because setting a latch does not tickle there. Here the set
	 * has already tickled, so this usually costs one load. */
	tickle(worker->pool, worker->index, DOZE_CAUSE_job_done);
}

static void tickle_broadcast(struct doze_pool *pool, int32_t by)
{
	da_fence(SC); /* ADDED: as in tickle_new_jobs */
	tickle(pool, by, DOZE_CAUSE_broadcast);
}

static void tickle_resume(struct doze_pool *pool, int32_t by, int32_t owner)
{
	(void)owner;
	da_fence(SC); /* ADDED: as in tickle_broadcast */
	tickle(pool, by, DOZE_CAUSE_latch);
}

const struct doze_sleep_policy doze_policy_tickle = {
    .name = "tickle",
    .summary = "Rayon's legacy sleep: one sleepy worker at a time, every event wakes all",
    .word_kind = DOZE_WORD_tickle,
    .quiet_mask = UINT64_MAX, /* the word is 0: no worker is sleepy or asleep */
    .rounds_until_sleepy = 32,
    .rounds_until_sleeping = 64,
    .latch_probe_sc = true,
    .init = tickle_init,
    .fini = tickle_fini,
    .start_looking = tickle_start_looking,
    .no_work_found = tickle_no_work_found,
    .work_found = tickle_work_found,
    .new_jobs = tickle_new_jobs,
    .latch_set = tickle_latch_set,
    .job_done = tickle_job_done,
    .broadcast = tickle_broadcast,
    .resume = tickle_resume,
};
