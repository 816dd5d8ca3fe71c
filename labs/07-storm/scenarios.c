/*
 * SPDX-License-Identifier: MIT
 *
 * scenarios.c - the explorer's scenarios of lab 7: how many workers are woken, and which.
 */
#include "labs/scenarios/common.h"

#include "lib/sleep/targets.h"

static uint64_t word_of(uint32_t idle, uint32_t sleeping)
{
	return (idle + sleeping) * DOZE_ONE_INACTIVE + sleeping * DOZE_ONE_SLEEPING + DOZE_ONE_JEC;
}

/* Reports the question and the answer, but not the right number, which the student has to work
 * out. */
static void require_wakes(uint32_t n, bool was_empty, uint32_t idle, uint32_t asleep,
			  uint32_t right)
{
	uint32_t wakes = doze_targets_for(n, was_empty, word_of(idle, asleep));
	if (wakes != right)
		ex_fail(
		    "n = %u, the queue %s empty, %u idle, %u asleep: doze_targets_for returned %u",
		    n, was_empty ? "was" : "was not", idle, asleep, wakes);
}

/* Each searching worker takes one job. For each further job a sleeper must be woken, if there is
 * one. */
static void count(void)
{
	for (uint32_t idle = 0; idle <= 10; idle++)
		for (uint32_t asleep = 0; asleep <= 20; asleep++)
			for (uint32_t n = 1; n <= 24; n++) {
				uint32_t left = n > idle ? n - idle : 0;
				require_wakes(n, true, idle, asleep, left < asleep ? left : asleep);
			}
	/* Counts that fit neither into a byte nor into 16 bits (the sleepers into 15). */
	require_wakes(256, true, 0, 300, 256);
	require_wakes(300, true, 260, 300, 40);
	require_wakes(65536, true, 0, 300, 300);
	require_wakes(65536, true, 0, 65535, 65535);
}

/* The queue already had jobs, so the searching workers have not kept up. */
static void behind(void)
{
	for (uint32_t idle = 0; idle <= 10; idle++)
		for (uint32_t asleep = 0; asleep <= 20; asleep++)
			for (uint32_t n = 1; n <= 24; n++)
				require_wakes(n, false, idle, asleep, n < asleep ? n : asleep);
	require_wakes(256, false, 0, 300, 256);
	require_wakes(65536, false, 260, 300, 300);
}

/* Asks for n wakes, as worker `by` (-1: a thread outside the pool) would. */
static void wake(doze_pool *pool, int32_t by, uint32_t n, uint32_t sleepers)
{
	struct doze_decision decision = {0, DOZE_CAUSE_latch, DOZE_SCOPE_one};
	uint64_t before = da_add(&pool->sleep.wake_ids, 0, RLX);
	uint32_t right = n < sleepers ? n : sleepers;
	uint32_t said = doze_wake_any(pool, by, n, &decision);
	uint64_t woken = da_add(&pool->sleep.wake_ids, 0, RLX) - before;
	EX_REQUIRE(said == right,
		   "asked to wake %u of %u sleepers in a pool of %u workers, doze_wake_any returns "
		   "%u",
		   n, sleepers, pool->num_workers, said);
	EX_REQUIRE(woken == right,
		   "asked to wake %u of %u sleepers in a pool of %u workers, doze_wake_any wakes "
		   "%u",
		   n, sleepers, pool->num_workers, (unsigned)woken);
	EX_REQUIRE(right == 0 || decision.id != 0,
		   "the wakes do not have the number of the decision that caused them: pass "
		   "`decision` to doze_wake_specific, not a copy");
}

/* A pool of many workers without threads. Every k-th worker sleeps; asks to wake n of these. */
#define CROWD 100
static struct doze_worker crowd[CROWD + 1]; /* the last one is not in the pool, and sleeps */

