/*
 * SPDX-License-Identifier: MIT
 *
 * helps.c - scenarios on whole pools, continued: futures whose task the getter runs, scopes whose
 * jobs are stolen, and scopes whose jobs run in another pool. In each of them, threads race for a
 * latch or flag in a frame that ends right afterwards (rayon #929, #952).
 */
#include "cells.h"

/* A worker submits a task to its own pool, gets it at once, and runs the task itself unless the
 * other worker has stolen it. */
static DOZE_ATOMIC(int) task_runs;
static int getter; /* set before the getter submits */
static void *task(void *arg)
{
	fills("future/worker/self", doze_worker_index() == getter);
	EX_CHECK(da_add(&task_runs, 1, RLX) == 0);
	return arg;
}
static void get_own(void *arg)
{
	doze_future *future;
	getter = doze_worker_index();
	EX_CHECK(doze_submit(&future, NULL, task, &task_runs) == 0);
	EX_CHECK(doze_future_get(future) == &task_runs);
	EX_CHECK(ran(&task_runs) == 1);
	doze_future_free(future);
	(void)arg;
}
static void future_help(unsigned workers)
{
	doze_pool *pool = small_pool(workers);
	ex_expect("the future's getter");
	doze_install(pool, get_own, NULL);
	ex_expect("the termination");
	doze_pool_free(pool);
	EX_CHECK(ran(&task_runs) == 1);
}
static void future_help_one(void)
{
	future_help(1);
}
static void future_help_two(void)
{
	future_help(2);
}

/* The body of each scope spawns one job; the scope is in the waiting thread's frame. */
static DOZE_ATOMIC(int) scope_runs;
static enum { OUTSIDE, WORKER, OTHER } waits; /* set before the pools are created */
static void scope_job(doze_scope *scope, void *arg)
{
	bool here = doze_worker_index() == *(int *)arg;
	(void)scope;
	fills("scope/outside/queue", waits == OUTSIDE && outside_waits());
	fills("scope/worker/self", waits == WORKER && here);
	fills("scope/worker/queue", waits == WORKER && !here && colleague_sleeps());
	fills("scope/other/queue", waits == OTHER && ex_worker_sleeps(1, 0));
	da_store(&scope_runs, da_load(&scope_runs, RLX) + 1, RLX);
}
static int spawner; /* index of the worker that runs the body */
static void scope_body(doze_scope *scope, void *arg)
{
	(void)arg;
	spawner = doze_worker_index();
	EX_CHECK(doze_scope_spawn(scope, scope_job, &spawner) == 0);
}

/* The waiter is not a worker, so it waits on a lock latch. */
static void scope_outside(void)
{
	doze_pool *pool = small_pool(1);
	ex_expect("the scope");
	EX_CHECK(doze_scope_in_place(pool, scope_body, NULL) == 0);
	EX_CHECK(ran(&scope_runs) == 1);
	perhaps_quiet(pool);
	ex_expect("the termination");
	doze_pool_free(pool);
}

/* The waiter is a worker, and the other worker may steal the job. */
static void scope_stolen(void)
{
	waits = WORKER;
	doze_pool *pool = small_pool(2);
	ex_expect("the scope");
	EX_CHECK(doze_scope_run(pool, scope_body, NULL) == 0);
	EX_CHECK(ran(&scope_runs) == 1);
	ex_expect("the termination");
	doze_pool_free(pool);
}

/* The waiter is a worker of another pool, which may be freed as soon as the latch is set. */
static doze_pool *other_pool;
static void scope_in_other(void *arg)
{
	EX_CHECK(doze_scope_in_place(other_pool, scope_body, arg) == 0);
	EX_CHECK(ran(&scope_runs) == 1);
}
static void scope_other_pool(void)
{
	waits = OTHER;
	doze_pool *pool = small_pool(1);
	other_pool = small_pool(1);
	ex_expect("the scope in the other pool");
	doze_install(pool, scope_in_other, NULL);
	doze_pool_free(pool); /* the other pool's worker may still be setting its latch */
	doze_pool_free(other_pool);
}

const struct ex_scenario ex_scenarios[] = {
    {"scope-outside", "a scope awaited by an outside thread", scope_outside, 2, ALL_POLICIES, NULL,
     0, "scope/outside/queue"},
    {"future-help", "a worker gets the task that it has just submitted", future_help_one, 2,
     ALL_POLICIES, NULL, 0, "future/worker/self"},
    {"future-stolen",
     "a worker gets the task that it has just submitted, which another worker may take",
     future_help_two, 3, ALL_POLICIES, NULL, 0, "future/worker/self"},
    {"scope-stolen", "a scope whose job may be stolen", scope_stolen, 3, ALL_POLICIES, NULL, 0,
     "scope/worker/self scope/worker/queue"},
    {"scope-other-pool", "a scope awaited by another pool's worker", scope_other_pool, 3,
     ALL_POLICIES, NULL, 0, "scope/other/queue"},
    {.name = NULL},
};
