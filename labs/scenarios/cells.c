/*
 * SPDX-License-Identifier: MIT
 *
 * cells.c - scenarios for the cells (cells.h) that the other files do not fill. getters.c covers
 * futures.
 */
#include "cells.h"

/* ---- a join from outside the pools, which runs in the default pool ---- */

static DOZE_ATOMIC(int) runs;

static void joined(void *arg)
{
	fills("join/outside/queue", outside_waits());
	count_run(arg);
}

static void join_outside(void)
{
	doze_config config = {.num_threads = 1,
			      .policy = ex_policy(),
			      .rounds_until_sleepy = 1,
			      .rounds_until_sleeping = 2};
	EX_CHECK(doze_default_pool_init(&config) == 0);
	ignore_names(doze_default_pool());
	ex_expect("the join");
	doze_join(joined, &runs, joined, &runs);
	EX_CHECK(ran(&runs) == 2);
	ex_expect("the termination");
	doze_default_pool_free();
}

/* ---- fixtures: a pool with two workers, or two pools with one worker each ---- */

static void run_inside(doze_fn fn, const char *expected)
{
	doze_pool *pool = small_pool(2);
	ex_expect(expected);
	doze_install(pool, fn, NULL);
	doze_pool_free(pool);
}

static doze_pool *first, *second;

static void make_two(void)
{
	first = small_pool(1);
	second = small_pool(1);
}

static void free_two(void)
{
	ex_expect("the termination");
	doze_pool_free(second); /* the first pool's worker may still be setting its latch */
	doze_pool_free(first);
}

/* Runs fn in the second pool. The work that fn starts in the first pool sets a latch whose waiter
 * is in the second pool. */
static void run_there(doze_fn fn, void *arg, const char *expected)
{
	make_two();
	ex_expect(expected);
	doze_install(second, fn, arg);
	free_two();
}

/* ---- broadcast ---- */

static DOZE_ATOMIC(int) turns;

/* The broadcast's function, which runs once per worker. arg is the index of the worker that
 * waits. */
static void turn_of_two(unsigned worker, unsigned workers, void *arg)
{
	if (da_add(&turns, 1, RLX) + 1 < (int)workers)
		return;
	bool waiter = worker == (unsigned)(intptr_t)arg;
	fills("broadcast/worker/self", waiter);
	fills("broadcast/worker/queue", !waiter && colleague_sleeps());
}

static void broadcast_here(void *arg)
{
	(void)arg;
	EX_CHECK(doze_broadcast(NULL, turn_of_two, (void *)(intptr_t)doze_worker_index()) == 0);
	EX_CHECK(da_load(&turns, RLX) == 2);
}

static void broadcast_inside(void)
{
	run_inside(broadcast_here, "the broadcast");
}

static void turn_for_other(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	fills("broadcast/other/queue", other_sleeps());
	count_run(arg);
}

static void broadcast_there(void *arg)
{
	EX_CHECK(doze_broadcast(first, turn_for_other, arg) == 0);
	EX_CHECK(ran(arg) == 1);
}

static void broadcast_other(void)
{
	run_there(broadcast_there, &runs, "the broadcast in the other pool");
}

/* ---- loops ---- */

static void piece_for_outside(size_t begin, size_t end, void *arg)
{
	fills("loop/outside/queue", outside_waits());
	da_add((DOZE_ATOMIC(int) *)arg, (int)(end - begin), RLX);
}

static void loop_outside(void)
{
	doze_pool *pool = small_pool(1);
	ex_expect("the loop");
	doze_for(pool, 0, 2, 1, piece_for_outside, &runs);
	EX_CHECK(ran(&runs) == 2);
	doze_pool_free(pool);
}

struct loop {
	int owner;
	DOZE_ATOMIC(int) done;
};

/* The loop offers the second of its two pieces to other workers, and waits until that piece has
 * ended. */
static void piece(size_t begin, size_t end, void *arg)
{
	struct loop *loop = arg;
	EX_CHECK(end == begin + 1);
	if (begin == 1) {
		fills("loop/worker/self", doze_worker_index() == loop->owner);
		fills("loop/worker/queue",
		      doze_worker_index() != loop->owner && colleague_sleeps());
	}
	da_add(&loop->done, 1, RLX);
}

static void loop_here(void *arg)
{
	struct loop loop = {.owner = doze_worker_index()};
	(void)arg;
	da_init(&loop.done, 0);
	doze_for(NULL, 0, 2, 1, piece, &loop);
	EX_CHECK(da_load(&loop.done, RLX) == 2);
}

static void loop_stolen(void)
{
	run_inside(loop_here, "the loop");
}

static void piece_for_other(size_t begin, size_t end, void *arg)
{
	fills("loop/other/queue", other_sleeps());
	da_add((DOZE_ATOMIC(int) *)arg, (int)(end - begin), RLX);
}

static void loop_there(void *arg)
{
	doze_for(first, 0, 2, 1, piece_for_other, arg);
	EX_CHECK(ran(arg) == 2);
}

static void loop_other(void)
{
	run_there(loop_there, &runs, "the loop in the other pool");
}

/* ---- bulk spawns in a scope ---- */

struct bulk {
	int owner; /* the worker that waits; -1 if the waiter is not a worker of the pool */
	DOZE_ATOMIC(int) done;
};

enum { BULK = 2 };

