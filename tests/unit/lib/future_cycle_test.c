/*
 * SPDX-License-Identifier: MIT
 *
 * Cycles of futures, and too many suspended waits. Each case runs in a child process, which must
 * abort with the right message.
 */
#include "help.h"
#include "lib/sleep/sleep.h"
#include "tests/fixtures/suite.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const char *policy;
static unsigned workers;
static doze_pool *pool, *other;
static doze_future *ring[3];
static long open_gate; /* atomic */
static char text[8192];

static doze_future *submit(doze_pool *where, doze_task_fn fn, void *arg)
{
	doze_future *f;
	if (doze_submit(&f, where, fn, arg) != 0)
		abort();
	return f;
}

static void *get_first(void *arg)
{
	(void)help_reaches(&open_gate, 1, 10);
	(void)doze_future_get(ring[0]);
	return arg;
}

static void *get_next(void *arg)
{
	(void)help_reaches(&open_gate, 1, 10);
	(void)doze_future_get(ring[((intptr_t)arg + 1) % 3]);
	return arg;
}

static void get_ring(void)
{
	help_count(&open_gate);
	(void)doze_future_get(ring[0]);
}

static void itself(void)
{
	pool = help_pool(workers, policy);
	ring[0] = submit(pool, get_first, NULL);
	get_ring();
}

static void three(void)
{
	pool = help_pool(workers, policy);
	for (intptr_t i = 0; i < 3; i++)
		ring[i] = submit(pool, get_next, (void *)i);
	get_ring();
}

static void through_two_pools(void)
{
	pool = help_pool(workers, policy);
	other = help_pool(1, policy);
	for (intptr_t i = 0; i < 3; i++)
		ring[i] = submit(i == 1 ? other : pool, get_next, (void *)i);
	get_ring();
}

/* The half that calls get must be stolen, so the other half waits until the stolen half has
 * begun. */
static long half_begun;
static void half_gets(void *arg)
{
	help_count(&half_begun);
	(void)get_first(arg);
}

static void until_half_begun(void *arg)
{
	(void)help_reaches(&half_begun, 1, workers > 1 ? 10 : 0);
	(void)arg;
}

static void *join_whose_half_gets(void *arg)
{
	(void)help_reaches(&open_gate, 1, 10);
	doze_join(until_half_begun, arg, half_gets, arg);
	return arg;
}

static void through_a_join(void)
{
	pool = help_pool(workers, policy);
	ring[0] = submit(pool, join_whose_half_gets, NULL);
	get_ring();
}

static void scope_job_gets(doze_scope *scope, void *arg)
{
	(void)scope;
	(void)get_first(arg);
}

static void scope_body(doze_scope *scope, void *arg)
{
	if (doze_scope_spawn(scope, scope_job_gets, arg) != 0)
		abort();
}

static void *scope_whose_job_gets(void *arg)
{
	(void)help_reaches(&open_gate, 1, 10);
	(void)doze_scope_run(other, scope_body, arg);
	return arg;
}

static void through_a_scope_in_another_pool(void)
{
	pool = help_pool(workers, policy);
	other = help_pool(1, policy);
	ring[0] = submit(pool, scope_whose_job_gets, NULL);
	get_ring();
}

static bool aborts(void (*run)(void))
{
	int status = help_in_child(run, text, sizeof text);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static unsigned members(void)
{
	unsigned n = 0;
	for (const char *at = text; (at = strstr(at, " waits for ")) != NULL; at++)
		n++;
	return n;
}

static void reported(void (*run)(void), unsigned least, unsigned most)
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++) {
		for (workers = least; workers <= most; workers++) {
			policy = (*p)->name;
			CU_ASSERT_TRUE(aborts(run));
			CU_ASSERT_PTR_NOT_NULL(strstr(text, "wait for each other forever"));
			CU_ASSERT_PTR_NOT_NULL(strstr(text, "which closes the cycle\n"));
			CU_ASSERT_EQUAL(members(),
					run == three || run == through_two_pools ? 3 : 1);
		}
	}
}

static void itself_is_reported(void)
{
	reported(itself, 1, 2);
}

static void three_are_reported(void)
{
	reported(three, 1, 4);
}

static void two_pools_are_reported(void)
{
	reported(through_two_pools, 1, 2);
}

static void join_is_reported(void)
{
	reported(through_a_join, 1, 2);
}

static void scope_is_reported(void)
{
	reported(through_a_scope_in_another_pool, 1, 2);
}

/* ---- too many suspended waits ---- */

static void *until_open(void *arg)
{
	(void)help_reaches(&open_gate, 1, 10);
	return arg;
}

static void *get_slow(void *arg)
{
	(void)doze_future_get(ring[0]);
	return arg;
}

static doze_future *getter[9];

/* Submits tasks that all get the result of the same slow task. */
static void queue_slow_getters(int count)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	config.num_threads = 1;
	config.policy = policy;
	config.max_suspended = 3;
	if (doze_pool_create(&pool, &config) != 0)
		abort();
	other = help_pool(1, policy);
	ring[0] = submit(other, until_open, NULL);
	for (int i = 0; i < count; i++)
		getter[i] = submit(pool, get_slow, NULL);
}

static void four_getters(void)
{
	queue_slow_getters(4); /* three waits are suspended, and the fourth finds no job to run */
	help_count(&open_gate);
	doze_pool_free(pool);
	doze_pool_free(other);
	doze_future_free(ring[0]);
	for (int i = 0; i < 4; i++)
		doze_future_free(getter[i]);
}

static void nine_getters(void)
{
	queue_slow_getters(9);
	(void)doze_future_get(getter[8]);
}

static void too_many(void)
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++) {
		policy = (*p)->name;
		CU_ASSERT_EQUAL(help_in_child(four_getters, text, sizeof text), 0);
		CU_ASSERT_TRUE(aborts(nine_getters));
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "DOZE_MAX_SUSPENDED"));
		CU_ASSERT_EQUAL(members(), 4);
	}
}

static void bad_limit(void)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	doze_pool *none;
	config.max_suspended = 2000000;
	CU_ASSERT_EQUAL(doze_pool_create(&none, &config), EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(doze_last_error(), "doze_config.max_suspended"));
	(void)setenv("DOZE_MAX_SUSPENDED", "many", 1);
	CU_ASSERT_EQUAL(doze_pool_create(&none, NULL), EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(doze_last_error(), "DOZE_MAX_SUSPENDED is \"many\""));
	(void)unsetenv("DOZE_MAX_SUSPENDED");
}

static const struct suite_test tests[] = {
    {"a task that gets its own future is reported", itself_is_reported},
    {"a cycle of three tasks is reported with the name of each task", three_are_reported},
    {"a cycle of waits across two pools is reported", two_pools_are_reported},
    {"a cycle of futures through a stolen half of a join is reported", join_is_reported},
    {"a cycle of futures through a scope in another pool is reported", scope_is_reported},
    {"the report of too many suspended waits shows the chain of waits", too_many},
    {"the error for a bad limit names the limit", bad_limit},
};
SUITE_MAIN("future_cycle", tests)
