/*
 * SPDX-License-Identifier: MIT
 *
 * Scopes: all spawned jobs run, the orders on one worker, in-place scopes, calls from other pools.
 */
#include "help.h"
#include "tests/fixtures/suite.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef int scope_call(doze_pool *, doze_scope_fn, void *);

static void empty_body(doze_scope *scope, void *arg)
{
	(void)scope;
	help_count(arg);
}

static void empty_scope(void)
{
	long bodies = 0;
	doze_pool *pool = help_pool(2, NULL);
	CU_ASSERT_EQUAL(doze_scope_run(pool, empty_body, &bodies), 0);
	CU_ASSERT_EQUAL(doze_scope_run_fifo(pool, empty_body, &bodies), 0);
	CU_ASSERT_EQUAL(doze_scope_in_place(pool, empty_body, &bodies), 0);
	CU_ASSERT_EQUAL(doze_scope_in_place_fifo(pool, empty_body, &bodies), 0);
	CU_ASSERT_EQUAL(bodies, 4);
	doze_pool_free(pool);
}

static void spawn_two(doze_scope *scope, void *arg)
{
	(void)doze_scope_spawn(scope, empty_body, arg);
	(void)doze_scope_spawn(scope, empty_body, arg);
}

static void two_spawns(void)
{
	long done = 0;
	doze_pool *pool = help_pool(3, NULL);
	(void)doze_scope_run(pool, spawn_two, &done);
	CU_ASSERT_EQUAL(done, 2);
	(void)doze_scope_run_fifo(pool, spawn_two, &done);
	CU_ASSERT_EQUAL(done, 4);
	doze_pool_free(pool);
}

/* ---- divide and conquer: spawns by spawned functions, in one scope ---- */

struct divide {
	long *leaves;
	int size;
};

static void divide(doze_scope *scope, void *arg)
{
	struct divide *d = arg;
	if (d->size <= 1) {
		help_count(d->leaves);
		free(d);
		return;
	}
	for (int i = 0; i < 2; i++) {
		struct divide *half = malloc(sizeof *half);
		*half = (struct divide){d->leaves, d->size / 2};
		(void)doze_scope_spawn(scope, divide, half);
	}
	free(d);
}

static void divide_and_conquer(void)
{
	static scope_call *const calls[] = {doze_scope_run, doze_scope_run_fifo,
					    doze_scope_in_place, doze_scope_in_place_fifo};
	doze_pool *pool = help_pool(4, NULL);
	for (int i = 0; i < 4; i++) {
		long leaves = 0;
		struct divide *all = malloc(sizeof *all);
		*all = (struct divide){&leaves, 1024};
		CU_ASSERT_EQUAL(calls[i](pool, divide, all), 0);
		CU_ASSERT_EQUAL(leaves, 1024);
	}
	doze_pool_free(pool);
}

/* ---- a tree, each node updated once ---- */

struct node {
	int value;
	struct node *child[3];
};

static struct node *grow(int depth, int *count)
{
	struct node *n = calloc(1, sizeof *n);
	n->value = (*count)++;
	for (int i = 0; depth > 0 && i < 3; i++)
		n->child[i] = grow(depth - 1, count);
	return n;
}

static void update(doze_scope *scope, void *arg)
{
	struct node *n = arg;
	for (int i = 0; i < 3; i++)
		if (n->child[i] != NULL)
			(void)doze_scope_spawn(scope, update, n->child[i]);
	n->value++;
}

static long fell(struct node *n)
{
	if (n == NULL)
		return 0;
	long sum = n->value;
	for (int i = 0; i < 3; i++)
		sum += fell(n->child[i]);
	free(n);
	return sum;
}

static void tree_update(void)
{
	int count = 0;
	struct node *root = grow(6, &count);
	doze_pool *pool = help_pool(3, NULL);
	(void)doze_scope_run(pool, update, root);
	doze_pool_free(pool);
	long n = count;
	CU_ASSERT_EQUAL(fell(root), n * (n - 1) / 2 + n);
}

