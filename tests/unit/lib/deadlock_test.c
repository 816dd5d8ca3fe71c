/*
 * SPDX-License-Identifier: MIT
 *
 * Deadlock detection under every policy: the handler is called once each time that no worker runs
 * while one is blocked in user code; release and acquire handlers are called in pairs.
 */
#include "help.h"
#include "lib/pool.h"
#include "tests/fixtures/suite.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct scene {
	doze_pool *pool;
	long calls, releases, acquires; /* atomic */
	long blocked, done;             /* atomic */
	long unblock;                   /* atomic: number of blocked jobs that may continue */
	int worker;
};

static void on_deadlock(void *arg)
{
	help_count(&((struct scene *)arg)->calls);
}

static void on_release(void *arg)
{
	help_count(&((struct scene *)arg)->releases);
}

static void on_acquire(void *arg)
{
	help_count(&((struct scene *)arg)->acquires);
}

/* Simulates user code that waits for an action that only another job can perform. */
static void block(void *arg)
{
	struct scene *s = arg;
	s->worker = doze_worker_index();
	doze_mark_blocked();
	help_count(&s->blocked);
	while (help_read(&s->unblock) <= help_read(&s->done))
		help_sleep_us(200);
	help_count(&s->done);
}

static void make(struct scene *s, const char *policy, unsigned workers)
{
	doze_config config = {.num_threads = workers,
			      .policy = policy,
			      .deadlock_handler = on_deadlock,
			      .release_handler = on_release,
			      .acquire_handler = on_acquire,
			      .deadlock_arg = s};
	memset(s, 0, sizeof *s);
	CU_ASSERT_EQUAL_FATAL(doze_pool_create(&s->pool, &config), 0);
}

/* Runs the nth deadlock from its start until it is resolved. `more` is the number of calls beyond n
 * so far. A policy that wakes several workers for one job may detect the deadlock twice: when the
 * job blocks before its waker has woken the others, and again when they go back to sleep. While
 * nothing changes, the deadlock must not be detected again. */
static bool deadlock_once(struct scene *s, long n, long *more)
{
	bool spins = strcmp(s->pool->sleep.policy->name, "spin") == 0;
	bool right = spins || help_all_still(s->pool);
	(void)doze_spawn(s->pool, block, s);
	right &= help_reaches(&s->calls, n + *more, 10) && (spins || help_all_still(s->pool));
	*more = help_read(&s->calls) - n;
	help_sleep_us(20000);
	right &= *more == help_read(&s->calls) - n;
	doze_mark_unblocked(s->pool, s->worker);
	help_count(&s->unblock);
	return right && help_reaches(&s->done, n, 10);
}

static void one_policy(const char *policy, unsigned workers)
{
	struct scene s;
	bool right = true;
	long more = 0;
	make(&s, policy, workers);
	for (long n = 1; n <= 3; n++)
		right &= deadlock_once(&s, n, &more);
	doze_pool_free(s.pool);
	right &= s.releases == s.acquires && s.calls == 3 + more;
	right &= more == 0 || (workers > 1 && strcmp(policy, "jec") != 0);
	if (!right)
		fprintf(stderr,
			"\npolicy %s, %u workers: %ld handler calls, %ld releases, %ld acquires\n",
			policy, workers, s.calls, s.releases, s.acquires);
	CU_ASSERT_TRUE(right);
}

static void others_fall_asleep(void)
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		one_policy((*p)->name, 3);
}

static void the_only_worker_blocks(void)
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		one_policy((*p)->name, 1);
}

static void idle_is_no_deadlock(void)
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++) {
		struct scene s;
		long done = 0;
		make(&s, (*p)->name, 3);
		for (long i = 1; i <= 20; i++) {
			(void)doze_spawn(s.pool, help_count, &done);
			CU_ASSERT_TRUE(help_reaches(&done, i, 10));
			help_sleep_us(500);
		}
		doze_pool_free(s.pool);
		CU_ASSERT_EQUAL(s.calls, 0);
		CU_ASSERT_EQUAL(s.releases, s.acquires);
	}
}

/* One worker is blocked; the others get work now and then, and sleep in between. There is a
 * deadlock whenever the last of them falls asleep, and at no other time. */
static void active_counts_stay_true(void)
{
	struct scene s;
	long done = 0;
	make(&s, "jec", 4);
	/* All workers must be asleep, so that the post wakes exactly one of them. */
	CU_ASSERT_TRUE(help_all_still(s.pool));
	(void)doze_spawn(s.pool, block, &s);
	CU_ASSERT_TRUE(help_reaches(&s.blocked, 1, 10));
	for (long i = 1; i <= 30; i++) {
		CU_ASSERT_TRUE(help_reaches(&s.calls, i, 10));
		(void)doze_spawn(s.pool, help_count, &done);
		CU_ASSERT_TRUE(help_reaches(&done, i, 10));
	}
	CU_ASSERT_TRUE(help_reaches(&s.calls, 31, 10));
	CU_ASSERT_TRUE(help_all_still(s.pool));
	CU_ASSERT_EQUAL(help_read(&s.calls), 31);
	doze_mark_unblocked(s.pool, s.worker);
	help_count(&s.unblock);
	doze_pool_free(s.pool);
	CU_ASSERT_EQUAL(s.releases, s.acquires);
}

static void marks_without_handler(void)
{
	struct scene s;
	doze_stats stats;
	memset(&s, 0, sizeof s);
	s.pool = help_pool(2, NULL);
	(void)doze_spawn(s.pool, block, &s);
	CU_ASSERT_TRUE(help_reaches(&s.blocked, 1, 10));
	doze_pool_stats(s.pool, &stats);
	CU_ASSERT_EQUAL(stats.blocked, 1);
	doze_mark_unblocked(s.pool, s.worker);
	doze_pool_stats(s.pool, &stats);
	CU_ASSERT_EQUAL(stats.blocked, 0);
	help_count(&s.unblock);
	doze_pool_free(s.pool);
	doze_mark_blocked(); /* has no effect outside a worker */
}

static const struct suite_test tests[] = {
    {"the handler is called once for each of three deadlocks", others_fall_asleep},
    {"the handler is called once when the only worker blocks", the_only_worker_blocks},
    {"an idle pool is not reported as a deadlock", idle_is_no_deadlock},
    {"the handler is called each time the last worker falls asleep, and only then",
     active_counts_stay_true},
    {"without a handler, blocked and unblocked marks have no effect", marks_without_handler},
};
SUITE_MAIN("deadlock", tests)
