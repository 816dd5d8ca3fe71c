/*
 * SPDX-License-Identifier: MIT
 *
 * waits.c - scenarios on whole pools, continued: broadcasts, futures, wraparound of the JEC,
 * deadlock detection.
 */
#include "cells.h"

#include "lib/deadlock.h"

static DOZE_ATOMIC(int) broadcast_runs;
static void broadcast_body(unsigned index, unsigned total, void *arg)
{
	(void)arg;
	EX_CHECK(index < total);
	fills("broadcast/outside/queue", outside_waits());
	da_add(&broadcast_runs, 1, RLX);
}
static void broadcast(unsigned workers)
{
	doze_pool *pool = small_pool(workers);
	must_meet("a broadcast was posted while a worker was sleepy",
		  "a broadcast was posted while a worker was asleep");
	ex_expect("the broadcast");
	EX_CHECK(doze_broadcast(pool, broadcast_body, NULL) == 0);
	EX_CHECK(da_load(&broadcast_runs, RLX) == (int)workers);
	perhaps_quiet(pool);
	ex_expect("the termination");
	doze_pool_free(pool);
}
static void broadcast_one(void)
{
	broadcast(1);
}
static void broadcast_two(void)
{
	broadcast(2);
}

static void *answer(void *arg)
{
	fills("future/outside/queue", outside_waits());
	count_run(arg);
	return arg;
}
static void future_get(void)
{
	static DOZE_ATOMIC(int) runs;
	doze_future *future;
	doze_pool *pool = small_pool(1);
	ex_expect("the future");
	EX_CHECK(doze_submit(&future, pool, answer, &runs) == 0);
	EX_CHECK(doze_future_get(future) == &runs && ran(&runs) == 1);
	doze_future_free(future);
	perhaps_quiet(pool);
	doze_pool_free(pool);
}

/* A future that is dropped at once has no getter, but its task still runs. */
static void future_dropped(void)
{
	static DOZE_ATOMIC(int) runs;
	doze_future *future;
	doze_pool *pool = small_pool(1);
	EX_CHECK(doze_submit(&future, pool, answer, &runs) == 0);
	doze_future_free(future);
	ex_expect("the termination");
	doze_pool_free(pool);
	EX_CHECK(ran(&runs) == 1);
}

/* With two posts and two workers, a 2-bit JEC returns to the value that the first worker remembers
 * when the second worker gets sleepy. */
static void must_come_round(void)
{
	if (DOZE_BITS_JEC <= 2 && ex_policy_has_jec())
		ex_must_note("the JEC wrapped around while a worker was sleepy");
}
static void rollover(void)
{
	static DOZE_ATOMIC(int) runs[2];
	doze_pool *pool = small_pool(2);
	must_come_round();
	EX_CHECK(doze_spawn(pool, count_run, &runs[0]) == 0);
	EX_CHECK(doze_spawn(pool, count_run, &runs[1]) == 0);
	perhaps_quiet(pool);
	ex_expect("the termination, or a spawned job");
	doze_pool_free(pool);
	EX_CHECK(ran(&runs[0]) == 1 && ran(&runs[1]) == 1);
}

/* Deadlock detection: a job blocks until `release` is called, and the handler counts its calls. */
static DOZE_ATOMIC(int) handler_calls, blocked_index, posted, released;
static doze_mutex block_lock;
static doze_cond block_cond;
static bool let_go; /* protected by block_lock */

/* More handler calls than any correct run makes. */
#define MOST_CALLS 50

static void deadlock_handler(void *arg)
{
	struct doze_deadlock *d = (*(doze_pool **)arg)->deadlock;
	/* When a post has returned, some worker is awake, and will not sleep before it has run the
	 * job. */
	bool was_posted = da_load(&posted, SC);
	doze_mutex_lock(d->lock);
	bool nobody_runs = d->active == 0;
	doze_mutex_unlock(d->lock);
	EX_REQUIRE(!was_posted || !nobody_runs || da_load(&released, SC),
		   "the deadlock handler is called and no worker is counted as active, although a "
		   "job that releases the blocked worker has been posted and has yet to run");
	EX_REQUIRE(da_add(&handler_calls, 1, SC) < MOST_CALLS,
		   "the deadlock handler has been called %d times while one worker was blocked",
		   MOST_CALLS);
}
static doze_pool *deadlock_pool(unsigned workers, void (*handler)(void *))
{
	static doze_pool *pool; /* also used by the handler */
	doze_config config = {.num_threads = workers,
			      .policy = ex_policy(),
			      .rounds_until_sleepy = 1,
			      .rounds_until_sleeping = 2,
			      .deadlock_handler = handler,
			      .deadlock_arg = &pool};
	doze_mutex_init(&block_lock);
	doze_cond_init(&block_cond);
	ex_name_range(&pool, sizeof(pool), "the deadlock handler's argument");
	EX_CHECK(doze_pool_create(&pool, &config) == 0);
	ignore_names(pool);
	return pool;
}
static void blocking_job(void *arg)
{
	(void)arg;
	da_store(&blocked_index, doze_worker_index() + 1, SC);
	doze_mutex_lock(&block_lock);
	doze_mark_blocked();
	ex_expect("its release");
	while (!let_go)
		doze_cond_wait(&block_cond, &block_lock);
	doze_mutex_unlock(&block_lock);
	ex_expect(NULL);
}
static void release(doze_pool *pool)
{
	doze_mutex_lock(&block_lock);
	da_store(&released, 1, SC);
	doze_mark_unblocked(pool, da_load(&blocked_index, SC) - 1);
	let_go = true;
	doze_cond_signal(&block_cond);
	doze_mutex_unlock(&block_lock);
}

