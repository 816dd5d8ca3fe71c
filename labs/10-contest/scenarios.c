/*
 * SPDX-License-Identifier: MIT
 *
 * scenarios.c - the explorer's scenarios of lab 10. The last three determine the score in steps
 * (framework/walks.py); the explorer searches the others.
 */
#include "labs/scenarios/flags.h"
#include "labs/scenarios/shared_latch.h"

#include "handlers.h"
#include "inside.h"

#include "lib/sleep/sleep.h"

/* Without work every worker eventually sleeps, at the start and after a job. */
static void sleeps(void)
{
	doze_pool *pool = small_pool(1);
	ex_must_note("woken");
	ex_expect("the workers to sleep");
	check_quiet(pool);
	EX_CHECK(doze_spawn(pool, nothing, NULL) == 0);
	check_quiet(pool);
	ex_expect("the termination");
	doze_pool_free(pool);
}

/* Like `latch` of scenarios/pool.c, but does not require the latch to pass through all its states,
 * because a policy need not change the latches of its sleepers. */
static void latch(void)
{
	doze_pool *pool = small_pool(1);
	EX_CHECK(doze_spawn(pool, wait_on_latch, NULL) == 0);
	ex_expect("the job that was just posted, which no worker runs");
	set_shared_latch();
	perhaps_quiet(pool);
	doze_pool_free(pool);
}

/* A join whose second half may be stolen; the joining worker then waits for the half's latch. */
static void join_halves(void *arg)
{
	(void)arg;
	doze_join(nothing, NULL, nothing, NULL);
}
static void join(void)
{
	doze_pool *pool = small_pool(2);
	ex_expect("the join");
	doze_install(pool, join_halves, NULL);
	check_quiet(pool);
	doze_pool_free(pool);
}

/* The pool ends while its workers fall asleep. */
static void end_of(unsigned workers)
{
	doze_pool *pool = small_pool(workers);
	ex_expect("the termination");
	doze_pool_free(pool);
}
static void ends(void)
{
	end_of(1);
}
static void ends_two(void)
{
	end_of(2);
}

/* ---- jobs that wait for each other ---- */

static unsigned jobs_that_meet, arrived; /* protected by lock */

/* Waits in user code, so that the worker runs no other jobs. */
static void meet(void *arg)
{
	(void)arg;
	doze_mutex_lock(&lock);
	if (++arrived == jobs_that_meet)
		doze_cond_broadcast(&changed);
	ex_expect("the other jobs, which the sleeping workers have to run");
	while (arrived < jobs_that_meet)
		doze_cond_wait(&changed, &lock);
	doze_mutex_unlock(&lock);
	ex_expect(NULL);
}
static void ends_after_meeting(doze_pool *pool)
{
	ex_expect("the jobs");
	doze_pool_free(pool);
	EX_CHECK(arrived == jobs_that_meet);
}

/* One call posts two jobs to two sleeping workers. */
static void two_at_once(void)
{
	doze_pool *pool = small_pool(2);
	init_flags();
	jobs_that_meet = 2;
	ex_wait_quiet();
	EX_CHECK(doze_spawn_many(pool, meet, NULL, 2, 0) == 0);
	ends_after_meeting(pool);
}

static void fix_victims(unsigned worker, void *arg)
{
	(void)worker;
	(void)arg;
	doze_self->rng = 0; /* all searches begin at the same victim (scenarios/three.c) */
}
static doze_pool *pool_of_many(unsigned workers, void (*start_handler)(unsigned, void *))
{
	doze_pool *pool;
	doze_config config = {.num_threads = workers,
			      .policy = ex_policy(),
			      .rounds_until_sleepy = 1,
			      .rounds_until_sleeping = 2,
			      .start_handler = start_handler};
	EX_CHECK(doze_pool_create(&pool, &config) == 0);
	ignore_numbers(pool);
	for (unsigned i = 0; i < workers; i++)
		ex_hold_one_of(&pool->workers[i].sleep.lock, "sleep lock");
	return pool;
}
/* Three calls post a job each to three sleeping workers. */
static void three_in_turn(void)
{
	doze_pool *pool = pool_of_many(3, fix_victims);
	init_flags();
	jobs_that_meet = 3;
	ex_wait_quiet();
	for (int i = 0; i < 3; i++)
		EX_CHECK(doze_spawn(pool, meet, NULL) == 0);
	ends_after_meeting(pool);
}
/* A job is injected while only worker 4 sleeps: each other worker runs a job that it found when it
 * started. These jobs end one after the other, which keeps the number of states small. */
