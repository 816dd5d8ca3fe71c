/*
 * SPDX-License-Identifier: MIT
 *
 * Broadcasts: each runs once on every worker, in the same order on all, and no worker sleeps while
 * its turn is queued.
 */
#include "help.h"
#include "lib/pool.h"
#include "tests/fixtures/suite.h"

enum { MOST = 32 };

struct turns {
	long of[MOST]; /* atomic */
	long wrong;    /* atomic: number of turns with a wrong index or count */
	unsigned workers;
};

static void take_turn(unsigned worker, unsigned workers, void *arg)
{
	struct turns *t = arg;
	if (t == NULL)
		return;
	if (workers != t->workers || doze_worker_index() != (int)worker)
		help_count(&t->wrong);
	else
		help_count(&t->of[worker]);
}

static void expect_turns(struct turns *t, long each)
{
	long wrong = help_read(&t->wrong);
	for (unsigned i = 0; i < t->workers; i++)
		wrong += help_read(&t->of[i]) != each;
	CU_ASSERT_EQUAL(wrong, 0);
}

static void every_worker_once(void)
{
	for (unsigned n = 1; n <= 9; n += 4) {
		struct turns t = {.workers = n};
		doze_pool *pool = help_pool(n, NULL);
		for (int i = 0; i < 20; i++)
			CU_ASSERT_EQUAL(doze_broadcast(pool, take_turn, &t), 0);
		expect_turns(&t, 20);
		doze_pool_free(pool);
	}
}

struct call {
	doze_pool *pool;
	struct turns *turns;
};

static void broadcast_it(void *arg)
{
	const struct call *c = arg;
	(void)doze_broadcast(c->pool, take_turn, c->turns);
}

static void from_inside(void)
{
	struct turns t = {.workers = 4};
	struct call c = {help_pool(4, NULL), &t};
	for (int i = 0; i < 20; i++)
		doze_install(c.pool, broadcast_it, &c);
	expect_turns(&t, 20);
	doze_pool_free(c.pool);
}

/* Each worker of one pool broadcasts into the other, which broadcasts back. */
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

static void turn_over(unsigned worker, unsigned workers, void *arg)
{
	struct mutual *m = arg;
	(void)worker;
	(void)workers;
	(void)doze_broadcast(m->a, turn_back, m);
}

static void start_mutual(void *arg)
{
	struct mutual *m = arg;
	(void)doze_broadcast(m->b, turn_over, m);
}

static void mutual(unsigned pause_us)
{
	struct mutual m = {help_pool(3, NULL), help_pool(7, NULL), 0};
	if (pause_us != 0)
		help_sleep_us(pause_us);
	doze_install(m.a, start_mutual, &m);
	CU_ASSERT_EQUAL(m.turns, 21);
	doze_pool_free(m.a);
	doze_pool_free(m.b);
}

static void between_pools(void)
{
	for (int i = 0; i < 5; i++) {
		mutual(0);
		mutual(50000); /* during this pause, the workers fall asleep */
	}
}

static void sleep_index(unsigned worker, unsigned workers, void *arg)
{
	(void)workers;
	help_sleep_us(worker);
	help_count(arg);
}

static void race_with_sleep(void)
{
	long turns = 0, broadcasts = 0;
	double end = help_now() + 1;
	doze_pool *pool = help_pool(7, NULL);
	while (help_now() < end || broadcasts <= 10) {
		(void)doze_broadcast(pool, sleep_index, &turns);
		broadcasts++;
	}
	CU_ASSERT_EQUAL(turns, 7 * broadcasts);
	doze_pool_free(pool);
}

/* The order is the same for all workers because the broadcaster holds one lock while it fills all
 * queues. The pool has no threads: the test's thread acts first as a broadcaster that holds the
 * lock, then as each worker. */
static void broadcast_behind(void *arg)
{
	(void)doze_spawn_broadcast(arg, take_turn, NULL);
}

static unsigned queues_filled(struct doze_pool *pool)
{
	unsigned filled = 0;
	for (unsigned i = 0; i < pool->num_workers; i++)
		filled += doze_injector_has_jobs(&pool->workers[i].broadcast);
	return filled;
}

