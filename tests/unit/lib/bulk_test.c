/*
 * SPDX-License-Identifier: MIT
 *
 * Bulk spawn: many jobs in one post. Each job runs once, in the same order as individually spawned
 * jobs, and the sleep policy is notified once, of all n jobs. Parallel loops also publish in bulk.
 */
#include "bulk_cells.h"
#include "help.h"
#include "hold.h"
#include "lib/pool.h"
#include "sink.h"
#include "tests/fixtures/suite.h"
#include "viz/trace/policies.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- each runs once, with its own argument ---- */

static void spawn_cells(void *arg)
{
	size_t n = *(size_t *)arg;
	if (doze_spawn_many(NULL, count_cell, cells, n, sizeof cells[0]) != 0)
		abort();
}

static void spawned_in_bulk(void)
{
	static const size_t sizes[] = {0, 1, 2, 63, MOST};
	for (unsigned workers = 1; workers <= 3; workers++)
		for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
			size_t n = sizes[i];
			doze_pool *pool = help_pool(workers, NULL);
			CU_ASSERT_EQUAL(
			    doze_spawn_many(pool, count_cell, cells, n, sizeof cells[0]), 0);
			doze_pool_free(pool);
			CU_ASSERT_EQUAL(wrong_cells(n), 0);
			pool = help_pool(workers, NULL);
			doze_install(pool, spawn_cells, &n);
			doze_pool_free(pool);
			CU_ASSERT_EQUAL(wrong_cells(n), 0);
		}
}

static void one_argument_for_all(void)
{
	long runs = 0;
	doze_pool *pool = help_pool(2, NULL);
	CU_ASSERT_EQUAL(doze_spawn_many(pool, help_count, &runs, 50, 0), 0);
	doze_pool_free(pool);
	CU_ASSERT_EQUAL(runs, 50);
}

/* ---- scopes wait for all jobs ---- */

static void bulk_body(doze_scope *scope, void *arg)
{
	(void)arg;
	if (doze_scope_spawn_many(scope, count_in_scope, cells, MOST, sizeof cells[0]) != 0)
		abort();
}

struct from_other {
	int (*scope)(doze_pool *, doze_scope_fn, void *);
	doze_pool *pool;
};

static void scope_in_pool(void *arg)
{
	struct from_other *f = arg;
	(void)f->scope(f->pool, bulk_body, NULL);
}

static void scopes_wait_for_all(void)
{
	int (*const kinds[])(doze_pool *, doze_scope_fn, void *) = {
	    doze_scope_run, doze_scope_run_fifo, doze_scope_in_place, doze_scope_in_place_fifo};
	doze_pool *pool = help_pool(3, NULL), *other = help_pool(1, NULL);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		struct from_other f = {kinds[i], pool};
		CU_ASSERT_EQUAL(kinds[i](pool, bulk_body, NULL), 0);
		CU_ASSERT_EQUAL(wrong_cells(MOST), 0);
		doze_install(other, scope_in_pool, &f);
		CU_ASSERT_EQUAL(wrong_cells(MOST), 0);
	}
	doze_pool_free(other);
	doze_pool_free(pool);
}

/* ---- order on a single worker ---- */

static struct order {
	int seen[16], count;
} order;

static int numbers[] = {0, 1, 2, 3, 4};
enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

static void append(void *arg)
{
	order.seen[order.count++] = *(int *)arg;
}

static void append_in_scope(doze_scope *scope, void *arg)
{
	(void)scope;
	append(arg);
}

static void spawn_numbers(void *arg)
{
	(void)doze_spawn_many(arg, append, numbers, NUMBERS, sizeof numbers[0]);
}

static void scope_numbers(doze_scope *scope, void *arg)
{
	(void)arg;
	(void)doze_scope_spawn_many(scope, append_in_scope, numbers, NUMBERS, sizeof numbers[0]);
}

static void expect_order(bool newest_first)
{
	int wrong = order.count != NUMBERS;
	for (int i = 0; i < order.count; i++)
		wrong += order.seen[i] != (newest_first ? NUMBERS - 1 - i : i);
	CU_ASSERT_EQUAL(wrong, 0);
	order.count = 0;
}

static void orders_are_those_of_single_spawns(void)
{
	doze_pool *pool = help_pool(1, NULL);
	doze_install(pool, spawn_numbers, NULL);
	doze_install(pool, spawn_numbers, NULL); /* runs only after the first batch is queued */
	doze_pool_free(pool);
	CU_ASSERT_EQUAL(order.count, 2 * NUMBERS);
	order.count = NUMBERS;
	expect_order(true);
	pool = help_pool(1, NULL);
	spawn_numbers(pool); /* from outside the pool, jobs run in the order of the calls */
	doze_pool_free(pool);
	expect_order(false);
	pool = help_pool(1, NULL);
	(void)doze_scope_run(pool, scope_numbers, NULL);
	expect_order(true);
	(void)doze_scope_run_fifo(pool, scope_numbers, NULL);
	expect_order(false);
	doze_pool_free(pool);
}

/* ---- tasks in bulk ---- */

static void *square(void *arg)
{
	int n = *(int *)arg;
	return (void *)(intptr_t)(n * n);
}

