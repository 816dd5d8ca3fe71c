/*
 * SPDX-License-Identifier: MIT
 *
 * Fairness: a chain in which each job spawns the next one delays injected jobs and broadcasts only
 * by a bounded number of links.
 */
#include "help.h"
#include "lib/config.h"
#include "lib/sleep/sleep.h"
#include "tests/fixtures/suite.h"

enum { FAR = 20000 }; /* a chain ends after this many links */

static struct {
	doze_pool *pool;
	long links;  /* atomic */
	long served; /* atomic: number of times the other job ran */
	long at;     /* value of links when the other job ran */
	long asked;  /* value of links when the other job was queued */
	void (*ask)(void);
} c;

static doze_pool *fair_pool(const char *policy, unsigned workers, unsigned fair_every)
{
	doze_config config = {.num_threads = workers, .policy = policy, .fair_every = fair_every};
	doze_pool *pool;
	CU_ASSERT_EQUAL_FATAL(doze_pool_create(&pool, &config), 0);
	return pool;
}

/* ---- the other job: an injected job, or a turn of a broadcast ---- */

static void serve(void *arg)
{
	(void)arg;
	c.at = help_read(&c.links);
	help_count(&c.served);
}

static void serve_turn(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	serve(arg);
}

static void inject(void *arg)
{
	(void)arg;
	(void)doze_spawn(c.pool, serve, NULL);
}

static void ask_injector(void)
{
	/* Posted by a plain thread, because a worker's own spawn is not injected. */
	help_thread_join(help_thread_start(inject, NULL));
}

static void ask_broadcast(void)
{
	(void)doze_spawn_broadcast(c.pool, serve_turn, NULL);
}

/* ---- the chain ---- */

static bool ends_here(long link)
{
	if (link == 100) {
		c.asked = link;
		c.ask();
	}
	return link >= FAR || help_read(&c.served) != 0;
}

static void chain(void *arg)
{
	help_count(&c.links);
	if (!ends_here(help_read(&c.links)))
		(void)doze_spawn(NULL, chain, arg);
}

/* Runs a chain on one worker. Its hundredth link posts the other job. Returns the number of further
 * links that ran before that job. */
static long links_until_served(const char *policy, unsigned every, void (*ask)(void))
{
	c.pool = fair_pool(policy, 1, every);
	c.ask = ask;
	c.links = c.served = c.at = 0;
	(void)doze_spawn(c.pool, chain, NULL);
	doze_pool_free(c.pool);
	CU_ASSERT_EQUAL(c.served, 1);
	return c.at - c.asked;
}

static void for_all_policies(void (*test)(const char *policy))
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		test((*p)->name);
}

static void injector_under(const char *policy)
{
	/* One link runs during the post, and the worker's count of jobs may have any value at that
	 * time. */
	CU_ASSERT_TRUE(links_until_served(policy, 0, ask_injector) < DOZE_FAIR_EVERY_DEFAULT);
	CU_ASSERT_TRUE(links_until_served(policy, 7, ask_injector) < 7);
	CU_ASSERT_TRUE(links_until_served(policy, 2, ask_injector) < 2);
	CU_ASSERT_TRUE(links_until_served(policy, 1000, ask_injector) > 7);
}

static void injector_is_served(void)
{
	for_all_policies(injector_under);
}

/* Checks that a broadcast turn runs after exactly fair_every of the jobs that the worker queued
 * before it. */
static void broadcast_under(const char *policy)
{
	CU_ASSERT_EQUAL(links_until_served(policy, 0, ask_broadcast), DOZE_FAIR_EVERY_DEFAULT - 1);
	CU_ASSERT_EQUAL(links_until_served(policy, 7, ask_broadcast), 6);
	CU_ASSERT_EQUAL(links_until_served(policy, 1000, ask_broadcast), 999);
}

static void broadcast_is_served(void)
{
	for_all_policies(broadcast_under);
}

/* Checks that, as in Rayon, the injected job and the broadcast run only after the chain has
 * ended. */
