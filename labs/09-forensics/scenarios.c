/*
 * SPDX-License-Identifier: MIT
 *
 * scenarios.c - the program that the traces of lab 9 come from. Its library may be broken, so it
 * checks nothing; random walks record what happens.
 */
#include "labs/scenarios/common.h"

/* The half of a join that may be stolen. A thief takes its time with it, so that the joining worker
 * has time to fall asleep. */
static void dawdle(void *owner)
{
	if (doze_worker_index() != (int)(intptr_t)owner)
		ex_wait_quiet();
}

static void pair(void *arg)
{
	(void)arg;
	doze_join(nothing, NULL, dawdle, (void *)(intptr_t)doze_worker_index());
}

static void burst(void *arg)
{
	(void)arg;
	for (int i = 0; i < 2; i++)
		(void)doze_spawn(NULL, nothing, NULL);
}

static doze_pool *new_pool(unsigned workers)
{
	doze_pool *pool;
	doze_config config = {.num_threads = workers,
			      .policy = ex_policy(),
			      .rounds_until_sleepy = 1,
			      .rounds_until_sleeping = 2};
	if (doze_pool_create(&pool, &config) != 0)
		ex_fail("cannot create a pool: %s", doze_last_error());
	ignore_numbers(pool);
	return pool;
}

static void post(doze_pool *pool)
{
	void (*const job[])(void *) = {nothing, pair, burst};
	unsigned which = ex_choose(6);
	if (which < 3)
		doze_install(pool, job[which], NULL);
	else
		(void)doze_spawn(pool, job[which - 3], NULL);
}

/* Posts jobs while workers are busy or asleep. */
static void mixed(void)
{
	ex_permit_breaches();
	doze_pool *pool = new_pool(2 + ex_choose(2));
	for (int i = 0; i < 4; i++) {
		post(pool);
		if (ex_choose(2))
			ex_wait_quiet();
	}
	doze_pool_free(pool);
}

/* Posts jobs while workers are falling asleep. Random walks prefer the first alternative: if no
 * other thread can run, ex_choose(2) returns 0 seven times on average before it returns 1. */
static void at_random_moments(unsigned jobs)
{
	ex_permit_breaches();
	doze_pool *pool = new_pool(2);
	for (unsigned i = 0; i < jobs; i++) {
		post(pool);
		while (ex_choose(2) == 0)
			doze_thread_yield();
	}
	doze_pool_free(pool);
}

static void late(void)
{
	at_random_moments(3);
}

static void late_four(void)
{
	at_random_moments(4);
}

const struct ex_scenario ex_scenarios[] = {
    {"mixed", "four jobs of three kinds, with and without pauses", mixed, 4, "jec", NULL, 0},
    {"late", "three jobs, posted at random times", late, 3, "jec", NULL, 0},
    {"late-four", "four jobs, posted at random times", late_four, 3, "jec", NULL, 0},
    {.name = NULL},
};