/* ---- orders on one worker ---- */

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

/* -1, 1, -2, 2, -3: negative ones in the inner scope, positive ones in the outer. */
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

/* The value expected at place k: outer and inner each rising or falling. */
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

/* ---- stack: a chain of spawns, each the child of the one before ---- */

struct chain {
	int left;
	char *first, *lowest; /* addresses of a local variable: the depth of the stack */
};

static void chain_link(doze_scope *scope, void *arg)
{
	struct chain *c = arg;
	char here;
	char *volatile at = &here;
	if (c->first == NULL)
		c->first = c->lowest = at;
	if (at < c->lowest)
		c->lowest = at;
	if (c->left-- > 0)
		(void)doze_scope_spawn(scope, chain_link, c);
}

static void stack_does_not_grow(void)
{
	doze_pool *pool = help_pool(1, NULL);
	ptrdiff_t depth[2];
	for (int i = 0; i < 2; i++) {
		struct chain c = {i == 0 ? 5 : 500, NULL, NULL};
		(void)doze_scope_run(pool, chain_link, &c);
		CU_ASSERT_EQUAL(c.left, -1);
		depth[i] = c.first - c.lowest;
	}
	/* Within 10 % of each other. */
	CU_ASSERT_TRUE(depth[1] * 10 <= depth[0] * 11);
	doze_pool_free(pool);
}

/* ---- where it runs ---- */

struct place {
	pthread_t body, job;
	doze_pool *pool;
};

static void place_job(doze_scope *scope, void *arg)
{
	struct place *p = arg;
	(void)scope;
	p->job = pthread_self();
	p->pool = doze_current_pool();
}

static void place_body(doze_scope *scope, void *arg)
{
	struct place *p = arg;
	p->body = pthread_self();
	(void)doze_scope_spawn(scope, place_job, arg);
}

static void in_place_stays(void)
{
	struct place p = {0};
	doze_pool *pool = help_pool(1, NULL);
	(void)doze_scope_in_place(pool, place_body, &p);
	CU_ASSERT_TRUE(pthread_equal(p.body, pthread_self()));
	CU_ASSERT_FALSE(pthread_equal(p.job, pthread_self()));
	CU_ASSERT_PTR_EQUAL(p.pool, pool);
	(void)doze_scope_run(pool, place_body, &p);
	CU_ASSERT_TRUE(pthread_equal(p.body, p.job));
	doze_pool_free(pool);
}

struct elsewhere {
	doze_pool *other;
	struct place place;
};

static void scope_elsewhere(void *arg)
{
	struct elsewhere *e = arg;
	(void)doze_scope_in_place(e->other, place_body, &e->place);
}

static void in_place_on_another_pool(void)
{
	struct elsewhere e = {.other = help_pool(1, NULL)};
	doze_pool *pool = help_pool(1, NULL);
	doze_install(pool, scope_elsewhere, &e);
	CU_ASSERT_PTR_EQUAL(e.place.pool, e.other);
	CU_ASSERT_FALSE(pthread_equal(e.place.body, e.place.job));
	doze_pool_free(pool);
	doze_pool_free(e.other);
}

static const struct suite_test tests[] = {
    {"an empty scope returns", empty_scope},
    {"two spawned jobs are done when the scope returns", two_spawns},
    {"divide and conquer to 1024 leaves works in each kind of scope", divide_and_conquer},
    {"each node of a tree is updated once", tree_update},
    {"LIFO and FIFO scopes mix and keep their orders on one worker", mixed_orders},
    {"plain and nested scopes keep their order on one worker", plain_and_nested_orders},
    {"a chain of 500 spawns uses no more stack than one of 5", stack_does_not_grow},
    {"the body of an in-place scope stays on its thread (rayon #1259)", in_place_stays},
    {"an in-place scope spawns into the pool that it names (rayon #1165)",
     in_place_on_another_pool},
};
SUITE_MAIN("scope", tests)