static bool may_start[5], may_leave[5]; /* protected by lock */

static void starts_in_turn(unsigned worker, void *arg)
{
	fix_victims(worker, arg);
	await(&may_start[worker]);
}
static void stays(void *arg)
{
	(void)arg;
	await(&may_leave[doze_self->index]);
}
static void last_of_five(void)
{
	init_flags();
	doze_pool *pool = pool_of_many(5, starts_in_turn);
	for (int i = 0; i < 5; i++) {
		if (i < 4)
			EX_CHECK(doze_spawn(pool, stays, NULL) == 0);
		announce(&may_start[i]);
		ex_wait_quiet();
	}
	EX_CHECK(doze_spawn(pool, serves, NULL) == 0);
	ex_expect("the job that only the sleeping worker can run");
	await(&served);
	for (int i = 0; i < 5; i++) {
		ex_wait_quiet();
		announce(&may_leave[i]);
	}
	ex_wait_quiet();
	ex_expect("the termination");
	doze_pool_free(pool);
}
static void finds_stolen_job(void)
{
	finds_stolen(pool_of_many(3, fix_victims));
}

/* ---- a wake that must reach the right one of two workers ---- */

static DOZE_ATOMIC(struct doze_core_latch *) own_latch[2];

static void wait_on_own_latch(void *arg)
{
	DOZE_ATOMIC(struct doze_core_latch *) *at = arg;
	struct doze_core_latch latch;
	doze_spin_latch_init(&latch, doze_self, true);
	da_store(at, &latch, REL);
	doze_worker_wait_until(doze_self, &latch);
}
/* Each of two jobs waits for its own latch, mostly on different workers. When both workers sleep,
 * the second job's latch is set first. A policy that always wakes the worker with the lowest index
 * wakes the wrong worker for one of the two latches. */
static void latches(void)
{
	doze_pool *pool = small_pool(2);
	for (int i = 0; i < 2; i++)
		EX_CHECK(doze_spawn(pool, wait_on_own_latch, (void *)&own_latch[i]) == 0);
	ex_wait_quiet();
	for (int i = 1; i >= 0; i--) {
		struct doze_core_latch *latch = da_load(&own_latch[i], ACQ);
		EX_CHECK(latch != NULL);
		doze_spin_latch_set(latch, NULL);
		ex_expect("the latches to take effect");
		ex_wait_quiet();
	}
	ex_expect("the latches to take effect, and the termination");
	doze_pool_free(pool);
}

/* A task waits for another pool's task and finds a task of its own pool, so its wait is suspended.
 * The first job keeps one worker busy until then, so that the task runs on the worker that a policy
 * does not wake first. When the suspended wait becomes ready, both workers sleep. */
static doze_future *far;
static bool busy_may_end, far_may_end; /* protected by lock */

static void stays_busy(void *arg)
{
	(void)arg;
	await(&busy_may_end);
}
static void *far_task(void *arg)
{
	await(&far_may_end);
	return arg;
}
static void *gets_far(void *arg)
{
	EX_CHECK(doze_future_get(far) == &far);
	return arg;
}
static void *returns_arg(void *arg)
{
	return arg;
}
static void resume(void)
{
	doze_pool *pool = small_pool(2), *other = small_pool(1);
	doze_future *task, *found;
	init_flags();
	EX_CHECK(doze_spawn(pool, stays_busy, NULL) == 0);
	ex_wait_quiet();
	EX_CHECK(doze_submit(&far, other, far_task, &far) == 0);
	EX_CHECK(doze_submit(&task, pool, gets_far, &far) == 0);
	ex_wait_quiet();
	EX_CHECK(doze_submit(&found, pool, returns_arg, &far) == 0);
	ex_wait_quiet();
	announce(&busy_may_end);
	ex_wait_quiet();
	announce(&far_may_end);
	ex_expect("the suspended wait to end");
	EX_CHECK(doze_future_get(task) == &far);
	EX_CHECK(doze_future_get(found) == &far);
	doze_future_free(task);
	doze_future_free(found);
	doze_future_free(far);
	ex_expect("the termination");
	doze_pool_free(pool);
	doze_pool_free(other);
}

/* ---- scenarios for random walks (framework/walks.py) ---- */

static DOZE_ATOMIC(uint32_t) left;

