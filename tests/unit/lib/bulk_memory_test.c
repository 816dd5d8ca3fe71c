/*
 * SPDX-License-Identifier: MIT
 *
 * Bulk spawn when memory is exhausted: if an allocation fails, no job of the batch is queued.
 */
#include "bulk_cells.h"
#include "help.h"
#include "lib/atomic.h"
#include "tests/fixtures/suite.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the linker replaces the allocator with these functions (module.mk) ---- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);

/* Selects the large allocation that fails: 1 means the next large allocation, 0 means none. */
static DOZE_ATOMIC(int) fails;
enum { LARGE = 4096 };

static bool is_to_fail(size_t size)
{
	int before = da_load(&fails, SC);
	if (size < LARGE || before == 0)
		return false;
	return da_sub(&fails, 1, SC) == 1;
}

void *__wrap_malloc(size_t size)
{
	return is_to_fail(size) ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return is_to_fail(n * size) ? NULL : __real_calloc(n, size);
}

struct refusal {
	int error;
	char message[80];
};

static void note_refusal(struct refusal *r, int error)
{
	r->error = error;
	snprintf(r->message, sizeof r->message, "%s", doze_last_error());
	da_store(&fails, 0, SC);
}

static struct refusal refusal;

static void refused_spawn(void *arg)
{
	note_refusal(&refusal, doze_spawn_many(arg, count_cell, cells, MOST, sizeof cells[0]));
}

static void refused_in_scope(doze_scope *scope, void *arg)
{
	(void)arg;
	note_refusal(&refusal,
		     doze_scope_spawn_many(scope, count_in_scope, cells, MOST, sizeof cells[0]));
}

static void refused_scope(void *arg)
{
	(void)doze_scope_run(arg, refused_in_scope, NULL);
}

static void refused_fifo_scope(void *arg)
{
	(void)doze_scope_run_fifo(arg, refused_in_scope, NULL);
}

/* Calls `call` inside or outside the pool while the allocation with number `failing` fails.
 * Afterwards, no job may have run, and neither the scope nor the pool may wait for one of these
 * jobs. */
static void expect_refusal(const char *policy, int failing, doze_fn call, bool inside)
{
	doze_pool *pool = help_pool(1, policy);

	memset(&refusal, 0, sizeof refusal);
	da_store(&fails, failing, SC);
	if (inside)
		doze_install(pool, call, NULL);
	else
		call(pool);
	CU_ASSERT_EQUAL(refusal.error, ENOMEM);
	CU_ASSERT_PTR_NOT_NULL(strstr(refusal.message, "no memory for 1000 "));
	doze_install(pool, count_cell, &cells[0]); /* the pool still works */
	doze_pool_free(pool);
	CU_ASSERT_EQUAL(wrong_cells(1), 0);
}

/* ---- jobs ---- */

static void all_or_none(void)
{
	/* Policies with different queues. */
	static const char *const policies[] = {"jec", "forkjoin"};
	for (int i = 0; i < 2; i++) {
		/* The allocation of the block of jobs. */
		expect_refusal(policies[i], 1, refused_spawn, false);
		expect_refusal(policies[i], 1, refused_spawn, true);
		/* The allocation that grows the deque. */
		expect_refusal(policies[i], 2, refused_spawn, true);
		expect_refusal(policies[i], 2, refused_scope, true);
		expect_refusal(policies[i], 2, refused_fifo_scope, true);
	}
	/* The injector of the other policies needs no allocation. */
	expect_refusal("forkjoin", 2, refused_spawn, false);
	doze_pool *pool = help_pool(1, NULL);
	CU_ASSERT_EQUAL(doze_spawn_many(pool, count_cell, cells, SIZE_MAX / 8, 0), ENOMEM);
	doze_pool_free(pool);
}

/* ---- tasks ---- */

static void *count_task(void *arg)
{
	count_cell(arg);
	return arg;
}

static void refused_submit(void *arg)
{
	static doze_future *f[MOST];
	int error = doze_submit_many(f, arg, count_task, cells, MOST, sizeof cells[0]);
	note_refusal(&refusal, f[0] == NULL ? error : -1);
}

static void all_tasks_or_none(void)
{
	expect_refusal("jec", 1, refused_submit, true); /* the allocation that grows the deque */
	expect_refusal("forkjoin", 1, refused_submit, true);
	/* The allocation that grows the global queue. */
	expect_refusal("forkjoin", 1, refused_submit, false);
}

static const struct suite_test tests[] = {
    {"a batch of jobs is not queued in part if an allocation fails", all_or_none},
    {"a batch of tasks is not queued in part if an allocation fails", all_tasks_or_none},
};
SUITE_MAIN("bulk_memory", tests)
