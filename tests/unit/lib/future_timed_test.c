/*
 * SPDX-License-Identifier: MIT
 *
 * Timed gets, tombstones of claimed futures in a deque, and nested waits.
 */
#include "help.h"
#include "lib/atomic.h"
#include "lib/pool.h"
#include "tests/fixtures/suite.h"

#include <errno.h>
#include <stdlib.h>

#define MS UINT64_C(1000000)

static doze_pool *pool, *other;
static doze_future *slow;
static long gate, runs, done; /* atomic */
static long wrong; /* atomic: failures on workers, where CUnit's assertions must not run */

#define EXPECT(what) ((what) ? (void)0 : help_count(&wrong))

static doze_future *submit(doze_pool *where, doze_task_fn fn, void *arg)
{
	doze_future *f;
	if (doze_submit(&f, where, fn, arg) != 0)
		abort();
	return f;
}

static void *until_open(void *arg)
{
	help_count(&runs);
	(void)help_reaches(&gate, 1, 10);
	return arg;
}

static void *count_run(void *arg)
{
	help_count(&runs);
	return arg;
}

static void begin(unsigned workers, const char *policy)
{
	gate = runs = done = wrong = 0;
	pool = help_pool(workers, policy);
	other = help_pool(1, policy);
}

static void end(void)
{
	doze_pool_free(pool);
	doze_pool_free(other);
	CU_ASSERT_EQUAL(wrong, 0);
}

static void from_outside(void)
{
	void *result = NULL;

	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++) {
		begin(1, (*p)->name);
		slow = submit(pool, until_open, &gate);
		double before = help_now();
		CU_ASSERT_EQUAL(doze_future_get_timed(slow, 0, &result), ETIMEDOUT);
		CU_ASSERT_EQUAL(doze_future_get_timed(slow, 20 * MS, &result), ETIMEDOUT);
		CU_ASSERT_TRUE(help_now() - before >= 0.02);
		CU_ASSERT_EQUAL(doze_future_get_timed(slow, 20 * MS, NULL), ETIMEDOUT);
		help_count(&gate);
		CU_ASSERT_EQUAL(doze_future_get_timed(slow, UINT64_MAX, &result), 0);
		CU_ASSERT_PTR_EQUAL(result, &gate);
		CU_ASSERT_EQUAL(doze_future_get_timed(slow, 0, NULL), 0);
		doze_future_free(slow);
		end();
	}
}

/* Several threads get one future, with and without a deadline; some of them time out. */
static void one_getter(void *arg)
{
	void *result = NULL;
	int error = doze_future_get_timed(slow, (uint64_t)(intptr_t)arg, &result);
	if (error == ETIMEDOUT ? (intptr_t)arg < (intptr_t)(1000 * MS) : result == &gate)
		help_count(&done);
}

static void several_threads(void)
{
	struct help_thread *t[6];

	begin(1, NULL);
	slow = submit(pool, until_open, &gate);
	for (intptr_t i = 0; i < 6; i++)
		t[i] = help_thread_start(
		    one_getter, (void *)(i % 2 ? (intptr_t)(9000 * MS) : i * (intptr_t)MS));
	for (int i = 0; i < 6; i += 2)
		help_thread_join(t[i]);
	help_count(&gate);
	CU_ASSERT_PTR_EQUAL(doze_future_get(slow), &gate);
	for (int i = 1; i < 6; i += 2)
		help_thread_join(t[i]);
	CU_ASSERT_EQUAL(help_read(&done), 6);
	doze_future_free(slow);
	end();
}

/* With one worker, the spare thread runs the task. The task never runs on the caller's stack. */
static void get_own_in_time(void *arg)
{
	void *result = NULL;
	doze_future *f = submit(NULL, count_run, arg);
	EXPECT(doze_future_get_timed(f, 0, &result) == ETIMEDOUT);
	EXPECT(help_read(&runs) == 0);
	EXPECT(doze_future_get_timed(f, 9000 * MS, &result) == 0);
	EXPECT(result == arg);
	EXPECT(doze_worker_index() == 0);
	doze_future_free(f);
}

static void give_up_on_other(void *arg)
{
	EXPECT(doze_future_get_timed(slow, 5 * MS, NULL) == ETIMEDOUT);
	EXPECT(doze_worker_index() == 0);
	(void)arg;
}

static void on_a_worker(void)
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++) {
		begin(1, (*p)->name);
		doze_install(pool, get_own_in_time, &done);
		CU_ASSERT_EQUAL(help_read(&runs), 1);
		slow = submit(other, until_open, NULL);
		doze_install(pool, give_up_on_other, NULL);
		CU_ASSERT_EQUAL(pool->suspend.count, 0);
		help_count(&gate);
		doze_future_free(slow);
		end();
	}
}

/* A cycle of timed gets is not an error: one of them times out. */
static void *get_slow_in_time(void *arg)
{
	EXPECT(doze_future_get_timed(slow, MS, NULL) == ETIMEDOUT);
	return arg;
}

static void *submit_and_get_itself(void *arg)
{
	(void)help_reaches(&gate, 1, 10);
	return get_slow_in_time(arg);
}

static void no_cycle(void)
{
	begin(1, NULL);
	slow = submit(pool, submit_and_get_itself, &gate);
	help_count(&gate);
	CU_ASSERT_PTR_EQUAL(doze_future_get(slow), &gate);
	doze_future_free(slow);
	end();
}

/* When max_suspended is reached, the worker's thread blocks until the deadline. */
static void *get_slow(void *arg)
{
	(void)doze_future_get(slow);
	return arg;
}