static void bulk_job(doze_scope *scope, void *arg)
{
	struct bulk *bulk = arg;
	(void)scope;
	if (da_add(&bulk->done, 1, RLX) + 1 < BULK)
		return;
	bool waiter = doze_worker_index() == bulk->owner;
	fills("bulk/worker/self", waiter);
	if (bulk->owner < 0) {
		fills("bulk/outside/queue", outside_waits());
		fills("bulk/other/queue", doze_current_pool() == first && other_sleeps());
	} else {
		fills("bulk/worker/queue", !waiter && colleague_sleeps());
	}
}

static void bulk_body(doze_scope *scope, void *arg)
{
	EX_CHECK(doze_scope_spawn_many(scope, bulk_job, arg, BULK, 0) == 0);
}

static void bulk_here(void *arg)
{
	struct bulk bulk = {.owner = doze_worker_index()};
	(void)arg;
	da_init(&bulk.done, 0);
	EX_CHECK(doze_scope_run(NULL, bulk_body, &bulk) == 0);
	EX_CHECK(da_load(&bulk.done, RLX) == BULK);
}

static void bulk_stolen(void)
{
	run_inside(bulk_here, "the scope");
}

static void await_bulk(doze_pool *pool)
{
	struct bulk bulk = {.owner = -1};
	da_init(&bulk.done, 0);
	EX_CHECK(doze_scope_in_place(pool, bulk_body, &bulk) == 0);
	EX_CHECK(da_load(&bulk.done, RLX) == BULK);
}

static void bulk_outside(void)
{
	doze_pool *pool = small_pool(1);
	ex_expect("the scope");
	await_bulk(pool);
	doze_pool_free(pool);
}

static void bulk_there(void *arg)
{
	(void)arg;
	await_bulk(first);
}

static void bulk_other(void)
{
	run_there(bulk_there, NULL, "the scope in the other pool");
}

/* Two workers fall asleep while one post publishes one job and another post publishes two jobs. */
static void bulk_spawned(void)
{
	doze_pool *pool = small_pool(2);
	must_meet("a job was injected while a worker was sleepy",
		  "a job was injected while a worker was asleep");
	EX_CHECK(doze_spawn_many(pool, count_run, &runs, 1, 0) == 0);
	EX_CHECK(doze_spawn_many(pool, nothing, NULL, 2, 0) == 0);
	perhaps_quiet(pool);
	ex_expect("the termination, or a spawned job");
	doze_pool_free(pool);
	EX_CHECK(ran(&runs) == 1);
}

/* ---- the pool's end ---- */

static void last_for_outside(void *arg)
{
	fills("end/outside/queue", outside_waits());
	count_run(arg);
}

static void end_outside(void)
{
	doze_pool *pool = small_pool(1);
	EX_CHECK(doze_spawn(pool, last_for_outside, &runs) == 0);
	if (ex_choose(2)) {
		ex_wait_quiet();
		fills("end/outside/self", ran(&runs) == 1);
	}
	ex_expect("the termination");
	doze_pool_free(pool);
	EX_CHECK(ran(&runs) == 1);
}

/* The waiter is the worker of the second pool. It is thread 2, after main and the worker of the
 * first pool. */
static void last_for_other(void *arg)
{
	fills("end/other/queue", ex_thread_waits(2));
	count_run(arg);
}

static void end_there(void *arg)
{
	fills("end/other/self", ran(&runs) == 1);
	doze_pool_free(arg);
	EX_CHECK(ran(&runs) == 1);
}

static void end_other(void)
{
	make_two();
	EX_CHECK(doze_spawn(first, last_for_other, &runs) == 0);
	ex_expect("the other pool to be freed");
	doze_install(second, end_there, first);
	doze_pool_free(second);
}

#define TABLE(name, title, body, threads, cells)                                                   \
	{                                                                                          \
		name, title, body, threads, ALL_POLICIES, NULL, 0, cells                           \
	}

const struct ex_scenario ex_scenarios[] = {
    TABLE("join-outside", "a join by an outside thread, in the default pool", join_outside, 2,
	  "join/outside/queue"),
    TABLE("loop-outside", "a loop awaited by an outside thread", loop_outside, 2,
	  "loop/outside/queue"),
    TABLE("bulk-outside", "a scope with two jobs spawned at once, awaited by an outside thread",
	  bulk_outside, 2, "bulk/outside/queue"),
    TABLE("end-outside", "a pool is freed, possibly before its job has run", end_outside, 2,
	  "end/outside/queue end/outside/self"),
    TABLE("broadcast-inside", "a broadcast awaited by a worker", broadcast_inside, 3,
	  "broadcast/worker/self broadcast/worker/queue"),
    TABLE("broadcast-other", "a broadcast awaited by another pool's worker", broadcast_other, 3,
	  "broadcast/other/queue"),
    TABLE("loop-stolen", "a loop whose second piece may be stolen", loop_stolen, 3,
	  "loop/worker/self loop/worker/queue"),
    TABLE("loop-other", "a loop awaited by another pool's worker", loop_other, 3,
	  "loop/other/queue"),
    TABLE("bulk-stolen", "a scope with two jobs spawned at once, which may be stolen", bulk_stolen,
	  3, "bulk/worker/self bulk/worker/queue"),
    TABLE("bulk-other", "a scope with two jobs spawned at once, awaited by another pool's worker",
	  bulk_other, 3, "bulk/other/queue"),
    TABLE("bulk-spawned", "posts of one job and of two jobs while two workers fall asleep",
	  bulk_spawned, 3, NULL),
    TABLE("end-other", "a pool freed by another pool's worker", end_other, 3,
	  "end/other/self end/other/queue"),
    {.name = NULL},
};
