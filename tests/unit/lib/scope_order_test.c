/*
 * SPDX-License-Identifier: MIT
 *
 * The order in which a single worker runs the jobs of scopes.
 */
#include "help.h"
#include "tests/fixtures/suite.h"

#include <string.h>

typedef int scope_call(doze_pool *, doze_scope_fn, void *);

/* ---- nested scopes that each spawn jobs ---- */

struct list {
	int values[7], count;
};

struct item {
	struct list *list;
	int value;
};

struct mixed {
	struct list list;
	struct item items[7];
	int used;
	scope_call *inner_scope;
	doze_scope *outer;
};

static void append(doze_scope *scope, void *arg)
{
	const struct item *item = arg;
	(void)scope;
	item->list->values[item->list->count++] = item->value;
}

static void spawn_value(doze_scope *scope, struct mixed *m, int value)
{
	struct item *item = &m->items[m->used++];
	*item = (struct item){&m->list, value};
	(void)doze_scope_spawn(scope, append, item);
}

/* -1, 1, -2, 2, -3: negative numbers in the inner scope, positive numbers in the outer one. */
static void inner_body(doze_scope *inner, void *arg)
{
	struct mixed *m = arg;
	spawn_value(inner, m, -1);
	spawn_value(m->outer, m, 1);
	spawn_value(inner, m, -2);
	spawn_value(m->outer, m, 2);
	spawn_value(inner, m, -3);
}

static void outer_body(doze_scope *outer, void *arg)
{
	struct mixed *m = arg;
	m->outer = outer;
	spawn_value(outer, m, 0);
	(void)m->inner_scope(NULL, inner_body, m);
	spawn_value(outer, m, 3);
}

static void expect_mixed(scope_call *outer, scope_call *inner, const int *expected)
{
	struct mixed m;
	memset(&m, 0, sizeof m);
	m.inner_scope = inner;
	doze_pool *pool = help_pool(1, NULL);
	(void)outer(pool, outer_body, &m);
	doze_pool_free(pool);
	CU_ASSERT_EQUAL(m.list.count, 7);
	CU_ASSERT_EQUAL(memcmp(m.list.values, expected, 7 * sizeof *expected), 0);
}

static void mixed_orders(void)
{
	static const int lifo[7] = {-3, 2, -2, 1, -1, 3, 0};
	static const int fifo[7] = {-1, 0, -2, 1, -3, 2, 3};
	static const int lifo_fifo[7] = {-1, 2, -2, 1, -3, 3, 0};
	static const int fifo_lifo[7] = {-3, 0, -2, 1, -1, 2, 3};
	expect_mixed(doze_scope_run, doze_scope_run, lifo);
	expect_mixed(doze_scope_run_fifo, doze_scope_run_fifo, fifo);
	expect_mixed(doze_scope_run, doze_scope_run_fifo, lifo_fifo);
	expect_mixed(doze_scope_run_fifo, doze_scope_run, fifo_lifo);
}

/* ---- ten jobs, each of which may spawn ten more ---- */

struct order {
	int values[100], count;
	struct order_item {
		struct order *order;
		int value;
	} items[10], inner[10][10];
	bool nested;
	scope_call *inner_scope;
};

static void order_append(doze_scope *scope, void *arg)
{
	struct order_item *item = arg;
	(void)scope;
	item->order->values[item->order->count++] = item->value;
}

static void order_inner(doze_scope *scope, void *arg)
{
	struct order_item *item = arg;
	for (int j = 0; j < 10; j++) {
		struct order_item *inner = &item->order->inner[item->value][j];
		*inner = (struct order_item){item->order, item->value * 10 + j};
		(void)doze_scope_spawn(scope, order_append, inner);
	}
}

static void order_outer_job(doze_scope *scope, void *arg)
{
	struct order_item *item = arg;
	(void)scope;
	(void)item->order->inner_scope(NULL, order_inner, item);
}

static void order_body(doze_scope *scope, void *arg)
{
	struct order *o = arg;
	for (int i = 0; i < 10; i++) {
		o->items[i] = (struct order_item){o, i};
		(void)doze_scope_spawn(scope, o->nested ? order_outer_job : order_append,
				       &o->items[i]);
	}
}

/* Returns the value expected at place k; the outer and the inner numbers each rise or fall. */
static int expected_at(int k, bool outer_rises, bool inner_rises)
{
	int i = outer_rises ? k / 10 : 9 - k / 10;
	int j = inner_rises ? k % 10 : 9 - k % 10;
	return i * 10 + j;
}

static void expect_nested(bool outer_fifo, bool inner_fifo)
{
	static struct order o;
	int wrong = 0;
	memset(&o, 0, sizeof o);
	o.nested = true;
	o.inner_scope = inner_fifo ? doze_scope_run_fifo : doze_scope_run;
	doze_pool *pool = help_pool(1, NULL);
	(void)(outer_fifo ? doze_scope_run_fifo : doze_scope_run)(pool, order_body, &o);
	doze_pool_free(pool);
	CU_ASSERT_EQUAL(o.count, 100);
	for (int k = 0; k < 100; k++)
		wrong += o.values[k] != expected_at(k, outer_fifo, inner_fifo);
	CU_ASSERT_EQUAL(wrong, 0);
}

static void plain_and_nested_orders(void)
{
	static struct order o;
	doze_pool *pool = help_pool(1, NULL);
	for (int fifo = 0; fifo < 2; fifo++) {
		int wrong = 0;
		memset(&o, 0, sizeof o);
		(void)(fifo ? doze_scope_run_fifo : doze_scope_run)(pool, order_body, &o);
		for (int k = 0; k < 10; k++)
			wrong += o.values[k] != (fifo ? k : 9 - k);
		CU_ASSERT_EQUAL(wrong, 0);
	}
	doze_pool_free(pool);
	for (int kind = 0; kind < 4; kind++)
		expect_nested(kind & 1, kind & 2);
}

static const struct suite_test tests[] = {
    {"LIFO and FIFO scopes, mixed on one worker, keep their own orders", mixed_orders},
    {"plain and nested scopes on one worker keep their order", plain_and_nested_orders},
};
SUITE_MAIN("scope_order", tests)
