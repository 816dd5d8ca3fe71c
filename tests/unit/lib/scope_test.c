/*
 * SPDX-License-Identifier: MIT
 *
 * Scopes: completeness, stack depth, in-place scopes, and calls from other pools.
 */
#include "help.h"
#include "tests/fixtures/suite.h"

#include <pthread.h>
#include <stdlib.h>

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

/* ---- stack depth of a chain of spawns, each made by the one before ---- */

struct chain {
	int left;
	/* Addresses of a local variable; their distance is the depth of the stack. */
	char *first, *lowest;
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
	/* The two depths are within 10 % of each other. */
	CU_ASSERT_TRUE(depth[1] * 10 <= depth[0] * 11);
	doze_pool_free(pool);
}

/* ---- the thread that runs each part ---- */

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
    {"divide and conquer into 1024 leaves works in each kind of scope", divide_and_conquer},
    {"each node of a tree is updated once", tree_update},
    {"a chain of 500 spawns uses no more stack than one of 5", stack_does_not_grow},
    {"the body of an in-place scope stays on its thread (rayon #1259)", in_place_stays},
    {"an in-place scope spawns into the pool that it names (rayon #1165)",
     in_place_on_another_pool},
};
SUITE_MAIN("scope", tests)