/* Called when all is quiet. Checks that no worker is counted as active. */
static void check_deadlock(doze_pool *pool, unsigned blocked)
{
	struct doze_deadlock *d = pool->deadlock;
	doze_mutex_lock(d->lock);
	EX_REQUIRE(d->active == 0 && d->blocked == blocked,
		   "%s, but %d workers are counted as active and %d as blocked",
		   blocked ? "one worker is blocked and no other is awake" : "all workers sleep",
		   (int)d->active, (int)d->blocked); /* a count below 0 shows as such */
	doze_mutex_unlock(d->lock);
}

/* Every worker is blocked or asleep. The worker that blocks or falls asleep last must call the
 * handler. */
static void deadlock_found(unsigned workers)
{
	doze_pool *pool = deadlock_pool(workers, deadlock_handler);
	EX_CHECK(doze_spawn(pool, blocking_job, NULL) == 0);
	ex_wait_quiet();
	/* The handler has been called at least once, and has not released the blocked job. */
	int calls = da_load(&handler_calls, SC);
	EX_REQUIRE(calls >= 1,
		   "one worker is blocked and no other is awake, but the deadlock handler has not "
		   "been called");
	check_deadlock(pool, 1);
	release(pool);
	if (ex_choose(2)) {
		/* Every worker falls asleep again, with none blocked, so the deadlock check runs
		 * again. */
		ex_wait_quiet();
		check_deadlock(pool, 0);
		check_quiet(pool);
		calls = da_load(&handler_calls, SC);
	}
	ex_expect("the termination");
	doze_pool_free(pool);
	EX_REQUIRE(da_load(&handler_calls, SC) == calls,
		   "the deadlock handler is called although no worker is blocked any more");
}
static void deadlock_one(void)
{
	deadlock_found(1);
}
static void deadlock_two(void)
{
	deadlock_found(2);
}

/* A job that will release the blocked one is injected while the other worker falls asleep. */
static void release_job(void *arg)
{
	release(arg);
}
static void deadlock_injected(void)
{
	doze_pool *pool = deadlock_pool(2, deadlock_handler);
	EX_CHECK(doze_spawn(pool, blocking_job, NULL) == 0);
	while (!da_load(&blocked_index, SC))
		doze_thread_yield();
	/* While this thread holds the lock, the job has either marked itself as blocked, and waits,
	 * or not yet begun to mark itself. */
	doze_mutex_lock(&block_lock);
	doze_mutex_unlock(&block_lock);
	/* Both cases must occur: the other worker falls asleep before the post, or the post comes
	 * first. */
	ex_must_note("the handler was called before the post");
	ex_must_note("the injection kept the handler from being called");
	EX_CHECK(doze_spawn(pool, release_job, pool) == 0);
	da_store(&posted, 1, SC);
	ex_expect("the termination");
	doze_pool_free(pool);
	if (da_load(&handler_calls, SC))
		ex_note("the handler was called before the post");
	else
		ex_note("the injection kept the handler from being called");
}

/* The handler itself posts the job that resolves the deadlock. The worker that runs the handler is
 * already registered as a sleeper, so the post must wake it, or reach it before it waits. */
static void rescue(void *arg)
{
	doze_pool *pool = *(doze_pool **)arg;
	if (!da_swap(&posted, 1, SC))
		EX_CHECK(doze_spawn(pool, release_job, pool) == 0);
}
static void deadlock_rescued(void)
{
	doze_pool *pool = deadlock_pool(2, rescue);
	EX_CHECK(doze_spawn(pool, blocking_job, NULL) == 0);
	ex_expect("the termination");
	doze_pool_free(pool);
	EX_CHECK(let_go);
}

/* The JEC wraps around while one worker is about to sleep. With 2 bits, it begins at 0; the first
 * job makes it 1, the busy worker 2 when it gets sleepy, the second job 3, and the busy worker 0
 * when it gets sleepy again. The first worker therefore sees an unchanged JEC, and only its last
 * check of the queues can find the last job. The busy worker cannot find that job: after the
 * wraparound its latch was set, so it continued its own job, which blocks until the last job has
 * run, without checking the injector. Posting the last job does not write to the policy's word, so
 * only the fence before the check makes the job visible. The main thread waits for each stage, so
 * the schedule needs no preemption.
 */