static void waits_for_the_one_before(void)
{
	struct doze_settings settings;
	doze_config config = {.num_threads = 4};
	struct doze_pool *pool;
	CU_ASSERT_EQUAL_FATAL(doze_settings_read(&settings, &config), 0);
	CU_ASSERT_EQUAL_FATAL(doze_pool_build(&pool, &settings), 0);
	doze_mutex_lock(&pool->broadcast_lock);
	struct help_thread *behind = help_thread_start(broadcast_behind, pool);
	help_sleep_us(30000);
	CU_ASSERT_EQUAL(queues_filled(pool), 0);
	doze_mutex_unlock(&pool->broadcast_lock);
	help_thread_join(behind);
	CU_ASSERT_EQUAL(queues_filled(pool), 4);
	for (unsigned i = 0; i < 4; i++) {
		struct doze_job *job = doze_injector_pop(&pool->workers[i].broadcast);
		job->run(job, &pool->workers[i], DOZE_SOURCE_broadcast);
	}
	doze_pool_unref(pool);
}

static void spawned_is_done_at_the_end(void)
{
	struct turns t = {.workers = 5};
	doze_pool *pool = help_pool(5, NULL);
	for (int i = 0; i < 10; i++)
		CU_ASSERT_EQUAL(doze_spawn_broadcast(pool, take_turn, &t), 0);
	doze_pool_free(pool);
	expect_turns(&t, 10);
}

static void spawn_in_scope(doze_scope *scope, void *arg)
{
	(void)doze_scope_spawn_broadcast(scope, take_turn, arg);
	(void)doze_scope_spawn_broadcast(scope, take_turn, arg);
}

static void scope_waits_for_it(void)
{
	struct turns t = {.workers = 5};
	doze_pool *pool = help_pool(5, NULL);
	(void)doze_scope_run(pool, spawn_in_scope, &t);
	expect_turns(&t, 2);
	(void)doze_scope_in_place(pool, spawn_in_scope, &t);
	expect_turns(&t, 4);
	doze_pool_free(pool);
}

static void after_many_spawns(void)
{
	long spawned = 0;
	struct turns t = {.workers = 3};
	doze_pool *pool = help_pool(3, NULL);
	for (int i = 0; i < 1000; i++)
		(void)doze_spawn(pool, help_count, &spawned);
	(void)doze_broadcast(pool, take_turn, &t);
	expect_turns(&t, 1);
	doze_pool_free(pool);
	CU_ASSERT_EQUAL(spawned, 1000);
}

/* ---- turns that wait for each other ---- */

struct meeting {
	long here, missed; /* atomic */
};

static void meet(unsigned worker, unsigned workers, void *arg)
{
	struct meeting *m = arg;
	(void)worker;
	help_count(&m->here);
	if (!help_reaches(&m->here, workers, 10))
		help_count(&m->missed);
}

static void turns_meet_at_the_start(void)
{
	suite_allow_seconds(60);
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++) {
		long missed = 0;
		for (int i = 0; i < 50 && missed == 0; i++) {
			struct meeting m = {0, 0};
			doze_pool *pool = help_pool(3, (*p)->name);
			CU_ASSERT_EQUAL(doze_broadcast(pool, meet, &m), 0);
			doze_pool_free(pool);
			missed = m.missed;
		}
		CU_ASSERT_EQUAL(missed, 0);
	}
}

static const struct suite_test tests[] = {
    {"every worker runs a broadcast once, with its own index", every_worker_once},
    {"a worker of the pool may broadcast", from_inside},
    {"two pools broadcast into each other 21 times, while awake and while asleep", between_pools},
    {"no broadcast is missed while workers fall asleep (rayon #992)", race_with_sleep},
    {"a broadcast waits until the previous one is in all queues", waits_for_the_one_before},
    {"freeing the pool waits for spawned broadcasts", spawned_is_done_at_the_end},
    {"a scope waits for broadcasts spawned in it", scope_waits_for_it},
    {"a broadcast completes after a thousand spawned jobs", after_many_spawns},
    {"in a new pool, all turns of a broadcast run at the same time", turns_meet_at_the_start},
};
SUITE_MAIN("broadcast", tests)
