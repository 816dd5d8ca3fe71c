/*
 * SPDX-License-Identifier: MIT
 *
 * three.c - scenarios on pools of three workers, for behaviour that two workers cannot show.
 * Victims are tried in order of their indices, because with a random order a worker that searches
 * without success would never return to a known state.
 */
#include "flags.h"

static void fix_victims(unsigned worker, void *arg)
{
	(void)worker;
	(void)arg;
	doze_self->rng = 0; /* 0 is a fixed point of the random number generator */
}

/* Creates a pool of three workers, all asleep. */
static doze_pool *three_asleep(void)
{
	doze_pool *pool;
	doze_config config = {.num_threads = 3,
			      .policy = ex_policy(),
			      .rounds_until_sleepy = 1,
			      .rounds_until_sleeping = 2,
			      .start_handler = fix_victims};
	EX_CHECK(doze_pool_create(&pool, &config) == 0);
	ignore_numbers(pool);
	ex_wait_quiet();
	return pool;
}

/* ---- how many workers one injected job wakes ---- */

/* Returns the number of wakes that the policy's description predicts. jec: the worker that finds
 * the job wakes two more. spare: the post wakes enough workers to keep two idle. go: the last
 * spinner that finds work wakes one more. tickle: a post wakes all workers. */
static uint64_t wakes_for_one_job(void)
{
	static const struct {
		const char *policy;
		uint64_t wakes;
	} all[] = {{"jec", 3}, {"spare", 3}, {"go", 2}, {"tickle", 3}};
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (strcmp(ex_policy(), all[i].policy) == 0)
			return all[i].wakes;
	return 1;
}

static void counts_wakes(void *pool)
{
	doze_stats stats;
	ex_wait_quiet(); /* the other workers have searched without success and are asleep again */
	doze_pool_stats(pool, &stats);
	EX_CHECK(stats.wakes == wakes_for_one_job());
}

static void three_wake(void)
{
	doze_pool *pool = three_asleep();
	ex_expect("the installed function");
	doze_install(pool, counts_wakes, pool);
	ex_expect("the termination");
	doze_pool_free(pool);
}

/* ---- three jobs that wait for each other ---- */

static unsigned arrived; /* protected by lock */

/* Waits in user code, so that the worker runs no other jobs. */
static void meet(void *arg)
{
	(void)arg;
	doze_mutex_lock(&lock);
	if (++arrived == 3)
		doze_cond_broadcast(&changed);
	while (arrived < 3)
		doze_cond_wait(&changed, &lock);
	doze_mutex_unlock(&lock);
}

static void spawn_two_and_meet(void *arg)
{
	EX_CHECK(doze_spawn(NULL, meet, arg) == 0);
	EX_CHECK(doze_spawn(NULL, meet, arg) == 0);
	meet(arg);
}

/* The second post comes while the worker woken by the first may still be waking up. */
static void three_meet(void)
{
	doze_pool *pool = three_asleep();
	init_flags();
	ex_expect("the three jobs");
	doze_install(pool, spawn_two_and_meet, NULL);
	doze_pool_free(pool);
	EX_CHECK(arrived == 3);
}

/* ---- a wait that suspends in a pool of three ---- */

static bool stolen, found; /* protected by lock */
static DOZE_ATOMIC(int) getter;
static doze_future *first, *last;
static DOZE_THREAD_LOCAL bool waits; /* true on the thread that runs the waiting task */

/* A task that ends only after the other task has run. */
static void *runs_elsewhere(void *arg)
{
	announce(&stolen);
	await(&found);
	return arg;
}

static void *counts_run(void *arg)
{
	bool as_getter = doze_worker_index() == da_load(&getter, RLX);
	EX_CHECK(!waits);
	ex_note(as_getter ? "a spare thread ran the task" : "the third worker ran the task");
	announce(&found);
	return arg;
}

/* All policies that sleep, except `local`, which wakes no thief for a job pushed to an empty
 * deque. */
#define WAKES_THIEF "jec rfc block spare chain go demand tickle forkjoin condvar"

/* A task that submits two tasks, of which the first is stolen. While the task waits for the first,
 * its worker finds the second, unless the third worker has stolen it. The waiting thread must not
 * run the second task. */
static void *gets_stolen(void *arg)
{
	waits = true;
	da_store(&getter, doze_worker_index(), RLX);
	EX_CHECK(doze_submit(&first, NULL, runs_elsewhere, arg) == 0);
	await(&stolen);
	EX_CHECK(doze_submit(&last, NULL, counts_run, arg) == 0);
	EX_CHECK(doze_future_get(first) == arg);
	return arg;
}

static void three_suspend(void)
{
	doze_pool *pool = three_asleep();
	doze_future *task;
	init_flags();
	ex_must_note("a spare thread ran the task");
	ex_must_note("the third worker ran the task");
	ex_expect("the task that gets");
	EX_CHECK(doze_submit(&task, pool, gets_stolen, &stolen) == 0);
	EX_CHECK(doze_future_get(task) == &stolen);
	EX_CHECK(doze_future_get(last) == &stolen);
	EX_CHECK(found);
	doze_future_free(task);
	doze_future_free(first);
	doze_future_free(last);
	ex_expect("the termination");
	doze_pool_free(pool);
}

const struct ex_scenario ex_scenarios[] = {
    {"three-wake", "the number of workers that one injected job wakes", three_wake, 4, ALL_POLICIES,
     NULL, 0},
    {"three-meet", "three jobs that wait for each other, two of which are in a deque", three_meet,
     4, ALL_POLICIES, "rfc local block", 0},
    {"three-suspend", "a task that waits for a stolen task and finds another one", three_suspend, 5,
     WAKES_THIEF, NULL, 0},
    {.name = NULL},
};