static void wake_in_crowd(doze_pool *pool, uint32_t k, uint32_t n)
{
	uint32_t sleepers = CROWD / k, found = 0;
	da_store(&pool->sleep.word, word_of(0, sleepers), RLX);
	for (uint32_t i = 0; i < CROWD; i++)
		crowd[i].sleep.is_blocked = i % k == k - 1;
	crowd[CROWD].sleep.is_blocked = true;
	wake(pool, -1, n, sleepers);
	for (uint32_t i = k - 1; i < CROWD && found < n; i += k, found++)
		if (crowd[i].sleep.is_blocked)
			ex_fail(
			    "asked to wake %u of %u sleepers in a pool of %u workers, "
			    "doze_wake_any leaves worker %u asleep, but wakes one with a higher "
			    "index",
			    n, sleepers, pool->num_workers, i);
}
static doze_pool *crowd_of(uint32_t workers)
{
	/* The third pool, because the explorer's rules know only the workers of the first two. */
	static struct doze_pool pool = {.id = 3, .workers = crowd};
	pool.num_workers = workers;
	for (uint32_t i = 0; i <= workers; i++) {
		crowd[i].pool = &pool;
		crowd[i].index = (int32_t)i;
		crowd[i].sleep.is_blocked = true;
		doze_mutex_init(&crowd[i].sleep.lock);
		doze_cond_init(&crowd[i].sleep.cond);
	}
	return &pool;
}
static void many(void)
{
	doze_pool *pool = crowd_of(CROWD);
	static const uint32_t wanted[] = {0, 1, 5, CROWD / 3, CROWD, 10 * CROWD};
	static const uint32_t every[] = {1, 3, CROWD};
	for (unsigned k = 0; k < 3; k++)
		for (unsigned i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
			wake_in_crowd(pool, every[k], wanted[i]);
}

/* Two workers sleep. Each of two threads asks to wake one worker, so both workers must wake. */
static void *wake_one(void *arg)
{
	struct doze_decision decision = {0, DOZE_CAUSE_latch, DOZE_SCOPE_one};
	uint32_t woken = doze_wake_any(arg, -1, 1, &decision);
	EX_REQUIRE(
	    woken == 1,
	    "two threads ask for one of two sleepers each, and doze_wake_any returns %u to one "
	    "of them",
	    woken);
	return NULL;
}
static void two_wakers(void)
{
	doze_thread thread;
	doze_pool *pool = crowd_of(2);
	da_store(&pool->sleep.word, word_of(0, 2), RLX);
	EX_CHECK(doze_thread_create(&thread, wake_one, pool) == 0);
	(void)wake_one(pool);
	doze_thread_join(thread);
	for (unsigned i = 0; i < 2; i++)
		EX_REQUIRE(!crowd[i].sleep.is_blocked,
			   "two threads ask for one of two sleepers each, and worker %u stays "
			   "asleep: between a look at a worker and doze_wake_specific, another "
			   "thread may wake it",
			   i);
}

/* Two workers sleep. Wakes none, one or both of them. */
static void whom(void)
{
	doze_pool *pool = small_pool(2);
	unsigned n = ex_choose(4);
	check_quiet(pool);
	wake(pool, -1, n, 2);
	doze_thread_yield(); /* lets a woken worker report its wake */
	if (n == 1 && !ex_worker_sleeps(1, 1))
		ex_fail("asked for one of two sleepers, doze_wake_any wakes worker 1, not worker "
			"0");
	check_quiet(pool); /* the woken workers found nothing */
	ex_expect("the termination");
	doze_pool_free(pool);
}

/* A broadcast, which does not use targets.c, wakes both workers. The worker `awake` waits until the
 * other worker sleeps again, and asks to wake it. */
static unsigned awake; /* set before the broadcast */
static void wake_from_inside(unsigned worker, unsigned workers, void *arg)
{
	doze_pool *pool = arg;
	(void)workers;
	if (worker != awake)
		return;
	ex_wait_quiet();
	wake(pool, (int32_t)worker, 1, 1);
}
static void the_other(void)
{
	doze_pool *pool = small_pool(2);
	awake = ex_choose(2);
	ex_expect("the broadcast");
	EX_CHECK(doze_broadcast(pool, wake_from_inside, pool) == 0);
	ex_expect("the termination");
	doze_pool_free(pool);
}

/* A broadcast runs on three workers. Worker 1 waits until the two others sleep, and wakes one. */
static void wake_neighbour(unsigned worker, unsigned workers, void *arg)
{
	doze_pool *pool = arg;
	(void)workers;
	if (worker != 1)
		return;
	ex_wait_quiet();
	wake(pool, 1, 1, 2);
	doze_thread_yield(); /* lets the woken worker report its wake */
	if (!ex_worker_sleeps(1, 2))
		ex_fail(
		    "worker 1 asks for one of two sleepers, and doze_wake_any wakes worker 2, not "
		    "worker 0");
}
static void lowest(void)
{
	doze_pool *pool;
	doze_config config = {.num_threads = 3,
			      .policy = ex_policy(),
			      .rounds_until_sleepy = 1,
			      .rounds_until_sleeping = 2};
	EX_CHECK(doze_pool_create(&pool, &config) == 0);
	ignore_numbers(pool);
	ex_expect("the broadcast");
	EX_CHECK(doze_broadcast(pool, wake_neighbour, pool) == 0);
	ex_expect("the termination");
	doze_pool_free(pool);
}

/* For the game: one worker sleeps, the other is about to, and a job is posted. */
static void sleepers(void)
{
	doze_pool *pool = small_pool(2);
	ex_expect("the job to run");
	EX_CHECK(doze_spawn(pool, nothing, NULL) == 0);
	check_quiet(pool);
	doze_pool_free(pool);
}

const struct ex_scenario ex_scenarios[] = {
    {"count", "jobs that no searching worker will take", count, 1, NULL, NULL, 0},
    {"behind", "a queue that already had jobs", behind, 1, NULL, NULL, 0},
    {"whom", "waking none, one or both of two sleepers", whom, 3, "jec", NULL, 0},
    {"other", "one sleeper, and a worker that is awake", the_other, 3, "jec", NULL, 0},
    {"lowest", "two sleepers, and an awake worker between them", lowest, 4, "jec", NULL, 0},
    {"many", "waking some of the sleepers of a large pool", many, 1, "jec", NULL, 0},
    {"two-wakers", "two threads wake one of two sleepers each", two_wakers, 2, "jec", NULL, 0},
    {"sleepers", "one sleeper, one worker that gets sleepy, and one job", sleepers, 3, "jec", NULL,
     0},
    {.name = NULL},
};
