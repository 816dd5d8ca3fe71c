/*
 * SPDX-License-Identifier: MIT
 *
 * getters.c - scenarios in which several threads get one future: a getter that runs the task in its
 * own get must wake the other getters. cells.h describes the cells.
 *
 * A getter that calls get before the task has begun runs the task itself. So a getter that is meant
 * to sleep first waits until the task has begun.
 */
#include "shared_future.h"

static DOZE_ATOMIC(int) begun; /* the task has begun */
/* 1 + index of the worker that gets the future before the task has begun. */
static DOZE_ATOMIC(int) helper;
static DOZE_ATOMIC(int) waiting; /* 1 once a worker gets the future without helping */
/* Which threads get the future; set before the pools are created. */
static bool two_pools, two_workers, main_gets;

static void note_cells(bool helps)
{
	bool worker = da_load(&waiting, RLX) > 0;
	bool colleague = worker && two_workers && colleague_sleeps();
	bool other = worker && two_pools && other_sleeps();
	bool outside = main_gets && outside_waits();

	fills(helps ? "future/worker/helper" : "future/worker/queue", colleague);
	fills(helps ? "future/other/helper" : "future/other/queue", other);
	fills(helps ? "future/outside/helper" : "future/outside/queue", outside);
	fills(helps ? "future/several/helper" : "future/several/queue", outside && colleague);
}

/* The future's task. The helper may run it inside its get, or after taking it from a queue. */
static void *task(void *arg)
{
	bool helps = da_load(&helper, RLX) == doze_worker_index() + 1;
	da_store(&begun, 1, REL);
	/* Explore both cases: the other getters are about to sleep, or are already asleep. */
	if (ex_choose(2))
		ex_wait_quiet();
	note_cells(helps);
	count_run(&runs);
	return arg;
}

static void get(void)
{
	EX_CHECK(doze_future_get(await_future()) == &runs);
	EX_CHECK(ran(&runs) == 1);
}

static void get_and_help(void *arg)
{
	(void)arg;
	(void)await_future();
	da_store(&helper, doze_worker_index() + 1, RLX);
	get();
	da_store(&helper, 0, RLX);
}

static void get_and_wait(void *arg)
{
	(void)arg;
	while (!da_load(&begun, ACQ))
		doze_thread_yield();
	da_store(&waiting, 1, RLX);
	get();
}

/* A getter that runs a task must wake the task's sleeping getters at once. Here task g gets the
 * shared future f and sleeps; job p runs f in its get, and then gets g. If `tickle` deferred the
 * wake to the end of p, p and g would wait for each other. */
static void *task_g(void *arg)
{
	get_and_wait(NULL);
	return arg;
}
static void get_both(void *arg)
{
	submit_shared(NULL, task);
	get_and_help(NULL);
	EX_CHECK(doze_future_get(arg) == &runs);
}
static void two_getters(void)
{
	doze_future *g;
	two_workers = true;
	doze_pool *pool = small_pool(2);
	EX_CHECK(doze_submit(&g, pool, task_g, &runs) == 0);
	ex_expect("both futures");
	doze_install(pool, get_both, g);
	doze_future_free(g);
	free_shared(pool);
}

/* A worker runs the task in its get while main waits outside. */
static void outside_helped(void)
{
	main_gets = true;
	doze_pool *pool = small_pool(1);
	EX_CHECK(doze_spawn(pool, get_and_help, NULL) == 0);
	submit_shared(pool, task);
	ex_expect("the future");
	get();
	free_shared(pool);
}

/* Gets the future on the worker of the second pool. */
static void get_there(void *arg)
{
	(void)arg;
	da_store(&waiting, 1, RLX);
	get();
}
static void other_queued(void)
{
	two_pools = true;
	get_in_other_pool(task, NULL, get_there);
}
static void other_helped(void)
{
	two_pools = true;
	get_in_other_pool(task, get_and_help, get_there);
}

/* Main and a worker wait while the second worker runs the task. */
static void several(bool helped)
{
	two_workers = main_gets = true;
	doze_pool *pool = small_pool(2);
	if (helped)
		EX_CHECK(doze_spawn(pool, get_and_help, NULL) == 0);
	submit_shared(pool, task);
	EX_CHECK(doze_spawn(pool, get_and_wait, NULL) == 0);
	ex_expect("the future");
	get();
	free_shared(pool);
}
static void several_queued(void)
{
	several(false);
}
static void several_helped(void)
{
	several(true);
}

const struct ex_scenario ex_scenarios[] = {
    {"outside-helped", "an outside thread waits for a task that a worker runs in its own get",
     outside_helped, 2, ALL_POLICIES, NULL, 0, "future/outside/helper"},
    {"two-getters",
     "a worker that ran a task in its own get then gets the task that was waiting for it",
     two_getters, 3, ALL_POLICIES, NULL, 0, "future/worker/helper"},
    {"other-queued", "another pool's worker gets a future", other_queued, 3, ALL_POLICIES, NULL, 0,
     "future/other/queue"},
    {"other-helped",
     "another pool's worker gets a future; a worker of the task's pool runs the task in its own "
     "get",
     other_helped, 3, ALL_POLICIES, NULL, 0, "future/other/helper"},
    {"several-queued", "an outside thread and a worker wait for one future", several_queued, 3,
     ALL_POLICIES, NULL, 0, "future/worker/queue future/several/queue"},
    {"several-helped",
     "an outside thread and a worker wait for one future; another worker runs the task in its own "
     "get",
     several_helped, 3, ALL_POLICIES, NULL, 0, "future/several/helper"},
    {.name = NULL},
};
