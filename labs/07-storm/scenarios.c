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
		ex_fail("n = %u, the queue %s empty, %u idle, %u asleep: returned %u", n,
			was_empty ? "was" : "was not", idle, asleep, wakes);
}

/* Each searching worker takes one job. For each further job a sleeper must be woken, if there is
 * one. */
static void count(void)
{
	for (uint32_t idle = 0; idle <= 4; idle++)
		for (uint32_t asleep = 0; asleep <= 4; asleep++)
			for (uint32_t n = 1; n <= 6; n++) {
				uint32_t left = n > idle ? n - idle : 0;
				require_wakes(n, true, idle, asleep, left < asleep ? left : asleep);
			}
}

/* The queue already had jobs, so the searching workers have not kept up. */
static void behind(void)
{
	for (uint32_t idle = 0; idle <= 4; idle++)
		for (uint32_t asleep = 0; asleep <= 4; asleep++)
			for (uint32_t n = 1; n <= 6; n++)
				require_wakes(n, false, idle, asleep, n < asleep ? n : asleep);
}

static uint32_t wake(doze_pool *pool, uint32_t n)
{
	struct doze_decision decision = {0, DOZE_CAUSE_latch, DOZE_SCOPE_one};
	return doze_wake_any(pool, -1, n, &decision);
}

/* Two workers sleep. Wakes none, one or both of them. */
static void whom(void)
{
	doze_pool *pool = small_pool(2);
	unsigned n = ex_choose(4);
	check_quiet(pool);
	EX_CHECK(wake(pool, n) == (n < 2 ? n : 2));
	doze_thread_yield(); /* lets a woken worker report its wake */
	if (n == 1 && !ex_worker_sleeps(1, 1))
		ex_fail("asked for one of two sleepers, doze_wake_any wakes worker 1, not worker "
			"0");
	check_quiet(pool); /* the woken workers found nothing */
	ex_expect("the termination");
	doze_pool_free(pool);
}

/* One worker stays awake until the other sleeps again. A broadcast wakes without the functions of
 * targets.c. */
static unsigned awake; /* set before the broadcast */
static void wake_from_inside(unsigned worker, unsigned workers, void *arg)
{
	doze_pool *pool = arg;
	(void)workers;
	if (worker != awake)
		return;
	ex_wait_quiet();
	uint64_t before = da_add(&pool->sleep.wake_ids, 0, RLX);
	EX_CHECK(wake(pool, 1) == 1);
	EX_CHECK(da_add(&pool->sleep.wake_ids, 0, RLX) == before + 1);
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

/* For the game: two workers sleep, and a job is posted. */
static void sleepers(void)
{
	doze_pool *pool = small_pool(2);
	check_quiet(pool);
	ex_begin_play();
	EX_CHECK(doze_spawn(pool, nothing, NULL) == 0);
	check_quiet(pool);
	doze_pool_free(pool);
}

const struct ex_scenario ex_scenarios[] = {
    {"count", "jobs that no searching worker will take", count, 1, NULL, NULL, 0},
    {"behind", "a queue that already had jobs", behind, 1, NULL, NULL, 0},
    {"whom", "waking none, one or both of two sleepers", whom, 3, "jec", NULL, 0},
    {"other", "one sleeper, and a worker that is awake", the_other, 3, "jec", NULL, 0},
    {"sleepers", "two sleepers, one job", sleepers, 3, "jec", NULL, 0},
    {.name = NULL},
};
