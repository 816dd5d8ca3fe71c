/*
 * SPDX-License-Identifier: MIT
 *
 * Pools: creating them, installs from all kinds of threads, and freeing them.
 */
#include "help.h"
#include "tests/fixtures/suite.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* ---- creating and freeing ---- */

static void stops_22_workers(void)
{
	doze_pool *pool = help_pool(22, NULL);
	CU_ASSERT_EQUAL(doze_num_threads(pool), 22);
	doze_pool_free(pool);
}

static void free_after_idle(void)
{
	doze_pool *pool = help_pool(8, NULL);
	help_sleep_us(1000000); /* after this, all workers are asleep */
	double start = help_now();
	doze_pool_free(pool);
	CU_ASSERT_TRUE(help_now() - start < 5);
}

static void free_null(void)
{
	doze_pool_free(NULL);
	CU_PASS("nothing happened");
}

struct handlers {
	long started[5], ended[5];
};

static void on_start(unsigned worker, void *arg)
{
	struct handlers *h = arg;
	if (doze_worker_index() == (int)worker)
		help_count(&h->started[worker]);
}

static void on_exit_of(unsigned worker, void *arg)
{
	struct handlers *h = arg;
	if (help_read(&h->started[worker]) == 1)
		help_count(&h->ended[worker]);
}

static void handlers_once_each(void)
{
	struct handlers h;
	doze_config config = {.num_threads = 5,
			      .start_handler = on_start,
			      .exit_handler = on_exit_of,
			      .handler_arg = &h};
	doze_pool *pool;
	memset(&h, 0, sizeof h);
	CU_ASSERT_EQUAL_FATAL(doze_pool_create(&pool, &config), 0);
	doze_pool_free(pool);
	for (int i = 0; i < 5; i++) {
		CU_ASSERT_EQUAL(h.started[i], 1);
		CU_ASSERT_EQUAL(h.ended[i], 1);
	}
}

static void many_pools_in_turn(void)
{
	long done = 0;
	for (int i = 0; i < 500; i++) {
		doze_pool *pool = help_pool(1 + (unsigned)i % 3, NULL);
		if (i % 2 == 0)
			doze_install(pool, help_count, &done);
		doze_pool_free(pool);
	}
	CU_ASSERT_EQUAL(done, 250);
}

static void many_pools_at_once(void)
{
	enum { N = 100 };
	doze_pool *pools[N];
	long done = 0;
	for (int i = 0; i < N; i++)
		pools[i] = help_pool(2, NULL);
	for (int i = 0; i < N; i++)
		doze_install(pools[i], help_count, &done);
	for (int i = 0; i < N; i++)
		doze_pool_free(pools[i]);
	CU_ASSERT_EQUAL(done, N);
}

static void two_default_pools(void)
{
	doze_config config = {.num_threads = 3};
	CU_ASSERT_EQUAL(doze_default_pool_init(&config), 0);
	CU_ASSERT_EQUAL(doze_num_threads(doze_default_pool()), 3);
	CU_ASSERT_EQUAL(doze_default_pool_init(&config), EBUSY);
	CU_ASSERT_PTR_NOT_NULL(strstr(doze_last_error(), "already exists"));
	doze_default_pool_free();
}

/* ---- install ---- */

struct where {
	int index;
	doze_pool *pool;
};

static void note_where(void *arg)
{
	struct where *w = arg;
	w->index = doze_worker_index();
	w->pool = doze_current_pool();
}

static void install_runs_inside(void)
{
	struct where w = {-7, NULL};
	doze_pool *pool = help_pool(2, NULL);
	CU_ASSERT_EQUAL(doze_worker_index(), -1);
	CU_ASSERT_PTR_NULL(doze_current_pool());
	doze_install(pool, note_where, &w);
	CU_ASSERT_TRUE(w.index == 0 || w.index == 1);
	CU_ASSERT_PTR_EQUAL(w.pool, pool);
	doze_pool_free(pool);
}

struct nest {
	doze_pool *pools[10];
	int depth, count;
	long reached;
};

static void install_next(void *arg)
{
	struct nest *n = arg;
	if (n->depth == n->count) {
		help_count(&n->reached);
		return;
	}
	doze_install(n->pools[n->depth++ % 10], install_next, n);
}

static void self_install(void)
{
	struct nest n = {.count = 5};
	n.pools[0] = help_pool(1, NULL);
	for (int i = 1; i < 10; i++)
		n.pools[i] = n.pools[0];
	install_next(&n);
	CU_ASSERT_EQUAL(n.reached, 1);
	doze_pool_free(n.pools[0]);
}

static void mutual_install(unsigned pause_us)
{
	struct nest n = {.count = 8};
	doze_pool *a = help_pool(1, NULL), *b = help_pool(1, NULL);
	for (int i = 0; i < 10; i++)
		n.pools[i] = i % 2 == 0 ? a : b;
	if (pause_us != 0)
		help_sleep_us(pause_us);
	install_next(&n);
	CU_ASSERT_EQUAL(n.reached, 1);
	doze_pool_free(a);
	doze_pool_free(b);
}