static void at_the_limit(void)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	begin(1, NULL);
	doze_pool_free(pool);
	config.num_threads = config.max_suspended = 1;
	CU_ASSERT_EQUAL_FATAL(doze_pool_create(&pool, &config), 0);
	slow = submit(other, until_open, NULL);
	doze_future *waits = submit(pool, get_slow, &gate);
	doze_install(pool, give_up_on_other, NULL);
	help_count(&gate);
	CU_ASSERT_PTR_EQUAL(doze_future_get(waits), &gate);
	doze_future_free(waits);
	doze_future_free(slow);
	end();
}

/* ---- tombstones ---- */

static int64_t capacity(void)
{
	return da_load(&doze_self->deque.buffer, RLX)->capacity;
}

/* Gets the newest task first, or the oldest first. Neither order leaves a tombstone behind. */
static void submit_and_get(void *arg)
{
	doze_future *f[100];
	bool oldest_first = arg != NULL;

	for (int round = 0; round < 1000; round++) {
		for (int i = 0; i < 100; i++)
			f[i] = submit(NULL, count_run, NULL);
		for (int i = 0; i < 100; i++) {
			doze_future *got = f[oldest_first ? i : 99 - i];
			(void)doze_future_get(got);
			doze_future_free(got);
		}
		if (!oldest_first)
			EXPECT(doze_deque_length(&doze_self->deque) == 0);
	}
	EXPECT(capacity() == 256);
}

static void memory_stays_flat(void)
{
	begin(1, "jec");
	doze_install(pool, submit_and_get, NULL);
	doze_install(pool, submit_and_get, pool);
	CU_ASSERT_EQUAL(help_read(&runs), 200000);
	end();
}

/* A sweep keeps the jobs that are not tombstones, in order. */
static long order;
static void next_in_order(void *arg)
{
	if (help_read(&order) == (intptr_t)arg)
		help_count(&order);
}

static void spawn_between(void *arg)
{
	enum { FUTURES = 600, SPAWNED = 30 };
	doze_future *f[FUTURES];

	for (intptr_t i = 0; i < FUTURES; i++) {
		f[i] = submit(NULL, count_run, arg);
		if (i % (FUTURES / SPAWNED) == 0)
			EXPECT(doze_spawn(NULL, next_in_order,
					  (void *)(SPAWNED - 1 - i / (FUTURES / SPAWNED))) == 0);
		if (i > 0) /* not the newest task: leaves a tombstone */
			(void)doze_future_get(f[i - 1]);
	}
	EXPECT(capacity() == 256); /* the tasks fit only if a sweep removes the tombstones */
	for (int i = 0; i < FUTURES; i++)
		doze_future_free(f[i]);
	EXPECT(help_read(&order) == 0);
}

static void others_survive(void)
{
	order = 0;
	begin(1, "jec");
	doze_install(pool, spawn_between, NULL);
	end();
	CU_ASSERT_EQUAL(order, 30);
}

/* ---- depth ---- */

static void wait_for_other(void *arg)
{
	doze_install(other, help_count, arg);
	help_count(&runs);
}

/* Each job that waits finds the next job. If it ran that job on its own stack, 5000 jobs would be
 * nested on one stack. */
static void many_that_wait(void)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	begin(1, NULL);
	doze_pool_free(pool);
	config.num_threads = 1;
	config.stack_size = 128 * 1024;
	CU_ASSERT_EQUAL_FATAL(doze_pool_create(&pool, &config), 0);
	for (int i = 0; i < 5000; i++)
		CU_ASSERT_EQUAL(doze_spawn(pool, wait_for_other, &done), 0);
	end();
	CU_ASSERT_EQUAL(runs, 5000);
	CU_ASSERT_EQUAL(done, 5000);
}

/* A chain in which each task gets the previous task's result; the caller gets the last one. */
static doze_future *chain[5000];
static void *get_before(void *arg)
{
	intptr_t i = (intptr_t)arg;
	return (void *)(i == 0 ? 1 : 1 + (intptr_t)doze_future_get(chain[i - 1]));
}

static void get_chain(void *arg)
{
	for (intptr_t i = 0; i < 5000; i++)
		chain[i] = submit(NULL, get_before, (void *)i);
	EXPECT((intptr_t)doze_future_get(chain[4999]) == 5000);
	(void)arg;
}

static void long_chain(void)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	for (unsigned workers = 1; workers <= 3; workers++) {
		config.num_threads = workers;
		config.stack_size = 128 * 1024;
		CU_ASSERT_EQUAL_FATAL(doze_pool_create(&pool, &config), 0);
		doze_install(pool, get_chain, NULL);
		doze_pool_free(pool);
		for (int i = 0; i < 5000; i++)
			doze_future_free(chain[i]);
		CU_ASSERT_EQUAL(wrong, 0);
	}
}

static const struct suite_test tests[] = {
    {"a timed get on an outside thread returns the result or ETIMEDOUT", from_outside},
    {"several threads can wait, each with its own deadline", several_threads},
    {"a single worker suspends its wait, and a spare thread runs the task", on_a_worker},
    {"a cycle of timed gets is broken when one of them times out", no_cycle},
    {"at the limit of suspended waits, a worker blocks until the deadline", at_the_limit},
    {"a job that submits, gets and frees many tasks keeps the deque small", memory_stays_flat},
    {"jobs between tombstones keep their order", others_survive},
    {"5000 queued jobs that wait use little stack", many_that_wait},
    {"a chain of 5000 tasks uses little stack", long_chain},
};
SUITE_MAIN("future_timed", tests)
