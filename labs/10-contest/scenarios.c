/*
 * SPDX-License-Identifier: MIT
 *
 * scenarios.c - the explorer's scenarios of lab 10. The explorer searches the first five. The last
 * three determine the score in steps (framework/walks.py).
 */
#include "labs/scenarios/shared_latch.h"

#include "lib/sleep/sleep.h"

/* Without work every worker eventually sleeps, at the start and after a job. */
static void sleeps(void)
{
	doze_pool *pool = small_pool(1);
	ex_must_note("woken");
	ex_expect("the workers to sleep");
	check_quiet(pool);
	EX_CHECK(doze_spawn(pool, nothing, NULL) == 0);
	check_quiet(pool);
	ex_expect("the termination");
	doze_pool_free(pool);
}

/* Like `latch` of scenarios/pool.c, but does not require the latch to pass through all its states,
 * because a policy need not change the latches of its sleepers. */
static void latch(void)
{
	doze_pool *pool = small_pool(1);
	EX_CHECK(doze_spawn(pool, wait_on_latch, NULL) == 0);
	set_shared_latch();
	perhaps_quiet(pool);
	doze_pool_free(pool);
}

/* A join whose second half may be stolen; the joining worker then waits for the half's latch. */
static void join_halves(void *arg)
{
	(void)arg;
	doze_join(nothing, NULL, nothing, NULL);
}
static void join(void)
{
	doze_pool *pool = small_pool(2);
	ex_expect("the join");
	doze_install(pool, join_halves, NULL);
	check_quiet(pool);
	doze_pool_free(pool);
}

/* The pool ends while its workers fall asleep. */
static void end_of(unsigned workers)
{
	doze_pool *pool = small_pool(workers);
	ex_expect("the termination");
	doze_pool_free(pool);
}
static void ends(void)
{
	end_of(1);
}
static void ends_two(void)
{
	end_of(2);
}

/* ---- for random walks ---- */

static DOZE_ATOMIC(uint32_t) left;

static void job(void *arg)
{
	(void)arg;
	da_sub(&left, 1, REL);
}
/* Creates a pool of four workers with a fraction of the policy's own rounds, so that walks are
 * short. */
static doze_pool *pool_of_walk(uint32_t part)
{
	const struct doze_sleep_policy *policy = doze_policy_find(ex_policy());
	EX_CHECK(policy != NULL);
	uint32_t sleepy = policy->rounds_until_sleepy / part;
	doze_config config = {.num_threads = 4,
			      .policy = policy->name,
			      .rounds_until_sleepy = sleepy == 0 ? 1 : sleepy};
	doze_pool *pool;
	if (doze_pool_create(&pool, &config) != 0)
		ex_fail("cannot create a pool: %s", doze_last_error());
	return pool;
}

/* Posts n jobs and waits until they have run. */
static void post(doze_pool *pool, uint32_t n)
{
	da_store(&left, n, RLX);
	for (uint32_t i = 0; i < n; i++)
		EX_CHECK(doze_spawn(pool, job, NULL) == 0);
	while (da_load(&left, ACQ) != 0)
		doze_thread_yield();
}

/* Each job is posted soon after the previous one has run. */
static void near(void)
{
	doze_pool *pool = pool_of_walk(1);
	for (int i = 0; i < 16; i++)
		post(pool, 1);
	doze_pool_free(pool);
}
/* All workers sleep when a job is posted. */
static void sparse(void)
{
	doze_pool *pool = pool_of_walk(4);
	for (int i = 0; i < 3; i++) {
		ex_wait_quiet();
		post(pool, 1);
	}
	ex_wait_quiet();
	doze_pool_free(pool);
}
/* All workers sleep when many jobs are posted. */
static void batch(void)
{
	doze_pool *pool = pool_of_walk(4);
	for (int i = 0; i < 2; i++) {
		ex_wait_quiet();
		post(pool, 8);
	}
	ex_wait_quiet();
	doze_pool_free(pool);
}

const struct ex_scenario ex_scenarios[] = {
    {"sleeps", "a pool without work", sleeps, 2, "jec", NULL, 0},
    {"latch", "a latch that an outside thread sets and its owner frees", latch, 2, "jec", NULL, 0},
    {"join", "a join whose second half may be stolen", join, 3, "jec", NULL, 0},
    {"ends", "a pool of one worker ends", ends, 2, "jec", NULL, 0},
    {"ends-two", "a pool of two workers ends", ends_two, 3, "jec", NULL, 0},
    {"near", "jobs that follow each other closely", near, 5, "jec", NULL, 0},
    {"sparse", "jobs posted to a sleeping pool", sparse, 5, "jec", NULL, 0},
    {"batch", "many jobs posted to a sleeping pool", batch, 5, "jec", NULL, 0},
    {.name = NULL},
};
