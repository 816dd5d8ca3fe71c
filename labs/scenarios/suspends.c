/*
 * SPDX-License-Identifier: MIT
 *
 * suspends.c - scenarios on whole pools, continued: waits that suspend. A spare thread takes over
 * the worker, hands it back when the latch is set, parks, and exits with the pool.
 */
#include "common.h"

static DOZE_ATOMIC(int) task_runs, half_runs;
static doze_future *ends;

static void *trivial(void *arg)
{
	count_run(&task_runs);
	return arg;
}

/* A task joins. Its first half leaves a task above the second half in the deque, and that task
 * waits for the joining one, so the join pops a task that it must not run. The spare thread runs
 * both, and sets the latch of the wait whose worker it holds. */
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
	count_run(&half_runs);
}
static void *joins(void *arg)
{
	doze_join(submit_above, arg, second_half, arg);
	EX_CHECK(ran(&half_runs) == 1);
	return arg;
}
static void join_suspends(void)
{
	doze_pool *pool = small_pool(1);
	ex_expect("the task that joins");
	EX_CHECK(doze_submit(&joiner, pool, joins, &task_runs) == 0);
	EX_CHECK(doze_future_get(joiner) == &task_runs);
	EX_CHECK(doze_future_get(ends) == &task_runs);
	doze_future_free(joiner);
	doze_future_free(ends);
	ex_expect("the termination");
	doze_pool_free(pool);
	EX_CHECK(ran(&task_runs) == 1);
}

/* A task waits for a task of another pool and finds one of its own pool. The latch is set by a
 * thread that does not hold the worker, which may sleep by then. */
static doze_pool *other_pool;
static doze_future *far;
static void *gets_far(void *arg)
{
	EX_CHECK(doze_future_get(far) == &other_pool);
	return arg;
}
static void *far_task(void *arg)
{
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
	EX_CHECK(doze_future_get(task) == &task_runs);
	EX_CHECK(doze_future_get(ends) == &task_runs);
	doze_future_free(far);
	doze_future_free(task);
	doze_future_free(ends);
	ex_expect("the termination");
	doze_pool_free(pool);
	doze_pool_free(other_pool);
	EX_CHECK(ran(&task_runs) == 1);
}

const struct ex_scenario ex_scenarios[] = {
    {"join-suspends", "a join that pops a task it must not run", join_suspends, 3, ALL_POLICIES,
     NULL, 0},
    {"get-suspends", "a task that waits for another pool's task and finds one of its own",
     get_suspends, 4, "jec rfc go tickle forkjoin", NULL, 0},
    {.name = NULL},
};
