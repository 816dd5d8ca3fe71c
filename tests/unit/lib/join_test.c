/*
 * SPDX-License-Identifier: MIT
 *
 * join: results, which worker runs which half, recursion depth, and sleeping joiners.
 */
#include "help.h"
#include "tests/fixtures/suite.h"

#include <pthread.h>
#include <stdlib.h>

struct fib {
	int n;
	long result;
};

static void fib(void *arg)
{
	struct fib *f = arg;
	if (f->n < 2) {
		f->result = f->n;
		return;
	}
	struct fib a = {f->n - 1, 0}, b = {f->n - 2, 0};
	doze_join(fib, &a, fib, &b);
	f->result = a.result + b.result;
}

static void result_is_right(void)
{
	for (unsigned n = 1; n <= 5; n += 2) {
		struct fib f = {20, 0};
		doze_pool *pool = help_pool(n, NULL);
		doze_install(pool, fib, &f);
		CU_ASSERT_EQUAL(f.result, 6765);
		doze_pool_free(pool);
	}
}

static void outside_uses_the_default_pool(void)
{
	struct fib a = {15, 0}, b = {16, 0};
	doze_join(fib, &a, fib, &b);
	CU_ASSERT_EQUAL(a.result, 610);
	CU_ASSERT_EQUAL(b.result, 987);
}

/* ---- quicksort ---- */

struct range {
	int *first;
	size_t count;
};

static void quicksort(void *arg)
{
	const struct range *r = arg;
	int *a = r->first;
	size_t less = 0;
	if (r->count < 2)
		return;
	int pivot = a[r->count / 2];
	a[r->count / 2] = a[r->count - 1];
	a[r->count - 1] = pivot;
	for (size_t i = 0; i + 1 < r->count; i++) {
		if (a[i] < pivot) {
			int swap = a[i];
			a[i] = a[less];
			a[less++] = swap;
		}
	}
	a[r->count - 1] = a[less];
	a[less] = pivot;
	struct range low = {a, less}, high = {a + less + 1, r->count - less - 1};
	doze_join(quicksort, &low, quicksort, &high);
}

static void sorts(void)
{
	enum { N = 40000 };
	int *a = malloc(N * sizeof *a);
	uint32_t x = 12345;
	int wrong = 0;
	for (int i = 0; i < N; i++) {
		x = x * 1664525u + 1013904223u;
		a[i] = (int)(x >> 8);
	}
	struct range all = {a, N};
	doze_pool *pool = help_pool(4, NULL);
	doze_install(pool, quicksort, &all);
	doze_pool_free(pool);
	for (int i = 1; i < N; i++)
		wrong += a[i - 1] > a[i];
	CU_ASSERT_EQUAL(wrong, 0);
	free(a);
}

/* ---- many joins, one after the other ---- */

static void nothing(void *arg)
{
	(void)arg;
}

static void join_500000_times(void *arg)
{
	(void)arg;
	for (int i = 0; i < 500000; i++)
		doze_join(nothing, NULL, nothing, NULL);
}

static void counters_do_not_overflow(void)
{
	doze_pool *pool = help_pool(2, NULL);
	suite_allow_seconds(120);
	doze_install(pool, join_500000_times, NULL);
	doze_pool_free(pool);
	CU_PASS("all joins returned");
}

/* ---- which half migrates ---- */

struct sides {
	pthread_t caller, a, b;
	pthread_barrier_t *barrier; /* null: the halves do not wait for each other */
};

static void side_a(void *arg)
{
	struct sides *s = arg;
	s->a = pthread_self();
	if (s->barrier != NULL)
		pthread_barrier_wait(s->barrier);
}

static void side_b(void *arg)
{
	struct sides *s = arg;
	s->b = pthread_self();
	if (s->barrier != NULL)
		pthread_barrier_wait(s->barrier);
}

static void join_sides(void *arg)
{
	struct sides *s = arg;
	s->caller = pthread_self();
	doze_join(side_a, s, side_b, s);
}