static void never_under(const char *policy)
{
	CU_ASSERT_EQUAL(links_until_served(policy, DOZE_FAIR_NEVER, ask_injector), FAR - 100);
	CU_ASSERT_EQUAL(links_until_served(policy, DOZE_FAIR_NEVER, ask_broadcast), FAR - 100);
}

static void never_is_never(void)
{
	for_all_policies(never_under);
}

/* ---- turns that broadcast again, so that the broadcast queue is never empty ---- */

static void turn_again(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	(void)arg;
	help_count(&c.links);
	if (!ends_here(help_read(&c.links)))
		(void)doze_spawn_broadcast(c.pool, turn_again, NULL);
}

static void turns_against_injector(void)
{
	c.pool = fair_pool("jec", 1, 7);
	c.ask = ask_injector;
	c.links = c.served = c.at = 0;
	(void)doze_spawn_broadcast(c.pool, turn_again, NULL);
	doze_pool_free(c.pool);
	CU_ASSERT_EQUAL(c.served, 1);
	CU_ASSERT_TRUE(c.at - c.asked < 7);
}

/* ---- a chain inside each wait: yields, a join, a scope ---- */

static void until_served(void *arg)
{
	(void)arg;
	if (help_read(&c.served) == 0)
		(void)doze_spawn(NULL, until_served, NULL);
}

static void wait_by_yields(void *arg)
{
	until_served(arg);
	while (help_read(&c.served) == 0)
		(void)doze_yield_now();
}

static void own_turn_by_yields(void *arg)
{
	(void)doze_spawn_broadcast(c.pool, serve_turn, arg);
	until_served(arg);
	while (help_read(&c.served) < 2) /* a local yield does not run the injected job */
		if (doze_yield_local() == 0)
			return;
}

static void nothing(void *arg)
{
	(void)arg;
}

static void wait_in_join(void *arg)
{
	doze_join(until_served, arg, nothing, NULL);
}

static void until_served_in(doze_scope *scope, void *arg)
{
	if (help_read(&c.served) == 0)
		(void)doze_scope_spawn(scope, until_served_in, arg);
}

static void wait_in_scope(void *arg)
{
	(void)doze_scope_run(NULL, until_served_in, arg);
}

static void ask_and_wait(void *wait)
{
	ask_injector();
	(*(doze_fn *)wait)(NULL);
}

static void inside_each_wait(void)
{
	doze_fn waits[] = {wait_by_yields, wait_in_join, wait_in_scope, own_turn_by_yields};
	for (size_t i = 0; i < sizeof waits / sizeof waits[0]; i++) {
		c.served = 0;
		c.pool = fair_pool("jec", 1, 0);
		doze_install(c.pool, ask_and_wait, &waits[i]);
		/* Checked before the pool is freed, because freeing it would also run the job. */
		CU_ASSERT_TRUE(help_read(&c.served) >= 1);
		doze_pool_free(c.pool);
	}
}

/* ---- chains on every worker, while an outside thread waits for its job ---- */

static void count_turn(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	help_count(arg);
}

static void outside_under(const char *policy)
{
	c.pool = fair_pool(policy, 2, 0);
	c.served = 0;
	for (int i = 0; i < 4; i++)
		(void)doze_spawn(c.pool, until_served, NULL);
	/* Only the second call lets the chains end. */
	doze_install(c.pool, nothing, NULL);
	(void)doze_broadcast(c.pool, count_turn, &c.served);
	CU_ASSERT_EQUAL(help_read(&c.served), 2);
	doze_pool_free(c.pool);
}

static void outside_is_served(void)
{
	for_all_policies(outside_under);
}

static const struct suite_test tests[] = {
    {"an injected job runs after at most 61 jobs of a chain", injector_is_served},
    {"a worker takes its turn of a broadcast after exactly 61 jobs of a chain",
     broadcast_is_served},
    {"without fairness, injected jobs and broadcasts wait for the end of the chain",
     never_is_never},
    {"jobs of a broadcast that broadcast again do not starve an injected job",
     turns_against_injector},
    {"fairness holds inside yields, a join and a scope", inside_each_wait},
    {"install and broadcast return while chains run on every worker", outside_is_served},
};
SUITE_MAIN("fair", tests)
