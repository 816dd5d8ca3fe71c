/*
 * SPDX-License-Identifier: MIT
 *
 * pool.c - scenarios on whole pools: the library's own create, install, spawn, join and free.
 */
#include "cells.h"
#include "shared_latch.h"

/* ---- a worker and a poster ---- */

static void start_and_free(unsigned workers)
{
	doze_pool *pool = small_pool(workers);
	must_end_sleeps("averted by its latch");
	ex_expect("the termination");
	doze_pool_free(pool);
}
static void terminate_one(void)
{
	start_and_free(1);
}
static void terminate_two(void)
{
	start_and_free(2);
}

static void injected(void *arg)
{
	fills("install/outside/queue", outside_waits());
	count_run(arg);
}
static void inject(void)
{
	static DOZE_ATOMIC(int) runs;
	doze_pool *pool = small_pool(1);
	must_meet("a job was injected while a worker was sleepy",
		  "a job was injected while a worker was asleep");
	must_end_sleeps("averted by the last look");
	ex_expect("the injected job");
	doze_install(pool, injected, &runs);
	EX_CHECK(ran(&runs) == 1);
	check_quiet(pool);
	ex_expect("the termination");
	doze_pool_free(pool);
}

/* Injects three jobs in a row; each post may reach the worker at any point on its way to sleep. A
 * 2-bit JEC wraps around to the value that the worker remembers. */
static void inject_row(void)
{
	static DOZE_ATOMIC(int) runs;
	doze_pool *pool = small_pool(1);
	ex_expect("the spawned jobs");
	for (int i = 0; i < 3; i++)
		EX_CHECK(doze_spawn(pool, count_run, &runs) == 0);
	perhaps_quiet(pool);
	ex_expect("the termination, or a spawned job");
	doze_pool_free(pool);
	EX_CHECK(ran(&runs) == 3);
}

static void latch_free(void)
{
	doze_pool *pool = small_pool(1);
	EX_CHECK(doze_spawn(pool, wait_on_latch, NULL) == 0);
	/* For each of the latch's states, some execution must set the latch from that state. */
	ex_must_note("set from unset");
	if (strcmp(ex_policy(), "tickle") != 0) { /* tickle does not change the latch */
		ex_must_note("set from sleepy");
		ex_must_note("set from sleeping");
	}
	set_shared_latch();
	perhaps_quiet(pool);
	doze_pool_free(pool);
}

/* ---- three or more threads ---- */

static DOZE_ATOMIC(int) join_runs[2];
static void count_second(void *arg)
{
	bool stolen = doze_worker_index() != (int)(intptr_t)arg;
	ex_note(stolen ? "stolen" : "not stolen");
	fills("join/worker/self", !stolen);
	fills("join/worker/queue", stolen && colleague_sleeps());
	count_run(&join_runs[1]);
}
static void join_body(void *arg)
{
	(void)arg;
	doze_join(count_run, &join_runs[0], count_second, (void *)(intptr_t)doze_worker_index());
	EX_CHECK(ran(&join_runs[0]) == 1 && ran(&join_runs[1]) == 1);
}
static void join_stolen(void)
{
	doze_pool *pool = small_pool(2);
	ex_must_note("stolen");
	ex_must_note("not stolen");
	ex_expect("the join");
	doze_install(pool, join_body, NULL);
	check_quiet(pool);
	doze_pool_free(pool);
}

/* A worker pushes a job while the other worker gets sleepy, and does not pop the job before all is
 * quiet. The policies permit a missed wake here, so it is noted but does not fail the execution. */
static DOZE_ATOMIC(int) local_runs;
static void push_and_wait(void *arg)
{
	(void)arg;
	EX_CHECK(doze_spawn(NULL, count_run, &local_runs) == 0);
	ex_wait_quiet();
	if (ran(&local_runs) == 0)
		ex_note("under-wake: the other worker sleeps while a local job waits");
}
static void local_post(void)
{
	doze_pool *pool = small_pool(2);
	must_meet("a job was pushed while a worker was sleepy",
		  "a job was pushed while a worker was asleep");
	ex_expect("the install");
	doze_install(pool, push_and_wait, NULL);
	doze_pool_free(pool);
	EX_CHECK(ran(&local_runs) == 1);
}

