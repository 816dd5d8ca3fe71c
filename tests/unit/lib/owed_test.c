/*
 * SPDX-License-Identifier: MIT
 *
 * owed.c: workers give shares of a scope's count back together, but before anybody can notice.
 */
#include "help.h"
#include "tests/fixtures/suite.h"

/* In most tests the first worker waits for a scope whose job has run on the second one, and the
 * second one goes on with something that ends only after the scope. If it still owed the share,
 * both would wait until the test gives up. */
static struct stage {
	doze_pool *pool, *other;
	long busy, queued, job_ran, inner_ran, scope_ended, older_ran;
	long late; /* number of waits that ended without what they waited for */
} s;

/* Waits until the counter is at least 1. */
static void until(long *counter)
{
	if (!help_reaches(counter, 1, 10))
		help_count(&s.late);
}

static void perform(unsigned workers, void (*fn)(void *))
{
	s = (struct stage){.late = 0};
	s.pool = help_pool(workers, NULL);
	s.other = help_pool(1, NULL);
	doze_install(s.pool, fn, NULL);
	doze_pool_free(s.pool);
	doze_pool_free(s.other);
	CU_ASSERT_EQUAL(help_read(&s.late), 0);
	CU_ASSERT_EQUAL(help_read(&s.scope_ended), 1);
}

/* ---- the owner of the scope ---- */

static void count_older(void *arg)
{
	(void)arg;
	help_count(&s.older_ran);
}

static void (*at_end_of_job)(void); /* null: nothing */

static void count_job(doze_scope *scope, void *arg)
{
	(void)scope;
	(void)arg;
	help_count(&s.job_ran);
	if (at_end_of_job != NULL)
		at_end_of_job();
}

static void spawn_three(doze_scope *scope, void *arg)
{
	(void)arg;
	for (int i = 0; i < 3; i++)
		(void)doze_scope_spawn(scope, count_job, NULL);
	(void)doze_scope_spawn_many(scope, count_job, NULL, 3, 0);
}

static void wait_above_an_older_job(void *arg)
{
	(void)arg;
	(void)doze_spawn(NULL, count_older, NULL);
	(void)doze_scope_run(NULL, spawn_three, NULL);
	if (help_read(&s.older_ran) != 0 || help_read(&s.job_ran) != 6)
		help_count(&s.late);
	help_count(&s.scope_ended);
}

static void owner_runs_no_older_job(void)
{
	perform(1, wait_above_an_older_job);
	CU_ASSERT_EQUAL(help_read(&s.older_ran), 1);
}

/* ---- the worker that ran the job goes on ---- */

static void goes_on(void *arg)
{
	(void)arg;
	help_count(&s.busy);
	until(&s.scope_ended);
}

static void spawn_goes_on(doze_scope *scope, void *arg)
{
	(void)scope;
	(void)arg;
	(void)doze_spawn(s.pool, goes_on, NULL);
}

/* The body returns only when the other worker runs the job that goes on. */
static void body_before_another_job(doze_scope *scope, void *arg)
{
	(void)arg;
	(void)doze_scope_spawn(scope, spawn_goes_on, NULL);
	until(&s.busy);
}

static void wait_before_another_job(void *arg)
{
	(void)arg;
	(void)doze_scope_run(NULL, body_before_another_job, NULL);
	help_count(&s.scope_ended);
}

static void pays_before_another_job(void)
{
	perform(2, wait_before_another_job);
}

/* The other worker runs `busy_job`, which runs the scope's job inside itself. */
static void (*busy_job)(void *);

static void body_beside_busy(doze_scope *scope, void *arg)
{
	(void)arg;
	(void)doze_spawn(s.pool, busy_job, NULL);
	until(&s.busy);
	(void)doze_scope_spawn(scope, count_job, NULL);
	help_count(&s.queued);
	until(&s.job_ran);
}

static void wait_beside_busy(void *arg)
{
	(void)arg;
	(void)doze_scope_run(NULL, body_beside_busy, NULL);
	help_count(&s.scope_ended);
}

static void yield_then_go_on(void *arg)
{
	(void)arg;
	help_count(&s.busy);
	until(&s.queued);
	(void)doze_yield_now();
	until(&s.scope_ended);
}

static void pays_after_a_yield(void)
{
	busy_job = yield_then_go_on;
	perform(2, wait_beside_busy);
}

static void until_the_job_ran(void *arg)
{
	(void)arg;
	until(&s.job_ran);
	help_count(&s.inner_ran);
}

/* Ends the wait in which it runs, and returns when that has probably happened. */
static void end_the_wait(void)
{
	until(&s.inner_ran);
	help_sleep_us(20000);
}

static void wait_then_go_on(void *arg)
{
	(void)arg;
	help_count(&s.busy);
	doze_install(s.other, until_the_job_ran, NULL);
	until(&s.scope_ended);
}

static void pays_when_a_wait_ends(void)
{
	busy_job = wait_then_go_on;
	at_end_of_job = end_the_wait;
	perform(2, wait_beside_busy);
	at_end_of_job = NULL;
}

/* ---- two scopes in turn on one worker ---- */

static void count_deep(doze_scope *scope, void *arg)
{
	uintptr_t depth = (uintptr_t)arg;

	help_count(&s.job_ran);
	for (int i = 0; depth > 0 && i < 2; i++)
		(void)doze_scope_spawn(scope, count_deep, (void *)(depth - 1));
	if (depth == 2)
		(void)doze_scope_run(NULL, count_deep, (void *)1);
}

static void nested_scopes(void *arg)
{
	(void)arg;
	for (int i = 0; i < 200; i++)
		(void)doze_scope_run(NULL, count_deep, (void *)8);
	help_count(&s.scope_ended);
}

static void shares_go_to_their_own_scope(void)
{
	for (unsigned workers = 1; workers <= 3; workers++) {
		perform(workers, nested_scopes);
		/* 511 jobs of the outer scope, and three for each of 64 with depth 2. */
		CU_ASSERT_EQUAL(help_read(&s.job_ran), 200L * (511 + 64 * 3));
	}
}

static const struct suite_test tests[] = {
    {"a worker that runs a scope's last job itself runs no older job first",
     owner_runs_no_older_job},
    {"a share is given back before the worker runs a job of anything else",
     pays_before_another_job},
    {"a share is given back when doze_yield_now returns", pays_after_a_yield},
    {"a share is given back when the wait in which the job ran ends", pays_when_a_wait_ends},
    {"scopes inside jobs of a scope get their own shares", shares_go_to_their_own_scope},
};
SUITE_MAIN("owed", tests)