static void job(void *arg)
{
	(void)arg;
	da_sub(&left, 1, REL);
}
/* Creates a pool with a fraction of the policy's own rounds, so that walks are short. */
static doze_pool *pool_of_walk(unsigned workers, uint32_t part)
{
	const struct doze_sleep_policy *policy = doze_policy_find(ex_policy());
	EX_CHECK(policy != NULL);
	uint32_t sleepy = policy->rounds_until_sleepy / part;
	doze_config config = {.num_threads = workers,
			      .policy = policy->name,
			      .rounds_until_sleepy = sleepy == 0 ? 1 : sleepy};
	doze_pool *pool;
	if (doze_pool_create(&pool, &config) != 0)
		ex_fail("cannot create a pool: %s", doze_last_error());
	return pool;
}

/* Posts n jobs and waits until they have run. */
static void post(doze_pool *pool, uint32_t n)
{
	da_store(&left, n, RLX);
	for (uint32_t i = 0; i < n; i++)
		EX_CHECK(doze_spawn(pool, job, NULL) == 0);
	while (da_load(&left, ACQ) != 0)
		doze_thread_yield();
}

/* Each job is posted soon after the previous one has run. */
static void near(void)
{
	doze_pool *pool = pool_of_walk(4, 1);
	for (int i = 0; i < 16; i++)
		post(pool, 1);
	doze_pool_free(pool);
}
/* All workers sleep when a job is posted. There are many of them, so that it shows how many are
 * woken for one job. */
static void sparse(void)
{
	doze_pool *pool = pool_of_walk(5, 4);
	for (int i = 0; i < 3; i++) {
		ex_wait_quiet();
		post(pool, 1);
	}
	ex_wait_quiet();
	doze_pool_free(pool);
}
/* All workers sleep when many jobs are posted. */
static void batch(void)
{
	doze_pool *pool = pool_of_walk(4, 4);
	for (int i = 0; i < 2; i++) {
		ex_wait_quiet();
		post(pool, 8);
	}
	ex_wait_quiet();
	doze_pool_free(pool);
}

const struct ex_scenario ex_scenarios[] = {
    {"sleeps", "a pool without work", sleeps, 2, "jec", NULL, 0},
    {"latch", "a latch that an outside thread sets and its owner frees", latch, 2, "jec", NULL, 0},
    {"join", "a join whose second half may be stolen", join, 3, "jec", NULL, 0},
    {"ends", "a pool of one worker terminates", ends, 2, "jec", NULL, 0},
    {"ends-two", "a pool of two workers terminates", ends_two, 3, "jec", NULL, 0},
    {"handlers", "a job after a sleep, in a pool with release and acquire handlers", handlers, 2,
     "jec", NULL, 0},
    {"two-at-once", "two jobs posted at once that wait for each other", two_at_once, 3, "jec", NULL,
     0},
    {"three-in-turn", "three jobs, posted one after the other, that wait for each other",
     three_in_turn, 4, "jec", NULL, 0},
    {"last-of-five", "an injected job when only the last of five workers sleeps", last_of_five, 6,
     "jec", NULL, 0},
    {"handler-calls", "an acquire handler that broadcasts", handler_calls, 2, "jec", NULL, 0},
    {"broadcast-inside", "a job makes a broadcast while the other worker sleeps", broadcast_inside,
     3, "jec", NULL, 0},
    {"resume-inside", "a worker's task ends, and the other worker's suspended wait becomes ready",
     resume_inside, 5, "jec", NULL, 0},
    {"finds-turn", "an injected job, and a searching worker that finds a broadcast's turn",
     finds_turn, 3, "jec", NULL, 0},
    {"finds-stolen", "an injected job, and a searching worker that steals another one",
     finds_stolen_job, 4, "jec", NULL, 0},
    {"creator-posts", "the pool's creator is worker 0 and injects a job", creator_posts, 2, "jec",
     NULL, 0},
    {"latches", "two workers, each of which waits for a latch", latches, 3, "jec", NULL, 0},
    {"resume", "a suspended wait that becomes ready while two workers sleep", resume, 5, "jec",
     NULL, 0},
    {"near", "jobs that follow each other closely", near, 5, "jec", NULL, 0},
    {"sparse", "jobs posted to a sleeping pool", sparse, 6, "jec", NULL, 0},
    {"batch", "many jobs posted to a sleeping pool", batch, 5, "jec", NULL, 0},
    {.name = NULL},
};
