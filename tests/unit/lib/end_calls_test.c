/*
 * SPDX-License-Identifier: MIT
 *
 * Freeing a pool with a deadline while another thread waits for a job in that pool.
 */
#include "help.h"
#include "lib/sleep/sleep.h"
#include "tests/fixtures/suite.h"

#include <errno.h>

#define MS UINT64_C(1000000)

struct caller {
	long begun, stop; /* atomic */
	doze_pool *pool;
	void (*call)(struct caller *);
};

static void hold_up(void *arg)
{
	struct caller *c = arg;
	help_count(&c->begun);
	(void)help_reaches(&c->stop, 1, 20);
}

static void hold_turn(unsigned worker, unsigned workers, void *arg)
{
	(void)workers;
	if (worker == 0)
		hold_up(arg);
}

static void hold_in_scope(doze_scope *scope, void *arg)
{
	(void)scope;
	hold_up(arg);
}

static void spawn_in_scope(doze_scope *scope, void *arg)
{
	(void)doze_scope_spawn(scope, hold_in_scope, arg);
}

static void call_install(struct caller *c)
{
	doze_install(c->pool, hold_up, c);
}

static void call_broadcast(struct caller *c)
{
	(void)doze_broadcast(c->pool, hold_turn, c);
}

static void call_scope(struct caller *c)
{
	(void)doze_scope_in_place(c->pool, spawn_in_scope, c);
}

static void make_call(void *arg)
{
	struct caller *c = arg;
	c->call(c);
}

/* Makes the call from a worker of another pool; while it waits, it runs jobs of its own pool. */
static void make_call_in_pool(void *arg)
{
	doze_pool *other = help_pool(1, NULL);
	doze_install(other, make_call, arg);
	doze_pool_free(other);
}

static void call_in_progress(const char *policy, void (*call)(struct caller *), bool from_pool)
{
	long done = 0;
	struct caller c = {.pool = help_pool(2, policy), .call = call};
	struct help_thread *thread =
	    help_thread_start(from_pool ? make_call_in_pool : make_call, &c);
	CU_ASSERT_TRUE(help_reaches(&c.begun, 1, 10));
	for (int i = 0; i < 200; i++) /* makes workers take spare shares of terminate_count */
		(void)doze_spawn(c.pool, help_count, &done);
	CU_ASSERT_TRUE(help_reaches(&done, 200, 10));
	CU_ASSERT_EQUAL(doze_pool_free_timed(c.pool, 20 * MS, 0, NULL), ETIMEDOUT);
	CU_ASSERT_EQUAL(help_read(&c.stop), 0);  /* freeing did not wait for the call */
	doze_install(c.pool, help_count, &done); /* the pool still works */
	help_count(&c.stop);
	help_thread_join(thread);
	CU_ASSERT_EQUAL(doze_pool_free_timed(c.pool, 20000 * MS, 0, NULL), 0);
}

static void each_call(const char *policy)
{
	static void (*const all[])(struct caller *) = {call_install, call_broadcast, call_scope};
	for (size_t i = 0; i < 2 * sizeof all / sizeof all[0]; i++)
		call_in_progress(policy, all[i / 2], i % 2 != 0);
}

static void calls_are_work(void)
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		each_call((*p)->name);
}

static const struct suite_test tests[] = {
    {"freeing a pool times out while another thread waits for the pool", calls_are_work},
};
SUITE_MAIN("end_calls", tests)
