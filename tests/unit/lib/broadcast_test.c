/*
 * SPDX-License-Identifier: MIT
 *
 * Broadcasts: every worker once, in the same order for all, nobody sleeps over one.
 */
#include "../suite.h"
#include "help.h"

#include <string.h>

enum { MOST = 32 };

struct turns {
	long of[MOST]; /* atomic */
	long wrong;    /* atomic: turns with a wrong index or count */
	unsigned workers;
};

static void take_turn(unsigned worker, unsigned workers, void *arg)
{
	struct turns *t = arg;
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
		mutual(50000); /* sleepy pools */
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
	while (help_now() < end) {
		(void)doze_broadcast(pool, sleep_index, &turns);
		broadcasts++;
	}
	CU_ASSERT_EQUAL(turns, 7 * broadcasts);
	CU_ASSERT_TRUE(broadcasts > 10);
	doze_pool_free(pool);
}

/* Two threads broadcast at once; every worker sees both in the same order. */
struct ordered {
	doze_pool *pool;
	int first[MOST]; /* by worker: which broadcast came first in this round; 0 none yet */
	int number;
};

static struct ordered order;

static void note_first(unsigned worker, unsigned workers, void *arg)
{
	(void)workers;
	if (order.first[worker] == 0)
		order.first[worker] = *(int *)arg;
}

static void broadcast_number(void *arg)
{
	(void)doze_broadcast(order.pool, note_first, arg);
}

static void same_order_for_all(void)
{
	int numbers[2] = {1, 2}, wrong = 0;
	order.pool = help_pool(4, NULL);
	for (int round = 0; round < 200; round++) {
		memset(order.first, 0, sizeof order.first);
		struct help_thread *t = help_thread_start(broadcast_number, &numbers[0]);
		broadcast_number(&numbers[1]);
		help_thread_join(t);
		for (int i = 1; i < 4; i++)
			wrong += order.first[i] != order.first[0];
	}
	CU_ASSERT_EQUAL(wrong, 0);
	doze_pool_free(order.pool);
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

static const struct suite_test tests[] = {
    {"Does every worker run it once, with its own index?", every_worker_once},
    {"Does it work from a worker of the pool?", from_inside},
    {"Do two pools broadcast into each other, 21 turns, also asleep?", between_pools},
    {"Is none missed in a second of races with falling asleep (rayon #992)?", race_with_sleep},
    {"Do two broadcasts reach all workers in the same order?", same_order_for_all},
    {"Does the pool's end wait for spawned broadcasts?", spawned_is_done_at_the_end},
    {"Does a scope wait for broadcasts spawned in it?", scope_waits_for_it},
    {"Does it come through behind a thousand spawned jobs?", after_many_spawns},
};
SUITE_MAIN("broadcast", tests)