static void one_worker_runs_both(void)
{
	struct sides s = {0};
	doze_pool *pool = help_pool(1, NULL);
	doze_install(pool, join_sides, &s);
	CU_ASSERT_TRUE(pthread_equal(s.caller, s.a));
	CU_ASSERT_TRUE(pthread_equal(s.caller, s.b));
	CU_ASSERT_FALSE(pthread_equal(s.caller, pthread_self()));
	doze_pool_free(pool);
}

static void only_b_migrates(void)
{
	struct sides s = {0};
	pthread_barrier_t barrier;
	pthread_barrier_init(&barrier, NULL, 2);
	s.barrier = &barrier;
	doze_pool *pool = help_pool(2, NULL);
	doze_install(pool, join_sides, &s);
	CU_ASSERT_TRUE(pthread_equal(s.caller, s.a));
	CU_ASSERT_FALSE(pthread_equal(s.caller, s.b));
	doze_pool_free(pool);
	pthread_barrier_destroy(&barrier);
}

static void from_outside_both_migrate(void)
{
	struct sides s = {0};
	join_sides(&s);
	CU_ASSERT_FALSE(pthread_equal(s.caller, s.a));
	CU_ASSERT_FALSE(pthread_equal(s.caller, s.b));
}

/* ---- depth ---- */

struct chain {
	int left;
	long *ends;
};

static void go_down(void *arg)
{
	const struct chain *c = arg;
	if (c->left == 0) {
		help_count(c->ends);
		return;
	}
	struct chain next = {c->left - 1, c->ends};
	doze_join(go_down, &next, nothing, NULL);
}

static void deep_recursion(void)
{
	long ends = 0;
	struct chain c = {10000, &ends};
	doze_config config = {.num_threads = 3, .stack_size = 64u << 20};
	doze_pool *pool;
	CU_ASSERT_EQUAL_FATAL(doze_pool_create(&pool, &config), 0);
	doze_install(pool, go_down, &c);
	CU_ASSERT_EQUAL(ends, 1);
	doze_pool_free(pool);
}

/* ---- a spawned job above the offered half ---- */

struct mixed {
	long spawned, b;
};

static void spawn_one(void *arg)
{
	struct mixed *m = arg;
	(void)doze_spawn(NULL, help_count, &m->spawned);
}

static void count_b(void *arg)
{
	struct mixed *m = arg;
	help_count(&m->b);
}

static void join_with_spawn(void *arg)
{
	doze_join(spawn_one, arg, count_b, arg);
}

static void own_spawn_runs_before_b(void)
{
	struct mixed m = {0, 0};
	doze_pool *pool = help_pool(1, NULL);
	doze_install(pool, join_with_spawn, &m);
	CU_ASSERT_EQUAL(help_read(&m.b), 1);
	/* The spawned job was above b on the only deque. */
	CU_ASSERT_EQUAL(help_read(&m.spawned), 1);
	doze_pool_free(pool);
}

/* ---- the joiner sleeps while a thief runs b ---- */

static void slow(void *arg)
{
	help_sleep_us(3000);
	help_count(arg);
}

static void join_slow(void *arg)
{
	for (int i = 0; i < 20; i++)
		doze_join(nothing, NULL, slow, arg);
}

static void sleeping_joiner_is_woken(void)
{
	long done = 0;
	doze_pool *pool = help_pool(4, NULL);
	doze_install(pool, join_slow, &done);
	CU_ASSERT_EQUAL(done, 20);
	doze_pool_free(pool);
}

static const struct suite_test tests[] = {
    {"the result is correct on 1, 3 and 5 workers", result_is_right},
    {"a join from outside runs on the default pool", outside_uses_the_default_pool},
    {"a parallel quicksort sorts its input", sorts},
    {"500,000 joins on 2 workers do not overflow the counters", counters_do_not_overflow},
    {"a single worker runs both halves itself", one_worker_runs_both},
    {"when two workers share a join, only half b migrates", only_b_migrates},
    {"both halves of a join by an outside thread run on workers", from_outside_both_migrate},
    {"a recursion of 10,000 nested joins completes", deep_recursion},
    {"a job spawned by half a runs before half b, which is below it in the deque",
     own_spawn_runs_before_b},
    {"a sleeping joiner is woken when b is done", sleeping_joiner_is_woken},
};
SUITE_MAIN("join", tests)
