/*
 * SPDX-License-Identifier: MIT
 *
 * Known hazards of work-stealing pools, and large numbers of pools and jobs. README.md lists the
 * test for each hazard.
 */
#include "help.h"
#include "lib/atomic.h"
#include "lib/trace_load.h"
#include "tests/fixtures/suite.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double cpu_seconds(void)
{
	struct rusage r;
	(void)getrusage(RUSAGE_SELF, &r);
	return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
	       1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

/* ---- CPU time of an idle pool ---- */

static bool all_sleep(doze_pool *pool)
{
	doze_stats stats = {0};
	for (struct patience limit = patience_of(10000); !patience_is_over(&limit);
	     help_sleep_us(1000)) {
		doze_pool_stats(pool, &stats);
		if (stats.sleeping == doze_num_threads(pool))
			return true;
	}
	return false;
}

static void sleeping_pool_burns_nothing(void)
{
	doze_pool *pool = help_pool(8, NULL);
	CU_ASSERT_TRUE(all_sleep(pool));
	double before = cpu_seconds();
	help_sleep_us(1000000);
	double burnt = cpu_seconds() - before;
	CU_ASSERT_TRUE(burnt < 0.05);
	doze_pool_free(pool);
}

static void noop_every_10_ms(void)
{
	long done = 0;
	doze_pool *pool = help_pool(8, NULL);
	CU_ASSERT_TRUE(all_sleep(pool));
	double before = cpu_seconds();
	for (int i = 0; i < 100; i++) {
		help_sleep_us(10000);
		(void)doze_spawn(pool, help_count, &done);
	}
	double burnt = cpu_seconds() - before;
	doze_pool_free(pool);
	CU_ASSERT_EQUAL(done, 100);
	printf("%.0f ms of CPU in a second of no-ops ", burnt * 1000);
	CU_ASSERT_TRUE(burnt < 0.5); /* rayon #746 reported 28 times the wall time */
}

/* ---- one worker, and a scope whose body blocks until its job has run ---- */

static void count_run(doze_scope *scope, void *arg)
{
	(void)scope;
	help_count(arg);
}

static void block_on_job(doze_scope *scope, void *arg)
{
	(void)doze_scope_spawn(scope, count_run, arg);
	CU_ASSERT_TRUE(help_reaches(arg, 1, 10)); /* the body runs on the main thread */
}

static void blocking_scope_body(void)
{
	long runs = 0;
	doze_pool *pool = help_pool(1, NULL);
	(void)doze_scope_in_place(pool, block_on_job, &runs);
	CU_ASSERT_EQUAL(runs, 1);
	doze_pool_free(pool);
}

/* ---- scale ---- */

static void count_turn(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	help_count(arg);
}

static void thousand_workers(void)
{
	long turns = 0;
	doze_config config = {.num_threads = 1100, .stack_size = 1 << 18};
	doze_pool *pool;
	suite_allow_seconds(150);
	if (doze_pool_create(&pool, &config) != 0) {
		printf("(no room for 1100 threads here: %s) ", doze_last_error());
		config.num_threads = 200;
		CU_ASSERT_EQUAL_FATAL(doze_pool_create(&pool, &config), 0);
	}
	CU_ASSERT_EQUAL(doze_broadcast(pool, count_turn, &turns), 0);
	CU_ASSERT_EQUAL(turns, doze_num_threads(pool));
	help_sleep_us(200000);
	turns = 0;
	/* All or nearly all workers are asleep when the next round starts. */
	(void)doze_broadcast(pool, count_turn, &turns);
	CU_ASSERT_EQUAL(turns, doze_num_threads(pool));
	doze_pool_free(pool);
}

static void ten_thousand_pools(void)
{
	/* Set for sanitizers: run the same test with fewer jobs. */
	const char *slow = getenv("TEST_SLOW");
	int wanted = slow != NULL ? 1000 : 10000;
	long done = 0;
	suite_allow_seconds(150);
	for (int i = 0; i < wanted; i++) {
		doze_pool *pool = help_pool(1 + (unsigned)i % 2, NULL);
		if (i % 10 == 0)
			doze_install(pool, help_count, &done);
		doze_pool_free(pool);
	}
	CU_ASSERT_EQUAL(done, wanted / 10);
}

/* ---- fork ---- */

static void count_worker(void *count, uint32_t pool, int32_t worker,
			 const struct doze_trace_snapshot_info *info)
{
	(void)pool;
	(void)worker;
	(void)info;
	++*(int *)count;
}

static void child_makes_its_own(void)
{
	long done = 0;
	int inherited = 0;
	doze_trace_for_each_worker(count_worker, &inherited);
	if (inherited != 0)
		_exit(2); /* the child has none of the pool's threads */
	doze_pool *pool = help_pool(3, NULL);
	doze_install(pool, help_count, &done);
	doze_install(NULL, help_count, &done); /* the child also has its own default pool */
	doze_pool_free(pool);
	_exit(done == 2 ? 0 : 1);
}

#ifdef DOZE_TSAN
static void child_has_pools_of_its_own(void)
{
	(void)child_makes_its_own;
	CU_PASS("ThreadSanitizer mistakes a child's threads for its parent's, and aborts");
}
#else
static void child_has_pools_of_its_own(void)
{
	char text[200];
	long done = 0;
	doze_pool *pool = help_pool(3, NULL);
	doze_install(NULL, help_count, &done);
	for (int i = 0; i < 5; i++) {
		int status = help_in_child(child_makes_its_own, text, sizeof text);
		CU_ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
		doze_install(pool, help_count, &done); /* the parent's pool still works */
	}
	CU_ASSERT_EQUAL(done, 6);
	doze_pool_free(pool);
	doze_default_pool_free();
}
#endif

/* ---- termination with work in flight ---- */

static void spawn_again(void *arg)
{
	long n = help_read(arg);
	help_count(arg);
	if (n < 2000)
		(void)doze_spawn(NULL, spawn_again, arg);
}

static void end_while_work_breeds(void)
{
	for (unsigned n = 1; n <= 4; n++) {
		long count = 0;
		doze_pool *pool = help_pool(n, NULL);
		(void)doze_spawn(pool, spawn_again, &count);
		doze_pool_free(pool);
		CU_ASSERT_EQUAL(count, 2001);
	}
}

static const struct suite_test tests[] = {
    {"a sleeping pool uses no CPU time (rayon #642)", sleeping_pool_burns_nothing},
    {"running a no-op every 10 ms uses almost no CPU time (rayon #746)", noop_every_10_ms},
    {"the body of an in-place scope may block on its own job (rayon #835)", blocking_scope_body},
    {"1100 workers start, run two broadcasts and stop (rayon #883)", thousand_workers},
    {"10,000 pools can be created and freed", ten_thousand_pools},
    {"a forked child may create pools while its parent's pools run", child_has_pools_of_its_own},
    {"freeing a pool waits for the whole chain of spawns", end_while_work_breeds},
};
SUITE_MAIN("hazard", tests)
