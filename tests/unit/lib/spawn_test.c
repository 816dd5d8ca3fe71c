/*
 * SPDX-License-Identifier: MIT
 *
 * spawn and spawn_fifo: no job is lost, and a single worker runs the jobs in the right order.
 */
#include "help.h"
#include "tests/fixtures/suite.h"

#include <string.h>

typedef int spawn_fn(doze_pool *, doze_fn, void *);

/* ---- order: each job appends its number to a list; with one worker, no lock is needed ---- */

struct list {
	int values[100], count;
};

struct item {
	struct list *list;
	int value;
	spawn_fn *inner;
	struct item *children;
};

static void append(void *arg)
{
	const struct item *item = arg;
	item->list->values[item->list->count++] = item->value;
}

struct mixed {
	struct list list;
	struct item items[7];
	spawn_fn *positive, *negative;
};

/* 0, -1, 1, -2, 2, -3, 3: the jobs with negative numbers are spawned by the other function. */
static void spawn_mixed(void *arg)
{
	struct mixed *m = arg;
	static const int values[7] = {0, -1, 1, -2, 2, -3, 3};
	for (int i = 0; i < 7; i++) {
		m->items[i] = (struct item){&m->list, values[i], NULL, NULL};
		(void)(values[i] < 0 ? m->negative : m->positive)(NULL, append, &m->items[i]);
	}
}

static void expect_mixed(spawn_fn *positive, spawn_fn *negative, const int *expected)
{
	struct mixed m;
	memset(&m, 0, sizeof m);
	m.positive = positive;
	m.negative = negative;
	doze_pool *pool = help_pool(1, NULL);
	doze_install(pool, spawn_mixed, &m);
	doze_pool_free(pool);
	CU_ASSERT_EQUAL(m.list.count, 7);
	CU_ASSERT_EQUAL(memcmp(m.list.values, expected, 7 * sizeof *expected), 0);
}

static void mixed_orders(void)
{
	static const int lifo_fifo[7] = {3, -1, 2, -2, 1, -3, 0};
	static const int fifo_lifo[7] = {0, -3, 1, -2, 2, -1, 3};
	expect_mixed(doze_spawn, doze_spawn_fifo, lifo_fifo);
	expect_mixed(doze_spawn_fifo, doze_spawn, fifo_lifo);
}

/* 10 outer jobs, each of which spawns 10 inner ones that append 10 * i + j. */
struct nested {
	struct list list;
	struct item outer[10], inner[10][10];
	spawn_fn *spawn_outer, *spawn_inner;
};

static void spawn_children(void *arg)
{
	struct item *item = arg;
	for (int j = 0; j < 10; j++) {
		item->children[j] = (struct item){item->list, item->value * 10 + j, NULL, NULL};
		(void)item->inner(NULL, append, &item->children[j]);
	}
}

static void spawn_outer(void *arg)
{
	struct nested *n = arg;
	for (int i = 0; i < 10; i++) {
		n->outer[i] = (struct item){&n->list, i, n->spawn_inner, n->inner[i]};
		(void)n->spawn_outer(NULL, spawn_children, &n->outer[i]);
	}
}

/* Return the value expected at place k of 100, for each kind of nesting. */
static int lifo_value(int k)
{
	return 99 - k;
}
static int fifo_value(int k)
{
	return k;
}
static int lifo_fifo_value(int k)
{
	return (9 - k / 10) * 10 + k % 10;
}
static int fifo_lifo_value(int k)
{
	return k / 10 * 10 + (9 - k % 10);
}

static void expect_nested(spawn_fn *outer, spawn_fn *inner, int (*value)(int))
{
	static struct nested n;
	int wrong = 0;
	memset(&n, 0, sizeof n);
	n.spawn_outer = outer;
	n.spawn_inner = inner;
	doze_pool *pool = help_pool(1, NULL);
	doze_install(pool, spawn_outer, &n);
	doze_pool_free(pool);
	CU_ASSERT_EQUAL(n.list.count, 100);
	for (int k = 0; k < 100; k++)
		wrong += n.list.values[k] != value(k);
	CU_ASSERT_EQUAL(wrong, 0);
}

static void nested_orders(void)
{
	expect_nested(doze_spawn, doze_spawn, lifo_value);
	expect_nested(doze_spawn_fifo, doze_spawn_fifo, fifo_value);
	expect_nested(doze_spawn, doze_spawn_fifo, lifo_fifo_value);
	expect_nested(doze_spawn_fifo, doze_spawn, fifo_lifo_value);
}

/* ---- no job is lost ---- */

static void end_waits_for_spawned(void)
{
	for (unsigned n = 1; n <= 8; n *= 2) {
		long done = 0;
		doze_pool *pool = help_pool(n, NULL);
		for (int i = 0; i < 1000; i++)
			CU_ASSERT_EQUAL(doze_spawn(pool, help_count, &done), 0);
		doze_pool_free(pool);
		CU_ASSERT_EQUAL(done, 1000);
	}
}

static void spawn_more(void *arg)
{
	help_sleep_us(2000);
	(void)doze_spawn(NULL, help_count, arg);
	(void)doze_spawn_fifo(NULL, help_count, arg);
}

static void nested_spawn_runs_though_pool_ends(void)
{
	long done = 0;
	doze_pool *pool = help_pool(3, NULL);
	for (int i = 0; i < 10; i++)
		(void)doze_spawn(pool, spawn_more, &done);
	doze_pool_free(pool); /* frees the pool while the ten jobs are still running */
	CU_ASSERT_EQUAL(done, 20);
}

static long spawned_count;

static void count_spawned(void *arg)
{
	(void)arg;
	help_count(&spawned_count);
}

static void spawn_counted(void *arg)
{
	for (int i = 0; i < 2000; i++)
		(void)(i % 2 == 0 ? doze_spawn : doze_spawn_fifo)(arg, count_spawned, NULL);
}

static void many_spawners(void)
{
	struct help_thread *threads[3];
	doze_pool *pool = help_pool(4, NULL);
	spawned_count = 0;
	for (int i = 0; i < 3; i++)
		threads[i] = help_thread_start(spawn_counted, pool);
	doze_install(pool, spawn_counted, pool);
	for (int i = 0; i < 3; i++)
		help_thread_join(threads[i]);
	doze_pool_free(pool);
	CU_ASSERT_EQUAL(spawned_count, 8000);
}

static void spawned_from_outside_run_soon(void)
{
	long done = 0;
	doze_pool *pool = help_pool(2, NULL);
	for (long i = 1; i <= 50; i++) {
		help_sleep_us(2000); /* long enough for the workers to fall asleep */
		(void)doze_spawn(pool, help_count, &done);
		CU_ASSERT_TRUE_FATAL(help_reaches(&done, i, 10));
	}
	doze_pool_free(pool);
}

static const struct suite_test tests[] = {
    {"jobs of spawn and spawn_fifo, mixed on one worker, keep their own orders", mixed_orders},
    {"nested spawns on one worker keep their order", nested_orders},
    {"freeing the pool waits for spawned jobs", end_waits_for_spawned},
    {"a job spawned by a spawned job runs even while the pool is being freed",
     nested_spawn_runs_though_pool_ends},
    {"no job is lost when four threads spawn from inside and outside the pool", many_spawners},
    {"each of 50 jobs spawned into a sleeping pool runs", spawned_from_outside_run_soon},
};
SUITE_MAIN("spawn", tests)
