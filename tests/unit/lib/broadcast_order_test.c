/*
 * SPDX-License-Identifier: MIT
 *
 * Order of broadcasts: spawned broadcasts between pools and in scopes, and broadcasts that follow
 * queued jobs. Rayon has the same tests. broadcast_test.c has the basic cases.
 */
#include "help.h"
#include "tests/fixtures/suite.h"

#include <pthread.h>

struct mutual {
	doze_pool *a, *b;
	long turns; /* atomic */
};

static void turn_back(unsigned worker, unsigned workers, void *arg)
{
	struct mutual *m = arg;
	(void)worker;
	(void)workers;
	help_count(&m->turns);
}

/* Spawns a broadcast from each worker of one pool into the other pool, which broadcasts back. No
 * caller waits for a spawned broadcast, so the test waits until all turns have run. */
static void spawn_over(unsigned worker, unsigned workers, void *arg)
{
	struct mutual *m = arg;
	(void)worker;
	(void)workers;
	(void)doze_spawn_broadcast(m->a, turn_back, m);
}

static void start_spawned_mutual(void *arg)
{
	struct mutual *m = arg;
	(void)doze_spawn_broadcast(m->b, spawn_over, m);
}

/* Returns whether all workers of the pool sleep or, under a policy that never sleeps, search. */
static bool falls_asleep(doze_pool *pool)
{
	doze_stats s;
	for (struct patience limit = patience_of(10000); !patience_is_over(&limit);
	     help_sleep_us(200)) {
		doze_pool_stats(pool, &s);
		if (s.sleeping == s.workers)
			return true;
	}
	return false;
}

static void spawned_mutual(bool asleep)
{
	struct mutual m = {help_pool(3, NULL), help_pool(7, NULL), 0};
	if (asleep)
		CU_ASSERT_TRUE(falls_asleep(m.a) && falls_asleep(m.b));
	CU_ASSERT_EQUAL(doze_spawn(m.a, start_spawned_mutual, &m), 0);
	CU_ASSERT_TRUE(help_reaches(&m.turns, 21, 10));
	doze_pool_free(m.b);
	doze_pool_free(m.a);
	CU_ASSERT_EQUAL(m.turns, 21);
}

static void spawned_between_pools(void)
{
	for (int i = 0; i < 20; i++) {
		spawned_mutual(false);
		spawned_mutual(true);
	}
}

/* A turn that receives its scope as its argument and spawns in it. */
struct in_scope {
	doze_scope *scope;
	long sum; /* atomic: the sum of the indices */
	doze_pool *pool;
	pthread_barrier_t barrier;
};

static void add_index(unsigned worker, unsigned workers, void *arg)
{
	struct in_scope *s = arg;
	(void)workers;
	for (unsigned i = 0; i < worker; i++)
		help_count(&s->sum);
}

static void turn_spawns_turns(unsigned worker, unsigned workers, void *arg)
{
	struct in_scope *s = arg;
	(void)worker;
	(void)workers;
	(void)doze_scope_spawn_broadcast(s->scope, add_index, s);
}

static void nested_body(doze_scope *scope, void *arg)
{
	struct in_scope *s = arg;
	s->scope = scope;
	(void)doze_scope_spawn_broadcast(scope, turn_spawns_turns, s);
}

static void scope_nested(void)
{
	for (long n = 1; n <= 9; n += 4) {
		struct in_scope s = {.pool = help_pool((unsigned)n, NULL)};
		(void)doze_scope_run(s.pool, nested_body, &s);
		CU_ASSERT_EQUAL(s.sum, n * n * (n - 1) / 2);
		(void)doze_scope_in_place_fifo(s.pool, nested_body, &s);
		CU_ASSERT_EQUAL(s.sum, n * n * (n - 1));
		doze_pool_free(s.pool);
	}
}

/* All workers and the body meet at a barrier, so each worker takes exactly one turn. */
static void meet(unsigned worker, unsigned workers, void *arg)
{
	struct in_scope *s = arg;
	(void)worker;
	(void)workers;
	(void)pthread_barrier_wait(&s->barrier);
}

static void barrier_body(doze_scope *scope, void *arg)
{
	struct in_scope *s = arg;
	(void)doze_scope_spawn_broadcast(scope, meet, s);
	(void)pthread_barrier_wait(&s->barrier);
}

static void scope_barrier(void)
{
	struct in_scope s = {.pool = help_pool(7, NULL)};
	(void)pthread_barrier_init(&s.barrier, NULL, 8);
	for (int i = 0; i < 50; i++)
		(void)doze_scope_in_place(s.pool, barrier_body, &s);
	doze_pool_free(s.pool);
	(void)pthread_barrier_destroy(&s.barrier);
}

/* ---- jobs queued before a broadcast have run when the broadcast returns ---- */

struct turns {
	long of[4]; /* atomic */
};

static void note_index(unsigned worker, unsigned workers, void *arg)
{
	(void)workers;
	help_count(&((struct turns *)arg)->of[worker]);
}

static void nothing(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	(void)arg;
}

static void after_spawned_broadcast(void)
{
	doze_pool *pool = help_pool(4, NULL);
	for (int i = 1; i <= 100; i++) {
		struct turns before = {{0, 0, 0, 0}};
		CU_ASSERT_EQUAL(doze_spawn_broadcast(pool, note_index, &before), 0);
		CU_ASSERT_EQUAL(doze_broadcast(pool, nothing, NULL), 0);
		for (int w = 0; w < 4; w++)
			CU_ASSERT_EQUAL(help_read(&before.of[w]), 1);
	}
	doze_pool_free(pool);
}

/* The jobs are in the worker's own deque, from which the worker takes jobs first until it has run
 * fair_every of them. */
enum { BEFORE = 60 };

static void spawn_before(void *arg)
{
	for (int i = 0; i < BEFORE; i++)
		(void)doze_spawn(NULL, help_count, arg);
}

/* Uses a single worker. With more, a thief could take its turn, steal a spawned job, and be
 * preempted before it runs that job, while the other workers take their turns and the broadcast
 * returns. */
static void after_spawn(void)
{
	doze_pool *pool = help_pool(1, NULL);

	for (int i = 0; i < 100; i++) {
		long spawned = 0;
		doze_install(pool, spawn_before, &spawned);
		CU_ASSERT_EQUAL(doze_broadcast(pool, nothing, NULL), 0);
		CU_ASSERT_EQUAL(help_read(&spawned), BEFORE);
	}
	doze_pool_free(pool);
}

static void survive_a_broadcast(void)
{
	doze_pool *pool = help_pool(4, NULL);
	static long spawned;

	for (int i = 0; i < 100; i++) {
		doze_install(pool, spawn_before, &spawned);
		CU_ASSERT_EQUAL(doze_broadcast(pool, nothing, NULL), 0);
	}
	doze_pool_free(pool); /* waits for all of the jobs */
	CU_ASSERT_EQUAL(help_read(&spawned), 100L * BEFORE);
}

static const struct suite_test tests[] = {
    {"two pools spawn 21 broadcasts into each other, while awake and while asleep",
     spawned_between_pools},
    {"a scope waits for broadcasts that its broadcasts spawn", scope_nested},
    {"all workers and the scope's body meet at a barrier", scope_barrier},
    {"a spawned broadcast runs on every worker before the next one starts",
     after_spawned_broadcast},
    {"a worker's earlier spawns run before its turn in a broadcast", after_spawn},
    {"a broadcast on four workers loses no spawned job", survive_a_broadcast},
};
SUITE_MAIN("broadcast_order", tests)
