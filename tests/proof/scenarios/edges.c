/*
 * SPDX-License-Identifier: MIT
 *
 * edges.c - scenarios on whole pools, continued: jobs that spawn one like themselves beside an
 * injected job and a broadcast.
 */
#include "common.h"

enum { EVERY = 2, LINKS = 2 * EVERY + 1 };

static DOZE_ATOMIC(int) injected, turns, links;

static void turn(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	count_run(arg);
}

/* The first link queues a turn of a broadcast, and waits until main has injected a job. Both must
 * have come when the chain is as long as the bound; the turn not before it. */
static void link_of_chain(void *arg)
{
	DOZE_ATOMIC(int) *posted = arg;
	count_run(&links);
	int n = ran(&links);
	if (n == 1) {
		EX_CHECK(doze_spawn_broadcast(doze_current_pool(), turn, &turns) == 0);
		while (!da_load(posted, ACQ))
			doze_thread_yield();
	}
	EX_CHECK(n > EVERY || ran(&turns) == 0);
	EX_CHECK(n <= EVERY || ran(&turns) == 1);
	EX_CHECK(n <= EVERY + 1 || ran(&injected) == 1);
	if (n < LINKS)
		EX_CHECK(doze_spawn(NULL, link_of_chain, arg) == 0);
}

static void fair(void)
{
	static DOZE_ATOMIC(int) posted;
	doze_pool *pool;
	doze_config config = {.num_threads = 1,
			      .policy = ex_policy(),
			      .rounds_until_sleepy = 1,
			      .rounds_until_sleeping = 2,
			      .fair_every = EVERY};
	EX_CHECK(doze_pool_create(&pool, &config) == 0);
	ignore_names(pool);
	EX_CHECK(doze_spawn(pool, link_of_chain, &posted) == 0);
	EX_CHECK(doze_spawn(pool, count_run, &injected) == 0);
	da_store(&posted, 1, REL);
	ex_expect("the termination");
	doze_pool_free(pool);
	EX_CHECK(ran(&links) == LINKS && ran(&injected) == 1 && ran(&turns) == 1);
}

const struct ex_scenario ex_scenarios[] = {
    {"fair", "a chain of jobs beside an injected job and a broadcast", fair, 2, ALL_POLICIES, NULL,
     0},
    {.name = NULL},
};