static DOZE_ATOMIC(struct doze_core_latch *) busy_latch;

static void busy_job(void *arg)
{
	struct doze_core_latch latch;
	(void)arg;
	doze_spin_latch_init(&latch, doze_self, true);
	da_store(&busy_latch, &latch, REL);
	doze_worker_wait_until(doze_self, &latch);
	doze_mutex_lock(&block_lock);
	ex_expect("the last job");
	while (!let_go)
		doze_cond_wait(&block_cond, &block_lock);
	doze_mutex_unlock(&block_lock);
	ex_expect(NULL);
}
static void last_job(void *arg)
{
	(void)arg;
	doze_mutex_lock(&block_lock);
	let_go = true;
	doze_cond_signal(&block_cond);
	doze_mutex_unlock(&block_lock);
}
static void rollover_busy(void)
{
	static DOZE_ATOMIC(int) runs;
	struct doze_core_latch *latch;
	doze_pool *pool = small_pool(2);
	must_come_round();
	doze_mutex_init(&block_lock);
	doze_cond_init(&block_cond);
	EX_CHECK(doze_spawn(pool, busy_job, NULL) == 0);
	while (!(latch = da_load(&busy_latch, ACQ)))
		doze_thread_yield();
	if (DOZE_BITS_JEC > 1) {
		EX_CHECK(doze_spawn(pool, count_run, &runs) == 0);
		while (!ran(&runs))
			doze_thread_yield();
	}
	doze_spin_latch_set(latch, NULL);
	EX_CHECK(doze_spawn(pool, last_job, NULL) == 0);
	ex_expect("the termination");
	doze_pool_free(pool);
	EX_CHECK(let_go);
}

/* The first of two injected jobs waits for the second. A worker may have moved both from the
 * producers' stack at once. */
static void first_of_pair(void *arg)
{
	(void)arg;
	doze_mutex_lock(&block_lock);
	ex_expect("the second job");
	while (!let_go)
		doze_cond_wait(&block_cond, &block_lock);
	doze_mutex_unlock(&block_lock);
	ex_expect(NULL);
}
static void inject_pair(void)
{
	doze_pool *pool = small_pool(2);
	doze_mutex_init(&block_lock);
	doze_cond_init(&block_cond);
	EX_CHECK(doze_spawn(pool, first_of_pair, NULL) == 0);
	EX_CHECK(doze_spawn(pool, last_job, NULL) == 0);
	ex_expect("the termination");
	doze_pool_free(pool);
	EX_CHECK(let_go);
}

/* In a build with a narrow JEC, the counter is what is explored. */
#define ROLLOVER (DOZE_BITS_JEC <= 2 ? EX_POLICIES_WITH_JEC : ALL_POLICIES)

const struct ex_scenario ex_scenarios[] = {
    {"broadcast", "a broadcast while a worker falls asleep", broadcast_one, 2, ALL_POLICIES, NULL,
     0, "broadcast/outside/queue"},
    {"broadcast-spurious", "a broadcast while a worker falls asleep; one spurious wake",
     broadcast_one, 2, ALL_POLICIES, NULL, 1},
    {"future", "an outside thread gets a future", future_get, 2, ALL_POLICIES, NULL, 0,
     "future/outside/queue"},
    {"future-spurious", "an outside thread gets a future; one spurious wake", future_get, 2,
     ALL_POLICIES, NULL, 1},
    {"future-dropped", "a future is dropped at once", future_dropped, 2, ALL_POLICIES, NULL, 0},
    {"deadlock", "the only worker blocks: the handler is called", deadlock_one, 2, ALL_POLICIES,
     NULL, 0},
    {"deadlock-spurious", "the only worker blocks: the handler is called; one spurious wake",
     deadlock_one, 2, ALL_POLICIES, NULL, 1},
    {"broadcast-two", "a broadcast while two workers fall asleep", broadcast_two, 3, ALL_POLICIES,
     NULL, 0},
    {"rollover", "two injected jobs, two workers", rollover, 3, ROLLOVER, NULL, 0},
    {"rollover-busy", "the JEC wraps around because of a worker that then stays busy",
     rollover_busy, 3, ROLLOVER, "rfc local block", 0},
    {"inject-pair", "two injected jobs, of which the first waits for the second", inject_pair, 3,
     ALL_POLICIES, "rfc local block", 0},
    {"deadlock-asleep", "one worker is blocked, one falls asleep", deadlock_two, 3, ALL_POLICIES,
     NULL, 0},
    {"deadlock-inject",
     "one worker is blocked, one falls asleep, and an injected job releases the blocked worker",
     deadlock_injected, 3, ALL_POLICIES, NULL, 0},
    {"deadlock-rescue", "the deadlock handler queues the job that releases the blocked worker",
     deadlock_rescued, 3, ALL_POLICIES, NULL, 0},
    {.name = NULL},
};
