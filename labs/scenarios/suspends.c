/*
 * SPDX-License-Identifier: MIT
 *
 * suspends.c - scenarios on whole pools, continued: waits that suspend. A spare thread takes over
 * the worker, hands it back when the latch is set, parks, and exits with the pool.
 *
 * An execution fills a cell "suspended" (cells.h) if the awaited job ends while the wait is
 * suspended. In the same pool this is certain if the job runs on a thread other than the waiting
 * one; in another pool, if the task that the wait must not run has run.
 */
#include "cells.h"

static DOZE_ATOMIC(int) task_runs, half_runs;
static doze_future *ends;
static DOZE_THREAD_LOCAL bool waits; /* true on the thread that runs the waiting task */

static void *trivial(void *arg)
{
	count_run(&task_runs);
	return arg;
}

static doze_pool *other_pool; /* or null */

/* Waits for the scenario's tasks, and frees their futures and the pools. */
static void free_all(doze_pool *pool, doze_future *task)
{
	EX_CHECK(doze_future_get(task) == &task_runs);
	EX_CHECK(doze_future_get(ends) == &task_runs);
	doze_future_free(task);
	doze_future_free(ends);
	ex_expect("the termination");
	doze_pool_free(pool);
	if (other_pool != NULL)
		doze_pool_free(other_pool);
	EX_CHECK(ran(&task_runs) == 1);
}

/* The first half of a task's join leaves another task above the second half in the deque. That
 * other task waits for the joining task, so the join pops a task that it must not run. A spare
 * thread runs the other task and the second half, and sets the latch of the wait whose worker it
 * holds. */
static doze_future *joiner;
static void *gets_joiner(void *arg)
{
	EX_CHECK(doze_future_get(joiner) == arg);
	return trivial(arg);
}
static void submit_above(void *arg)
{
	EX_CHECK(doze_submit(&ends, NULL, gets_joiner, arg) == 0);
}
static void second_half(void *arg)
{
	(void)arg;
	fills("join/suspended/queue", !waits);
	count_run(&half_runs);
}
static void *joins(void *arg)
{
	waits = true;
	doze_join(submit_above, arg, second_half, arg);
	EX_CHECK(ran(&half_runs) == 1);
	return arg;
}
static void join_suspends(void)
{
	doze_pool *pool = small_pool(1);
	ex_expect("the task that joins");
	EX_CHECK(doze_submit(&joiner, pool, joins, &task_runs) == 0);
	free_all(pool, joiner);
}

/* A task waits for a task of another pool and finds a task of its own pool. The latch is set by a
 * thread that does not hold the waiting worker, which may be asleep by then. */
static doze_future *far;
static void *gets_far(void *arg)
{
	EX_CHECK(doze_future_get(far) == &other_pool);
	return arg;
}
static void *far_task(void *arg)
{
	fills("future/suspended/queue", ran(&task_runs) == 1);
	return arg;
}
static void get_suspends(void)
{
	doze_pool *pool = small_pool(1);
	doze_future *task;
	other_pool = small_pool(1);
	ex_expect("the task that gets");
	EX_CHECK(doze_submit(&far, other_pool, far_task, &other_pool) == 0);
	EX_CHECK(doze_submit(&task, pool, gets_far, &task_runs) == 0);
	EX_CHECK(doze_submit(&ends, pool, trivial, &task_runs) == 0);
	free_all(pool, task);
	doze_future_free(far);
}

/* A task waits for a task of another pool, as above, but the other pool's worker runs the awaited
 * task inside its own get. */
static DOZE_ATOMIC(int) far_queued;
static void gets_far_first(void *arg)
{
	while (!da_load(&far_queued, ACQ))
		doze_thread_yield();
	waits = true;
	EX_CHECK(doze_future_get(far) == arg);
}
static void *far_helped(void *arg)
{
	fills("future/suspended/helper", waits && ran(&task_runs) == 1);
	return arg;
}
static void helped_suspends(void)
{
	doze_pool *pool = small_pool(1);
	doze_future *task;
	other_pool = small_pool(1);
	ex_expect("the task that gets");
	EX_CHECK(doze_spawn(other_pool, gets_far_first, &other_pool) == 0);
	EX_CHECK(doze_submit(&far, other_pool, far_helped, &other_pool) == 0);
	EX_CHECK(doze_submit(&task, pool, gets_far, &task_runs) == 0);
	EX_CHECK(doze_submit(&ends, pool, trivial, &task_runs) == 0);
	da_store(&far_queued, 1, REL);
	free_all(pool, task);
	doze_future_free(far);
}

/* A task waits for a function in another pool. */
static void far_function(void *arg)
{
	fills("install/suspended/queue", ran(&task_runs) == 1);
	count_run(arg);
}
static void *installs(void *arg)
{
	doze_install(other_pool, far_function, &half_runs);
	EX_CHECK(ran(&half_runs) == 1);
	return arg;
}
static void install_suspends(void)
{
	doze_pool *pool = small_pool(1);
	doze_future *task;
	other_pool = small_pool(1);
	ex_expect("the task that installs");
	EX_CHECK(doze_submit(&task, pool, installs, &task_runs) == 0);
	EX_CHECK(doze_submit(&ends, pool, trivial, &task_runs) == 0);
	free_all(pool, task);
}

/* A task waits for work that is below another task in its worker's deque, so the worker pops the
 * other task first. */
static void submit_end(void)
{
	waits = true;
	EX_CHECK(doze_submit(&ends, NULL, trivial, &task_runs) == 0);
}
static void pops_another_task(doze_task_fn fn)
{
	doze_pool *pool = small_pool(1);
	doze_future *task;
	ex_expect("the task that waits");
	EX_CHECK(doze_submit(&task, pool, fn, &task_runs) == 0);
	free_all(pool, task);
}

