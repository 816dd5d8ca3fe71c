/*
 * SPDX-License-Identifier: MIT
 *
 * Futures: results, helping, many getters, tombstones.
 */
#include "help.h"
#include "tests/fixtures/suite.h"

#include <pthread.h>
#include <stdlib.h>

static void *square(void *arg)
{
	intptr_t n = (intptr_t)arg;
	return (void *)(n * n);
}

static void result_arrives_outside(void)
{
	doze_pool *pool = help_pool(3, NULL);
	long sum = 0;
	for (intptr_t i = 0; i < 100; i++) {
		doze_future *f;
		CU_ASSERT_EQUAL_FATAL(doze_submit(&f, pool, square, (void *)i), 0);
		sum += (long)(intptr_t)doze_future_get(f);
		CU_ASSERT_TRUE(doze_future_ready(f));
		/* The second get returns the same result. */
		sum += (long)(intptr_t)doze_future_get(f);
		doze_future_free(f);
	}
	CU_ASSERT_EQUAL(sum, 2 * 328350);
	doze_pool_free(pool);
}

static void *fib(void *arg)
{
	intptr_t n = (intptr_t)arg;
	doze_future *f;
	if (n < 2)
		return arg;
	if (doze_submit(&f, NULL, fib, (void *)(n - 1)) != 0)
		abort();
	intptr_t b = (intptr_t)fib((void *)(n - 2));
	intptr_t a = (intptr_t)doze_future_get(f);
	doze_future_free(f);
	return (void *)(a + b);
}

static void nested_futures(void)
{
	for (unsigned n = 1; n <= 4; n++) {
		doze_pool *pool = help_pool(n, NULL);
		doze_future *f;
		CU_ASSERT_EQUAL_FATAL(doze_submit(&f, pool, fib, (void *)18), 0);
		CU_ASSERT_EQUAL((intptr_t)doze_future_get(f), 2584);
		doze_future_free(f);
		doze_pool_free(pool);
	}
}

/* ---- helping ---- */

static void *who_runs(void *arg)
{
	(void)arg;
	return (void *)(intptr_t)(doze_worker_index() + 1);
}

struct helping {
	intptr_t self, ran_by;
	long done;
};

static void get_own(void *arg)
{
	struct helping *h = arg;
	doze_future *below, *f;
	/* The wanted task is below another task in the deque, so it can be claimed, but not
	 * popped. */
	if (doze_submit(&f, NULL, who_runs, NULL) != 0 ||
	    doze_submit(&below, NULL, who_runs, NULL) != 0)
		return;
	h->self = doze_worker_index() + 1;
	h->ran_by = (intptr_t)doze_future_get(f);
	h->done = doze_future_ready(below);
	doze_future_free(f);
	doze_future_free(below);
}

static void getter_runs_it_itself(void)
{
	struct helping h = {0, -1, -1};
	doze_pool *pool = help_pool(1, NULL);
	doze_install(pool, get_own, &h);
	CU_ASSERT_EQUAL(h.ran_by, h.self);
	CU_ASSERT_EQUAL(h.done, 0); /* no other job has run */
	doze_pool_free(pool);
}

static void *count_once(void *arg)
{
	help_count(arg);
	return arg;
}

enum { RACES = 3000 };

static long runs[RACES];

/* Submits a task that thieves may steal, and gets it at once. */
static void race_for_claims(void *arg)
{
	(void)arg;
	for (int i = 0; i < RACES; i++) {
		doze_future *f;
		if (doze_submit(&f, NULL, count_once, &runs[i]) != 0)
			abort();
		if (doze_future_get(f) != &runs[i])
			abort();
		doze_future_free(f);
	}
}

static void each_runs_once(void)
{
	int wrong = 0;
	doze_pool *pool = help_pool(4, NULL);
	doze_install(pool, race_for_claims, NULL);
	doze_pool_free(pool);
	for (int i = 0; i < RACES; i++)
		wrong += runs[i] != 1;
	CU_ASSERT_EQUAL(wrong, 0);
}

/* ---- many getters ---- */

static void *slow(void *arg)
{
	help_sleep_us(20000);
	return arg;
}

struct getters {
	doze_future *future;
	long right;
};

static void get_one(void *arg)
{
	struct getters *g = arg;
	if (doze_future_get(g->future) == g)
		help_count(&g->right);
}

static void many_getters(void)
{
	struct getters g = {NULL, 0};
	struct help_thread *threads[4];
	doze_pool *pool = help_pool(2, NULL), *other = help_pool(1, NULL);
	CU_ASSERT_EQUAL_FATAL(doze_submit(&g.future, pool, slow, &g), 0);
	for (int i = 0; i < 4; i++)
		threads[i] = help_thread_start(get_one, &g);
	doze_install(other, get_one, &g); /* gets the result on a worker of another pool */
	doze_install(pool, get_one, &g);
	for (int i = 0; i < 4; i++)
		help_thread_join(threads[i]);
	CU_ASSERT_EQUAL(g.right, 6);
	doze_future_free(g.future);
	doze_pool_free(pool);
	doze_pool_free(other);
}

static void freed_early_runs_all_the_same(void)
{
	long done = 0;
	doze_pool *pool = help_pool(2, NULL);
	for (int i = 0; i < 500; i++) {
		doze_future *f;
		CU_ASSERT_EQUAL_FATAL(doze_submit(&f, pool, count_once, &done), 0);
		doze_future_free(f);
	}
	doze_pool_free(pool);
	CU_ASSERT_EQUAL(done, 500);
	doze_future_free(NULL);
}

static void kept_beyond_the_pool(void)
{
	doze_pool *pool = help_pool(2, NULL);
	doze_future *f;
	CU_ASSERT_EQUAL_FATAL(doze_submit(&f, pool, square, (void *)7), 0);
	doze_pool_free(pool);
	CU_ASSERT_TRUE(doze_future_ready(f));
	CU_ASSERT_EQUAL((intptr_t)doze_future_get(f), 49);
	doze_future_free(f);
}

static const struct suite_test tests[] = {
    {"every get from an outside thread returns the result", result_arrives_outside},
    {"nested futures work on 1 to 4 workers", nested_futures},
    {"a getter runs only its own task, and only if no worker has started it",
     getter_runs_it_itself},
    {"each task runs once, no matter which thread claims it", each_runs_once},
    {"six getters can wait for one future", many_getters},
    {"the task of a future that is freed early still runs", freed_early_runs_all_the_same},
    {"the result outlives the pool", kept_beyond_the_pool},
};
SUITE_MAIN("future", tests)