static long sum_of_squares(doze_pool *pool)
{
	doze_future *f[NUMBERS];
	long sum = 0;

	if (doze_submit_many(f, pool, square, numbers, NUMBERS, sizeof numbers[0]) != 0)
		return -1;
	for (int i = 0; i < NUMBERS; i++) {
		/* Appends the results in the order of the tasks. */
		sum = 100 * sum + (long)(intptr_t)doze_future_get(f[i]);
		doze_future_free(f[i]);
	}
	return sum;
}

static void submit_inside(void *arg)
{
	*(long *)arg = sum_of_squares(NULL);
}

static void tasks_in_bulk(void)
{
	for (unsigned workers = 1; workers <= 3; workers++) {
		long inside = 0;
		doze_pool *pool = help_pool(workers, NULL);
		CU_ASSERT_EQUAL(sum_of_squares(pool), 1040916);
		doze_install(pool, submit_inside, &inside);
		CU_ASSERT_EQUAL(inside, 1040916);
		CU_ASSERT_EQUAL(doze_submit_many(NULL, pool, square, NULL, 0, 0), 0);
		doze_pool_free(pool);
	}
}

/* ---- one post, and how many workers it wakes ---- */

static bool all_asleep(doze_pool *pool)
{
	for (struct patience limit = patience_of(10000); !patience_is_over(&limit);
	     help_sleep_us(200)) {
		unsigned asleep = 0;
		for (unsigned i = 0; i < pool->num_workers; i++)
			asleep += da_load(&pool->workers[i].state, SC) == DOZE_STATE_sleeping;
		if (asleep < pool->num_workers)
			continue;
		for (unsigned i = 0; i < pool->num_workers; i++)
			hold_await_sleep(pool, i);
		return true;
	}
	return false;
}

/* Returns the queue's post with the most jobs, or null. */
static const struct sink_event *largest_post(enum doze_queue queue)
{
	const struct sink_event *largest = NULL, *post;
	for (size_t i = 0; (post = sink_nth(SINK_POST, i)) != NULL; i++)
		if (post->post.queue == queue &&
		    (largest == NULL || post->post.jobs > largest->post.jobs))
			largest = post;
	return largest;
}

static void one_post_for_all(void)
{
	const struct doze_wake_facts three = {
	    .jobs = 3, .sleeping = 8, .workers = 8, .was_empty = true};

	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++) {
		const struct doze_policy_descriptor *d = doze_policy_at(i);
		if (!doze_policy_has_state(d, DOZE_STATE_sleeping))
			continue;
		sink_reset();
		doze_pool *pool = help_pool(8, d->name);
		CU_ASSERT_TRUE(all_asleep(pool));
		CU_ASSERT_EQUAL(doze_spawn_many(pool, count_cell, cells, 3, sizeof cells[0]), 0);
		doze_pool_free(pool);
		CU_ASSERT_EQUAL(wrong_cells(3), 0);
		CU_ASSERT_EQUAL(sink_count(SINK_POST), 1);
		const struct sink_event *post = largest_post(DOZE_QUEUE_injector);
		CU_ASSERT_PTR_NOT_NULL_FATAL(post);
		CU_ASSERT_EQUAL(post->post.jobs, 3);
		CU_ASSERT_EQUAL(post->post.wakes, doze_policy_post_wakes(d, &three));
	}
}

static void touch_cells(size_t begin, size_t end, void *arg)
{
	(void)arg;
	for (size_t i = begin; i < end; i++)
		count_cell(&cells[i]);
}

/* With four workers, the first piece may be halved four times. */
static void a_loop_posts_its_pieces_together(void)
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++) {
		sink_reset();
		doze_pool *pool = help_pool(4, (*p)->name);
		if (strcmp((*p)->name, "spin") != 0)
			CU_ASSERT_TRUE(all_asleep(pool));
		doze_for(pool, 0, MOST, 1, touch_cells, NULL);
		doze_pool_free(pool);
		CU_ASSERT_EQUAL(wrong_cells(MOST), 0);
		const struct sink_event *post = largest_post(DOZE_QUEUE_local);
		CU_ASSERT_PTR_NOT_NULL_FATAL(post);
		CU_ASSERT_EQUAL(post->post.jobs, 3);
		bool asleep = post->post.sleeping == 3 && post->post.idle <= 0;
		if (asleep && post->post.wakes == 0)
			fprintf(stderr, "\npolicy %s: no worker is woken for a loop\n", (*p)->name);
		CU_ASSERT_TRUE(!asleep || post->post.wakes > 0);
	}
}

static const struct suite_test tests[] = {
    {"each job of a batch runs once, with its own argument", spawned_in_bulk},
    {"all jobs of a batch may share one argument", one_argument_for_all},
    {"every kind of scope waits for its batch, even a scope opened by a worker of another pool",
     scopes_wait_for_all},
    {"jobs of a batch run in the same order as individually spawned jobs",
     orders_are_those_of_single_spawns},
    {"the results of a batch are in the order of its tasks", tasks_in_bulk},
    {"a batch of n jobs is one post, and the policy wakes workers for all n jobs",
     one_post_for_all},
    {"a loop publishes its first pieces in one post and wakes a worker",
     a_loop_posts_its_pieces_together},
};
SUITE_MAIN("bulk", tests)