static void *outside_poster(void *arg)
{
	static DOZE_ATOMIC(int) runs;
	ex_expect("the second poster's job");
	doze_install(arg, count_run, &runs);
	EX_CHECK(ran(&runs) == 1);
	return NULL;
}
static void two_posters(unsigned workers)
{
	static DOZE_ATOMIC(int) runs;
	doze_thread t;
	doze_pool *pool = small_pool(workers);
	EX_CHECK(doze_thread_create(&t, outside_poster, pool) == 0);
	ex_expect("the first poster's job");
	doze_install(pool, count_run, &runs);
	EX_CHECK(ran(&runs) == 1);
	doze_thread_join(t);
	check_quiet(pool);
	doze_pool_free(pool);
}
static void two_posters_one(void)
{
	two_posters(1);
}
static void two_posters_two(void)
{
	two_posters(2);
}

/* A job of one pool waits for a job of another pool; meanwhile, the waiting worker runs jobs of
 * its own pool. */
static doze_pool *other_pool;
static DOZE_ATOMIC(int) cross_runs, own_runs;
static void cross_job(void *arg)
{
	fills("install/other/queue", ex_worker_sleeps(1, 0));
	count_run(arg);
}
static void cross_body(void *arg)
{
	(void)arg;
	doze_install(other_pool, cross_job, &cross_runs);
}
static void cross_install(void)
{
	doze_pool *pool = small_pool(1);
	other_pool = small_pool(1);
	ex_expect("the job in the other pool");
	doze_install(pool, cross_body, NULL);
	EX_CHECK(ran(&cross_runs) == 1);
	EX_CHECK(doze_spawn(pool, count_run, &own_runs) == 0);
	if (ex_choose(2)) {
		check_quiet(pool);
		check_quiet(other_pool);
	}
	doze_pool_free(pool); /* the other pool's worker may still be setting its latch */
	EX_CHECK(ran(&own_runs) == 1);
	doze_pool_free(other_pool);
}

const struct ex_scenario ex_scenarios[] = {
    {"terminate", "termination while a worker falls asleep", terminate_one, 2, ALL_POLICIES, NULL,
     0},
    {"inject", "a job injected while the last worker falls asleep", inject, 2, ALL_POLICIES, NULL,
     0, "install/outside/queue"},
    {"inject-spurious", "a job injected while the last worker falls asleep; one spurious wake",
     inject, 2, ALL_POLICIES, NULL, 1},
    {"inject-row", "three jobs injected in a row", inject_row, 2, ALL_POLICIES, NULL, 0},
    {"latch", "a latch that an outside thread sets and its owner frees", latch_free, 2,
     ALL_POLICIES, NULL, 0},
    {"latch-spurious", "a latch that an outside thread sets and its owner frees; one spurious wake",
     latch_free, 2, ALL_POLICIES, NULL, 1},
    {"two-posters", "two outside threads inject jobs, one worker", two_posters_one, 3, ALL_POLICIES,
     NULL, 0},
    {"terminate-two", "termination while two workers fall asleep", terminate_two, 3, ALL_POLICIES,
     NULL, 0},
    {"join", "a join whose second half may be stolen", join_stolen, 3, ALL_POLICIES, NULL, 0,
     "join/worker/self join/worker/queue"},
    {"local-post", "a job that a worker pushes while the other falls asleep", local_post, 3,
     ALL_POLICIES, NULL, 0},
    {"cross-install", "a wait for a job in another pool", cross_install, 3, ALL_POLICIES, NULL, 0,
     "install/other/queue"},
    {"two-and-two", "two outside threads inject jobs, two workers", two_posters_two, 4,
     ALL_POLICIES, NULL, 0},
    {.name = NULL},
};
