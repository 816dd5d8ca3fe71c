/*
 * SPDX-License-Identifier: MIT
 *
 * runs.c - the runs about which students answer questions (labs/framework/follow.py). A seed
 * chooses a random walk through one of them. No search explores them, because the numbers of jobs
 * and pauses are choices, too. A walk mostly takes choice 0.
 */
#include "labs/scenarios/common.h"

/* A job that joins two functions: its worker posts the second, and waits for it if the other worker
 * has begun it. */
static void two_halves(void *arg)
{
	doze_join(nothing, arg, nothing, arg);
}

/* Posts between `least` and `most` jobs. If `pause` is true, often pauses until the workers are
 * asleep. */
static void post_some(doze_pool *pool, int least, int most, bool pause, void (*other)(void *))
{
	for (int i = 0; i < most && (i < least || ex_choose(4) == 0); i++) {
		if ((ex_choose(3) == 0) == pause)
			ex_wait_quiet();
		EX_CHECK(doze_spawn(pool, ex_choose(2) ? other : nothing, NULL) == 0);
	}
	ex_wait_quiet();
}

static void jobs(void)
{
	doze_pool *pool = small_pool(2);
	post_some(pool, 2, 3, true, two_halves);
	doze_pool_free(pool);
}

/* Single jobs, with pauses between most of them. */
static void storm(void)
{
	doze_pool *pool = small_pool(2);
	for (int i = 0; i < 6 && (i < 3 || ex_choose(4) == 0); i++) {
		if (ex_choose(4) || i == 1)
			ex_wait_quiet();
		EX_CHECK(doze_spawn(pool, nothing, NULL) == 0);
	}
	ex_wait_quiet();
	doze_pool_free(pool);
}

/* A tree of joins. */
static void branch(void *arg)
{
	doze_join(two_halves, arg, ex_choose(2) ? nothing : two_halves, arg);
}
static void tree(void)
{
	doze_pool *pool = small_pool(2);
	post_some(pool, 3, 4, false, branch);
	doze_pool_free(pool);
}

/* Jobs that spawn jobs, so that a backlog builds up in the injector and in the deques. */
static void child_and_own(void *arg)
{
	EX_CHECK(doze_spawn(NULL, nothing, arg) == 0);
}
static void mix(void)
{
	doze_pool *pool = small_pool(2);
	for (int i = 0; i < 6 && (i < 3 || ex_choose(4) == 0); i++) {
		if (i % 2 == 0 && !ex_choose(4)) /* pauses only between pairs of jobs */
			ex_wait_quiet();
		EX_CHECK(doze_spawn(pool, ex_choose(2) ? nothing : child_and_own, NULL) == 0);
	}
	ex_wait_quiet();
	doze_pool_free(pool);
}

/* One or two jobs block, one after the other; a thread outside the pool releases each
 * of them. */
static doze_mutex lock;
static doze_cond cond;
static bool let_go;                 /* protected by `lock` */
static DOZE_ATOMIC(int) blocked_by; /* the index of the worker that is blocked, plus 1, or 0 */

static void block(void *arg)
{
	(void)arg;
	doze_mutex_lock(&lock);
	doze_mark_blocked();
	da_store(&blocked_by, doze_worker_index() + 1, RLX);
	while (!let_go)
		doze_cond_wait(&cond, &lock);
	let_go = false;
	doze_mutex_unlock(&lock);
}
static void wait_until_blocked(void)
{
	while (!da_load(&blocked_by, RLX))
		doze_thread_yield();
}
static void let_it_go(doze_pool *pool)
{
	doze_mutex_lock(&lock);
	doze_mark_unblocked(pool, da_load(&blocked_by, RLX) - 1);
	da_store(&blocked_by, 0, RLX);
	let_go = true;
	doze_cond_signal(&cond);
	doze_mutex_unlock(&lock);
}
static void blocked(void)
{
	doze_pool *pool;
	doze_config config = {.num_threads = 2,
			      .policy = ex_policy(),
			      .rounds_until_sleepy = 1,
			      .rounds_until_sleeping = 2,
			      .deadlock_handler = nothing};
	doze_mutex_init(&lock);
	doze_cond_init(&cond);
	EX_CHECK(doze_pool_create(&pool, &config) == 0);
	for (unsigned i = 0; i < 2 && (i == 0 || ex_choose(2)); i++) {
		EX_CHECK(doze_spawn(pool, block, NULL) == 0);
		wait_until_blocked();
		for (unsigned k = 0; k < 2 && ex_choose(3) == 0; k++) {
			if (ex_choose(2))
				ex_wait_quiet();
			EX_CHECK(doze_spawn(pool, nothing, NULL) == 0);
		}
		if (ex_choose(3) == 0)
			ex_wait_quiet();
		let_it_go(pool);
	}
	doze_pool_free(pool);
}

const struct ex_scenario ex_scenarios[] = {
    {"jobs", "jobs, joins and pauses", jobs, 3, "jec", NULL, 0},
    {"storm", "jobs with pauses", storm, 3, "jec", NULL, 0},
    {"tree", "joins within joins", tree, 3, "forkjoin", NULL, 0},
    {"mix", "jobs with pauses, and jobs that spawn jobs", mix, 3, "jec", NULL, 0},
    {"blocked", "jobs that block", blocked, 3, "jec", NULL, 0},
    {.name = NULL},
};
