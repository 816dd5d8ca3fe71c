/*
 * SPDX-License-Identifier: MIT
 *
 * The creating thread as the pool's worker 0 (use_current_thread).
 */
#include "help.h"
#include "lib/atomic.h"
#include "lib/sleep/sleep.h"
#include "tests/fixtures/suite.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void for_all_policies(void (*test)(const char *policy))
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		test((*p)->name);
}

static struct {
	long starts, exits;
} h;

static void on_start(unsigned worker, void *arg)
{
	(void)worker;
	(void)arg;
	help_count(&h.starts);
}

static void on_exit_(unsigned worker, void *arg)
{
	(void)worker;
	(void)arg;
	help_count(&h.exits);
}

static void free_it(void *pool)
{
	doze_pool_free(pool);
}

static doze_pool *guest_pool(const char *policy, unsigned workers)
{
	doze_config config = {.num_threads = workers,
			      .policy = policy,
			      .start_handler = on_start,
			      .exit_handler = on_exit_,
			      .use_current_thread = true};
	doze_pool *pool;
	memset(&h, 0, sizeof h);
	CU_ASSERT_EQUAL_FATAL(doze_pool_create(&pool, &config), 0);
	return pool;
}

static void set_index(void *arg)
{
	da_store((DOZE_ATOMIC(long) *)arg, doze_worker_index() + 1, SC);
}

/* As in Rayon's test, jobs that this thread spawns run on the other worker while this thread blocks
 * outside the library. The pauses between the many rounds vary, so that posts arrive at every step
 * in which the other worker falls asleep. */
static void basic_under(const char *policy)
{
	doze_pool *pool = guest_pool(policy, 2);
	CU_ASSERT_EQUAL(doze_worker_index(), 0);
	CU_ASSERT_PTR_EQUAL(doze_current_pool(), pool);
	CU_ASSERT_EQUAL(doze_num_threads(pool), 2);
	for (int i = 0; i < 300; i++) {
		long index = 0;
		CU_ASSERT_EQUAL((i % 2 ? doze_spawn : doze_spawn_fifo)(NULL, set_index, &index), 0);
		CU_ASSERT_TRUE_FATAL(help_reaches(&index, 2, 10));
		help_sleep_us((unsigned)i % 30 * 5);
	}
	doze_pool_free(pool);
	CU_ASSERT_EQUAL(doze_worker_index(), -1);
	CU_ASSERT_PTR_NULL(doze_current_pool());
	CU_ASSERT_EQUAL(h.starts, 1);
	CU_ASSERT_EQUAL(h.exits, 1);
}

static void current_thread_basic(void)
{
	for_all_policies(basic_under);
}

struct fib {
	int n;
	long result;
};

static void fib(void *arg)
{
	struct fib *f = arg;
	struct fib a = {f->n - 1, 0}, b = {f->n - 2, 0};
	if (f->n >= 2)
		doze_join(fib, &a, fib, &b);
	f->result = f->n < 2 ? f->n : a.result + b.result;
}

static void grow(doze_scope *scope, void *arg)
{
	help_count(arg);
	if (help_read(arg) < 50)
		(void)doze_scope_spawn(scope, grow, arg);
}

static void *task(void *arg)
{
	help_count(arg);
	return arg;
}

static void count_range(size_t begin, size_t end, void *arg)
{
	while (begin++ < end)
		help_count(arg);
}

static void count_turn(unsigned worker, unsigned workers, void *arg)
{
	(void)workers;
	if (doze_worker_index() == (int)worker)
		help_count(arg);
}

/* Uses each construct from the guest. With one worker, the guest must run all jobs itself. */
static void constructs_on(doze_pool *pool, unsigned workers)
{
	struct fib f = {14, 0};
	long n = 0;
	doze_future *future;

	fib(&f);
	CU_ASSERT_EQUAL(f.result, 377);
	CU_ASSERT_EQUAL(doze_scope_run(pool, grow, &n), 0);
	CU_ASSERT_EQUAL(n, 50);
	n = 0;
	CU_ASSERT_EQUAL(doze_scope_run_fifo(pool, grow, &n), 0);
	CU_ASSERT_EQUAL(n, 50);
	CU_ASSERT_EQUAL(doze_submit(&future, pool, task, &n), 0);
	CU_ASSERT_PTR_EQUAL(doze_future_get(future), &n);
	doze_future_free(future);
	doze_install(pool, help_count, &n);
	CU_ASSERT_EQUAL(n, 52);
	n = 0;
	doze_for(pool, 0, 1000, 1, count_range, &n);
	CU_ASSERT_EQUAL(n, 1000);
	n = 0;
	CU_ASSERT_EQUAL(doze_broadcast(pool, count_turn, &n), 0);
	CU_ASSERT_EQUAL(n, (long)workers);
}

