/*
 * SPDX-License-Identifier: MIT
 *
 * Deadlock detection under forced schedules: a pending wake is not a deadlock, and the counts of
 * active workers stay correct after a spurious wake. deadlock_test.c has the simple cases.
 */
#include "help.h"
#include "hold.h"
#include "lib/deadlock.h"
#include "lib/forkjoin/forkjoin.h"
#include "lib/pool.h"
#include "tests/fixtures/suite.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct scene {
	struct doze_pool *pool;
	long calls, locked_calls; /* atomic */
	long blocked, unblock, done, calls_at_job;
	int worker;
};

static void on_deadlock(void *arg)
{
	struct scene *s = arg;
	doze_mutex *lock = s->pool->deadlock->lock;
	/* Other threads hold the lock only briefly, so a timeout means that this thread itself
	 * holds it. */
	struct timespec soon;
	(void)clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_sec += 5;
	if (pthread_mutex_timedlock(lock, &soon) == 0)
		pthread_mutex_unlock(lock);
	else
		help_count(&s->locked_calls);
	help_count(&s->calls);
}

static void block(void *arg)
{
	struct scene *s = arg;
	s->worker = doze_worker_index();
	doze_mark_blocked();
	help_count(&s->blocked);
	(void)help_reaches(&s->unblock, 1, 25);
	help_count(&s->done);
}

static void unblock(struct scene *s)
{
	doze_mark_unblocked(s->pool, s->worker);
	help_count(&s->unblock);
}

static void job(void *arg)
{
	struct scene *s = arg;
	s->calls_at_job = help_read(&s->calls);
	unblock(s);
	help_count(&s->done);
}

/* One worker blocks. When the job that releases it is posted, the other worker has already made its
 * last search. */
static void pending_injection(const char *policy)
{
	struct scene s;
	memset(&s, 0, sizeof s);
	s.pool = hold_pool_new(2, policy, on_deadlock, &s);
	hold_await(HOLD_BEFORE_SLEEP,
		   /* Under tickle, workers become sleepy one at a time. */
		   strcmp(policy, "tickle") == 0 ? 1 : 2);
	CU_ASSERT_EQUAL(doze_spawn(s.pool, block, &s), 0);
	hold_release(HOLD_BEFORE_SLEEP, 1);
	CU_ASSERT_TRUE(help_reaches(&s.blocked, 1, 10));
	hold_await(HOLD_BEFORE_SLEEP, 1);
	CU_ASSERT_EQUAL(doze_spawn(s.pool, job, &s), 0);
	hold_end(HOLD_BEFORE_SLEEP);
	bool right = help_reaches(&s.done, 2, 10) && s.calls_at_job == 0;
	if (!right)
		fprintf(stderr, "\npolicy %s: %ld handler calls despite a pending job\n", policy,
			s.calls_at_job);
	CU_ASSERT_TRUE(right);
	hold_pool_free(s.pool);
}

static void pending_injection_is_no_deadlock(void)
{
	suite_allow_seconds(120);
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		if (strcmp((*p)->name, "spin") != 0)
			pending_injection((*p)->name);
}

/* ---- one worker blocks, then the other falls asleep: one deadlock ---- */

static void once(const char *policy)
{
	struct scene s;
	memset(&s, 0, sizeof s);
	s.pool = hold_pool_new(2, policy, on_deadlock, &s);
	hold_await(HOLD_BEFORE_SLEEP, strcmp(policy, "tickle") == 0 ? 1 : 2);
	CU_ASSERT_EQUAL(doze_spawn(s.pool, block, &s), 0);
	hold_release(HOLD_BEFORE_SLEEP, 1);
	CU_ASSERT_TRUE(help_reaches(&s.blocked, 1, 10));
	hold_await(HOLD_BEFORE_SLEEP, 1);
	CU_ASSERT_EQUAL(help_read(&s.calls), 0); /* no deadlock yet: the other worker still runs */
	hold_end(HOLD_BEFORE_SLEEP);
	bool right = help_reaches(&s.calls, 1, 10);
	help_sleep_us(30000);
	right = right && help_read(&s.calls) == 1;
	if (!right)
		fprintf(stderr, "\npolicy %s: %ld handler calls for one deadlock\n", policy,
			s.calls);
	CU_ASSERT_TRUE(right);
	unblock(&s);
	hold_pool_free(s.pool);
}

static void called_exactly_once(void)
{
	suite_allow_seconds(120);
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		if (strcmp((*p)->name, "spin") != 0)
			once((*p)->name);
}

/* ---- spurious wakes ---- */

static bool looping(const char *policy)
{
	return strcmp(policy, "jec") == 0 || strcmp(policy, "go") == 0 ||
	       strcmp(policy, "demand") == 0;
}

/* Under a policy that waits in a loop, the worker keeps waiting. Under other policies, the worker
 * leaves the wait, finds no job and sleeps again, so the deadlock is reported a second time. */
static void spurious(const char *policy)
{
	struct scene s;
	memset(&s, 0, sizeof s);
	s.pool = hold_pool_new(2, policy, on_deadlock, &s);
	hold_end(HOLD_BEFORE_SLEEP);
	(void)doze_spawn(s.pool, block, &s);
	bool right = help_reaches(&s.calls, 1, 10) && help_all_still(s.pool);
	long calls = help_read(&s.calls);
	for (int i = 0; i < 3 && right; i++) {
		hold_wake_spuriously(s.pool);
		right = looping(policy) || help_reaches(&s.calls, ++calls, 5);
		help_sleep_us(20000);
		right = right && help_read(&s.calls) == calls && help_active(s.pool) == 0;
	}
	if (!right)
		fprintf(stderr,
			"\npolicy %s: %ld handler calls instead of %ld, %u active workers\n",
			policy, help_read(&s.calls), calls, help_active(s.pool));
	CU_ASSERT_TRUE(right);
	CU_ASSERT_EQUAL(s.locked_calls, 0);
	unblock(&s);
	hold_pool_free(s.pool);
}

static void spurious_wakes_keep_the_counts(void)
{
	suite_allow_seconds(120);
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		if (strcmp((*p)->name, "spin") != 0)
			spurious((*p)->name);
}

static void tickle_lends_its_lock(void)
{
	struct scene s;
	memset(&s, 0, sizeof s);
	s.pool = hold_pool_new(1, "tickle", on_deadlock, &s);
	CU_ASSERT_PTR_EQUAL(s.pool->deadlock->lock, hold_sleep_lock(s.pool, 0));
	hold_pool_free(s.pool);
}

static const struct suite_test tests[] = {
    {"a job injected at the last moment prevents a deadlock report",
     pending_injection_is_no_deadlock},
    {"the handler is called exactly once when the last worker falls asleep", called_exactly_once},
    {"spurious wakes leave the counts correct, and the handler is called without the lock",
     spurious_wakes_keep_the_counts},
    {"tickle detects deadlocks under the same lock that it uses for sleeping",
     tickle_lends_its_lock},
};
SUITE_MAIN("forced_deadlock", tests)