static void mutual_installs(void)
{
	mutual_install(0);
	mutual_install(100000); /* between pools whose workers sleep */
}

static void ten_nested_pools(void)
{
	struct nest n = {.count = 10};
	for (int i = 0; i < 10; i++)
		n.pools[i] = help_pool(1, NULL);
	install_next(&n);
	CU_ASSERT_EQUAL(n.reached, 1);
	for (int i = 0; i < 10; i++)
		doze_pool_free(n.pools[i]);
}

struct cross {
	doze_pool *other;
	long sum;
	long value;
};

static void add_value(void *arg)
{
	struct cross *c = arg;
	c->sum += c->value;
}

static void install_100_times(void *arg)
{
	struct cross *c = arg;
	for (long i = 1; i <= 100; i++) {
		c->value = i;
		doze_install(c->other, add_value, c);
	}
}

static void cross_pool_sum(void)
{
	doze_pool *a = help_pool(1, NULL), *b = help_pool(1, NULL);
	struct cross c = {b, 0, 0};
	doze_install(a, install_100_times, &c);
	CU_ASSERT_EQUAL(c.sum, 5050);
	doze_pool_free(a);
	doze_pool_free(b);
}

/* While the only worker waits for the other pool, it runs its own pool's jobs. */
struct meanwhile {
	doze_pool *other;
	long own_jobs, seen;
};

static void wait_for_own_job(void *arg)
{
	struct meanwhile *m = arg;
	if (help_reaches(&m->own_jobs, 1, 10))
		help_count(&m->seen);
}

static void install_elsewhere(void *arg)
{
	struct meanwhile *m = arg;
	(void)doze_spawn(NULL, help_count, &m->own_jobs);
	doze_install(m->other, wait_for_own_job, m);
}

static void works_while_waiting(void)
{
	doze_pool *a = help_pool(1, NULL), *b = help_pool(1, NULL);
	struct meanwhile m = {b, 0, 0};
	doze_install(a, install_elsewhere, &m);
	CU_ASSERT_EQUAL(m.seen, 1);
	doze_pool_free(a);
	doze_pool_free(b);
}

static void install_often(void *arg)
{
	struct cross *c = arg;
	for (int i = 0; i < 300; i++)
		doze_install(c->other, help_count, &c->sum);
}

static void many_outside_threads(void)
{
	struct help_thread *threads[4];
	struct cross c = {help_pool(3, NULL), 0, 0};
	for (int i = 0; i < 4; i++)
		threads[i] = help_thread_start(install_often, &c);
	for (int i = 0; i < 4; i++)
		help_thread_join(threads[i]);
	CU_ASSERT_EQUAL(c.sum, 1200);
	doze_pool_free(c.other);
}

/* Frees a pool as soon as an install from another pool's worker has returned. */
static void free_other(void *arg)
{
	for (int i = 0; i < 200; i++) {
		doze_pool *other = help_pool(2, NULL);
		doze_install(other, help_count, arg);
		doze_pool_free(other);
	}
}

static void freed_right_after_install(void)
{
	long done = 0;
	doze_pool *pool = help_pool(2, NULL);
	doze_install(pool, free_other, &done);
	CU_ASSERT_EQUAL(done, 200);
	free_other(&done);
	CU_ASSERT_EQUAL(done, 400);
	doze_pool_free(pool);
}

static void free_own_pool(void *arg)
{
	doze_pool_free(arg);
}

static void free_from_inside(void)
{
	doze_pool *pool = help_pool(2, NULL);
	doze_install(pool, free_own_pool, pool);
}

static void own_worker_may_not_free(void)
{
	char text[512];
	int status = help_in_child(free_from_inside, text, sizeof text);
	CU_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "called by worker"));
}

static const struct suite_test tests[] = {
    {"freeing a pool stops all 22 workers", stops_22_workers},
    {"a pool whose workers have slept for a second stops immediately", free_after_idle},
    {"freeing a null pool is allowed", free_null},
    {"each worker calls its start handler once, and later its exit handler once",
     handlers_once_each},
    {"500 pools can be created and freed in turn", many_pools_in_turn},
    {"100 pools can exist at once", many_pools_at_once},
    {"a second default pool is rejected", two_default_pools},
    {"install runs on a worker of the pool", install_runs_inside},
    {"install into the caller's own pool runs the function at once", self_install},
    {"two pools install into each other, while awake and while asleep", mutual_installs},
    {"installs can be nested through ten pools", ten_nested_pools},
    {"100 nested installs between two pools compute the sum 5050", cross_pool_sum},
    {"a worker that waits for another pool runs its own pool's jobs", works_while_waiting},
    {"all installs from four outside threads run", many_outside_threads},
    {"a pool may be freed right after an install (rayon #913)", freed_right_after_install},
    {"a worker that frees its own pool gets an error", own_worker_may_not_free},
};
SUITE_MAIN("pool", tests)