static void constructs_under(const char *policy)
{
	for (unsigned workers = 1; workers <= 3; workers += 2) {
		doze_pool *pool = guest_pool(policy, workers);
		for (int i = 0; i < 5; i++)
			constructs_on(pool, workers);
		doze_pool_free(pool);
	}
}

static void current_thread_constructs(void)
{
	for_all_policies(constructs_under);
}

/* The guest is the only worker. No job runs until it yields, and the remaining jobs run when it
 * frees the pool. */
static void alone_under(const char *policy)
{
	long n = 0;
	doze_pool *other = help_pool(1, policy);
	doze_pool *pool = guest_pool(policy, 1);
	/* Waits for the other pool; its own jobs have not run yet. */
	doze_install(other, help_count, &n);
	doze_pool_free(other);
	n = 0;
	(void)doze_spawn(pool, help_count, &n);
	(void)doze_spawn(pool, help_count, &n);
	(void)doze_spawn_broadcast(pool, count_turn, &n);
	CU_ASSERT_EQUAL(n, 0);
	CU_ASSERT_EQUAL(doze_yield_local(), 1); /* runs the broadcast's turn */
	CU_ASSERT_EQUAL(doze_yield_now(), 1);
	CU_ASSERT_EQUAL(n, 2);
	doze_pool_free(pool);
	CU_ASSERT_EQUAL(n, 3);
	CU_ASSERT_EQUAL(h.starts + h.exits, 0);
}

static void current_thread_alone(void)
{
	for_all_policies(alone_under);
}

/* ---- calls by an outside thread into a pool with a guest ---- */

static struct {
	doze_pool *pool;
	long done; /* atomic */
} out;

static void broadcast_from_outside(void *arg)
{
	long n = 0;
	(void)arg;
	(void)doze_broadcast(out.pool, count_turn, &n);
	da_store((DOZE_ATOMIC(long) *)&out.done, n, SC);
}

static void spawn_broadcast_from_outside(void *n)
{
	(void)doze_spawn_broadcast(out.pool, count_turn, n);
}

static void turn_of_guest_under(const char *policy)
{
	long n = 0;
	out.pool = guest_pool(policy, 2);
	for (int i = 0; i < 20; i++) {
		out.done = 0;
		struct help_thread *other = help_thread_start(broadcast_from_outside, NULL);
		while (help_read(&out.done) == 0)
			(void)doze_yield_now();
		help_thread_join(other);
		CU_ASSERT_EQUAL(out.done, 2);
	}
	help_thread_join(help_thread_start(spawn_broadcast_from_outside, &n));
	doze_pool_free(out.pool);
	CU_ASSERT_EQUAL(n, 2);
}

static void current_thread_turn(void)
{
	for_all_policies(turn_of_guest_under);
}

/* ---- refusals ---- */

static void free_from_elsewhere(void)
{
	help_thread_join(help_thread_start(free_it, guest_pool(NULL, 2)));
}

static void create_again(void *result)
{
	doze_config config = {.num_threads = 1, .use_current_thread = true};
	doze_pool *pool;
	*(int *)result = doze_pool_create(&pool, &config);
}

static void current_thread_refusals(void)
{
	char text[300];
	int result = 0;
	CU_ASSERT_NOT_EQUAL(help_in_child(free_from_elsewhere, text, sizeof text), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "only the thread that created the pool may free it"));
	doze_pool *pool = guest_pool(NULL, 1);
	create_again(&result);
	CU_ASSERT_EQUAL(result, EBUSY);
	CU_ASSERT_PTR_NOT_NULL(strstr(doze_last_error(), "use_current_thread"));
	doze_pool_free(pool);
	pool = help_pool(1, NULL);
	result = 0;
	doze_install(pool, create_again, &result);
	CU_ASSERT_EQUAL(result, EBUSY);
	doze_pool_free(pool);
}

static const struct suite_test tests[] = {
    {"jobs spawned by the current thread run while it blocks outside the library",
     current_thread_basic},
    {"every construct works when the current thread is a worker", current_thread_constructs},
    {"a pool whose only worker is the current thread runs its jobs in yields and when it is freed",
     current_thread_alone},
    {"the current thread takes its broadcast turns in yields and when the pool is freed",
     current_thread_turn},
    {"creating a pool with use_current_thread on a worker, or freeing it on another thread, is "
     "rejected",
     current_thread_refusals},
};
SUITE_MAIN("guest", tests)
