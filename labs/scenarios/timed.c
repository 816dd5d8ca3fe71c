/*
 * SPDX-License-Identifier: MIT
 *
 * timed.c - timed gets. The explorer has no clock, so a deadline may pass at any moment, and each
 * get is explored both with a result and with a time-out. An execution fills a cell (cells.h) if
 * the result becomes available while the getter waits. While a worker waits, a spare thread can run
 * the task in its place.
 */
#include "shared_future.h"

#include <errno.h>

static DOZE_ATOMIC(int) helped; /* another getter may run the task */

static void *task(void *arg)
{
	count_run(arg);
	return arg;
}

static void get_timed(const char *queue, const char *helper)
{
	doze_future *f = await_future();
	void *result = NULL;
	bool was_ready = doze_future_ready(f);
	int rc = doze_future_get_timed(f, 1, &result);

	EX_CHECK(rc == 0 || rc == ETIMEDOUT);
	EX_CHECK(rc != 0 || (result == &runs && ran(&runs) == 1));
	EX_CHECK(!was_ready || rc == 0);
	if (rc != 0)
		ex_note("too late");
	else if (!was_ready)
		ex_note(da_load(&helped, RLX) ? helper : queue);
}

static void get_and_help(void *arg)
{
	doze_future *f = await_future();
	if (!doze_future_ready(f))
		da_store(&helped, 1, RLX);
	EX_CHECK(doze_future_get(f) == &runs);
	(void)arg;
}

static void finish(doze_pool *pool)
{
	ex_must_note("too late");
	free_shared(pool);
}

static void outside(void)
{
	doze_pool *pool = small_pool(1);
	submit_shared(pool, task);
	get_timed("timed/outside/queue", "");
	finish(pool);
}

static void outside_helped(void)
{
	doze_pool *pool = small_pool(1);
	EX_CHECK(doze_spawn(pool, get_and_help, NULL) == 0);
	submit_shared(pool, task);
	get_timed("", "timed/outside/helper");
	finish(pool);
}

static void inside(void *arg)
{
	submit_shared(NULL, task);
	get_timed("timed/worker/queue", "timed/worker/helper");
	(void)arg;
}

/* The pool's only worker waits, while a spare thread holds the worker. */
static void worker(void)
{
	doze_pool *pool = small_pool(1);
	ex_expect("the job with the get");
	doze_install(pool, inside, NULL);
	finish(pool);
}

static void worker_helped(void)
{
	doze_pool *pool = small_pool(2);
	EX_CHECK(doze_spawn(pool, get_and_help, NULL) == 0);
	ex_expect("the job with the get");
	doze_install(pool, inside, NULL);
	finish(pool);
}

static void there(void *arg)
{
	get_timed("timed/other/queue", "timed/other/helper");
	(void)arg;
}

static void other_queued(void)
{
	ex_must_note("too late");
	get_in_other_pool(task, NULL, there);
}
static void other_helped(void)
{
	ex_must_note("too late");
	get_in_other_pool(task, get_and_help, there);
}

static void both(void *arg)
{
	get_timed("a worker gets the result of a queued task",
		  "a worker gets the result of a helper");
	(void)arg;
}

/* Main and a worker get the future, each with its own deadline. */
static void several(bool with_helper)
{
	doze_pool *pool = small_pool(2);
	if (with_helper)
		EX_CHECK(doze_spawn(pool, get_and_help, NULL) == 0);
	submit_shared(pool, task);
	EX_CHECK(doze_spawn(pool, both, NULL) == 0);
	get_timed("timed/several/queue", "timed/several/helper");
	finish(pool);
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
    {"timed-outside", "a timed get by an outside thread", outside, 2, ALL_POLICIES, NULL, 0,
     "timed/outside/queue"},
    {"timed-outside-helped",
     "a timed get by an outside thread; a worker runs the task in its own get", outside_helped, 2,
     ALL_POLICIES, NULL, 0, "timed/outside/helper"},
    {"timed-worker", "a timed get by the only worker", worker, 3, ALL_POLICIES, NULL, 0,
     "timed/worker/queue"},
    {"timed-other", "a timed get by a worker of another pool", other_queued, 4, ALL_POLICIES, NULL,
     0, "timed/other/queue"},
    {"timed-other-helped",
     "a timed get by a worker of another pool; a worker of the task's pool runs the task in its "
     "own get",
     other_helped, 4, ALL_POLICIES, NULL, 0, "timed/other/helper"},
    {"timed-worker-helped", "a timed get by a worker; another worker runs the task in its own get",
     worker_helped, 4, ALL_POLICIES, NULL, 0, "timed/worker/helper"},
    {"timed-several", "timed gets by an outside thread and a worker", several_queued, 4,
     ALL_POLICIES, NULL, 0, "timed/several/queue"},
    {"timed-several-helped",
     "timed gets by an outside thread and a worker; another worker runs the task in its own get",
     several_helped, 4, ALL_POLICIES, NULL, 0, "timed/several/helper"},
    {.name = NULL},
};