static void scope_job(doze_scope *scope, void *arg)
{
	(void)scope;
	fills(arg != NULL ? "bulk/suspended/queue" : "scope/suspended/queue", !waits);
	count_run(&half_runs);
}
static void scope_of_one(doze_scope *scope, void *arg)
{
	(void)arg;
	EX_CHECK(doze_scope_spawn(scope, scope_job, NULL) == 0);
	submit_end();
}
static void *runs_scope(void *arg)
{
	EX_CHECK(doze_scope_run(NULL, scope_of_one, arg) == 0);
	EX_CHECK(ran(&half_runs) == 1);
	return arg;
}
static void scope_suspends(void)
{
	pops_another_task(runs_scope);
}

static void scope_of_two(doze_scope *scope, void *arg)
{
	(void)arg;
	EX_CHECK(doze_scope_spawn_many(scope, scope_job, &half_runs, 2, 0) == 0);
	submit_end();
}
static void *runs_bulk(void *arg)
{
	EX_CHECK(doze_scope_run(NULL, scope_of_two, arg) == 0);
	EX_CHECK(ran(&half_runs) == 2);
	return arg;
}
static void bulk_suspends(void)
{
	pops_another_task(runs_bulk);
}

static void piece(size_t begin, size_t end, void *arg)
{
	(void)arg;
	if (begin == 0)
		submit_end();
	else
		fills("loop/suspended/queue", !waits);
	da_add(&half_runs, (int)(end - begin), RLX);
}
static void *loops(void *arg)
{
	doze_for(NULL, 0, 2, 1, piece, NULL);
	EX_CHECK(ran(&half_runs) == 2);
	return arg;
}
static void loop_suspends(void)
{
	pops_another_task(loops);
}

static void turn(unsigned worker, unsigned workers, void *arg)
{
	EX_CHECK(worker == 0 && workers == 1);
	fills("broadcast/suspended/queue", !waits);
	count_run(arg);
}
static void *broadcasts(void *arg)
{
	submit_end();
	EX_CHECK(doze_broadcast(NULL, turn, &half_runs) == 0);
	EX_CHECK(ran(&half_runs) == 1);
	return arg;
}
static void broadcast_suspends(void)
{
	pops_another_task(broadcasts);
}

/* Just as a task's wait ends, the waiting worker finds a broadcast's turn, which it must not run.
 * The turn must not go into a queue that the other worker takes jobs from. */
static DOZE_ATOMIC(int) stolen, turns_of[2];
static void own_turn(unsigned worker, unsigned workers, void *arg)
{
	(void)workers;
	(void)arg;
	EX_CHECK(da_add(&turns_of[worker], 1, RLX) == 0);
}
static void *broadcasts_and_ends(void *arg)
{
	da_store(&stolen, 1, REL);
	EX_CHECK(doze_spawn_broadcast(doze_current_pool(), own_turn, NULL) == 0);
	return arg;
}
static void *gets_stolen(void *arg)
{
	doze_future *f;
	EX_CHECK(doze_submit(&f, NULL, broadcasts_and_ends, arg) == 0);
	while (!da_load(&stolen, ACQ))
		doze_thread_yield();
	EX_CHECK(doze_future_get(f) == arg);
	doze_future_free(f);
	return arg;
}
static void turn_at_end(void)
{
	doze_pool *pool = small_pool(2);
	doze_future *task;
	ex_expect("the task that gets");
	EX_CHECK(doze_submit(&task, pool, gets_stolen, &task_runs) == 0);
	EX_CHECK(doze_future_get(task) == &task_runs);
	doze_future_free(task);
	ex_expect("the termination");
	doze_pool_free(pool);
	EX_CHECK(ran(&turns_of[0]) == 1 && ran(&turns_of[1]) == 1);
}

const struct ex_scenario ex_scenarios[] = {
    {"join-suspends", "a join that pops a task it must not run", join_suspends, 3, ALL_POLICIES,
     NULL, 0, "join/suspended/queue"},
    {"scope-suspends", "the end of a scope that pops a task it must not run", scope_suspends, 3,
     ALL_POLICIES, NULL, 0, "scope/suspended/queue"},
    {"bulk-suspends",
     "the end of a scope with two jobs spawned at once that pops a task it must not run",
     bulk_suspends, 3, ALL_POLICIES, NULL, 0, "bulk/suspended/queue"},
    {"loop-suspends", "a loop that pops a task it must not run", loop_suspends, 3, ALL_POLICIES,
     NULL, 0, "loop/suspended/queue"},
    {"broadcast-suspends", "a broadcast whose caller pops a task it must not run",
     broadcast_suspends, 3, ALL_POLICIES, NULL, 0, "broadcast/suspended/queue"},
    {"get-suspends", "a task that waits for another pool's task and finds one of its own",
     get_suspends, 4, ALL_POLICIES, NULL, 0, "future/suspended/queue"},
    {"helped-suspends",
     "a task that waits for another pool's task, which a worker of that pool runs in its own get",
     helped_suspends, 4, ALL_POLICIES, NULL, 0, "future/suspended/helper"},
    {"install-suspends", "a task that waits for another pool's function and finds a task",
     install_suspends, 4, ALL_POLICIES, NULL, 0, "install/suspended/queue"},
    {"turn-at-end", "a task finds a broadcast's turn just as its wait ends", turn_at_end, 4,
     ALL_POLICIES, NULL, 0},
    {.name = NULL},
};
