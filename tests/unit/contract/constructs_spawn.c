/*
 * SPDX-License-Identifier: MIT
 *
 * constructs_spawn.c - the constructs of constructs.h that queue jobs without waiting for them: one
 * by one, many at once, and in endless chains.
 */
#include "constructs_int.h"

#include <string.h>

/* ---- spawn ---- */

const char *construct_spawn_outside(doze_pool *pool)
{
	/* Static, because a job may still use it after a failed test. */
	static _Thread_local DOZE_ATOMIC(int) n;
	n = 0;
	for (int i = 0; i < JOBS; i++)
		if (i % 2 ? doze_spawn(pool, constructs_add_one, &n)
			  : doze_spawn_fifo(pool, constructs_add_one, &n))
			return doze_last_error();
	return constructs_wait(&n, JOBS, "a spawned job was lost");
}

static void spawn_more(void *arg)
{
	for (int i = 0; i < JOBS / 4; i++)
		if (i % 2)
			doze_spawn(NULL, constructs_add_one, arg);
		else
			doze_spawn_fifo(NULL, constructs_add_one, arg);
}

const char *construct_spawn_inside(doze_pool *pool)
{
	/* Static, because a job may still use it after a failed test. */
	static _Thread_local DOZE_ATOMIC(int) n;
	n = 0;
	for (int i = 0; i < 4; i++)
		doze_spawn(pool, spawn_more, &n);
	return constructs_wait(&n, JOBS, "a job spawned by a worker was lost");
}

const char *construct_spawn_spaced(doze_pool *pool)
{
	/* Static, because a job may still use it after a failed test. */
	static _Thread_local DOZE_ATOMIC(int) n;
	n = 0;
	for (int i = 0; i < 8; i++) { /* each spawn finds the pool asleep or falling asleep */
		doze_spawn(pool, constructs_add_one, &n);
		constructs_pause(i * 100);
	}
	return constructs_wait(&n, 8, "a job spawned while the pool was falling asleep was lost");
}

/* ---- many at once ---- */

static void mark_one(void *arg)
{
	da_add((DOZE_ATOMIC(int) *)arg, 1, SC);
}

static void mark_in_scope(doze_scope *scope, void *arg)
{
	(void)scope;
	mark_one(arg);
}

/* Spawns one job per mark. */
static void mark_all_in_scope(doze_scope *scope, void *marks)
{
	doze_scope_spawn_many(scope, mark_in_scope, marks, JOBS, sizeof(DOZE_ATOMIC(int)));
}

static void mark_all_inside(void *marks)
{
	doze_scope_run(NULL, mark_all_in_scope, marks);
	doze_scope_run_fifo(NULL, mark_all_in_scope, marks);
}

const char *construct_scopes_of_many(doze_pool *pool)
{
	/* Thread-local, because the soak test runs the constructs on several threads. */
	static _Thread_local DOZE_ATOMIC(int) marks[JOBS];

	memset(marks, 0, sizeof marks);
	doze_scope_run(pool, mark_all_in_scope, marks);
	doze_scope_in_place(pool, mark_all_in_scope, marks);
	doze_install(pool, mark_all_inside, marks);
	for (int i = 0; i < JOBS; i++)
		if (marks[i] != 4)
			return "a scope ended before all jobs of a batch had run, or ran a job "
			       "twice";
	return NULL;
}

static void spawn_many_inside(void *arg)
{
	doze_spawn_many(NULL, constructs_add_one, arg, JOBS / 2, 0);
}

const char *construct_spawn_many(doze_pool *pool)
{
	/* Static, because a job may still use it after a failed test. */
	static _Thread_local DOZE_ATOMIC(int) n;
	n = 0;
	if (doze_spawn_many(pool, constructs_add_one, &n, JOBS / 2, 0) != 0)
		return doze_last_error();
	doze_spawn(pool, spawn_many_inside, &n);
	return constructs_wait(&n, JOBS, "a job of a batch was lost");
}

static void *mark_task(void *arg)
{
	mark_one(arg);
	return arg;
}

struct bulk_gets {
	DOZE_ATOMIC(int) marks[JOBS]; /* one mark per task */
	const char *wrong;
};

static void submit_and_get(doze_pool *pool, struct bulk_gets *b)
{
	doze_future *f[JOBS];
	if (doze_submit_many(f, pool, mark_task, b->marks, JOBS, sizeof b->marks[0]) != 0) {
		b->wrong = "no memory for tasks";
		return;
	}
	for (int i = JOBS - 1; i >= 0; i--) {
		if (doze_future_get(f[i]) != &b->marks[i])
			b->wrong = "a task of a batch returned a wrong result";
		doze_future_free(f[i]);
	}
}

static void submit_and_get_inside(void *arg)
{
	submit_and_get(NULL, arg);
}

const char *construct_submit_many(doze_pool *pool)
{
	static _Thread_local struct bulk_gets b;
	memset(&b, 0, sizeof b);
	submit_and_get(pool, &b);
	doze_install(pool, submit_and_get_inside, &b);
	for (int i = 0; i < JOBS; i++)
		if (b.marks[i] != 2)
			return "a task of a batch was lost, or run twice";
	return b.wrong;
}

/* ---- chains: jobs that spawn their successor until a flag is set ---- */

struct chains {
	DOZE_ATOMIC(int) stop, ended;
};

static void chain(void *arg)
{
	struct chains *c = arg;
	if (da_load(&c->stop, SC) || doze_spawn(NULL, chain, c) != 0)
		da_add(&c->ended, 1, SC);
}

void constructs_take_turn(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	constructs_add_one(arg);
}

/* Endless chains must not starve jobs from outside. */
const char *construct_chains(doze_pool *pool)
{
	/* Static, because a job may still use it after a failed test. */
	static _Thread_local struct chains c;
	DOZE_ATOMIC(int) n = 0;
	int all = (int)doze_num_threads(pool);
	int busy = all < 4 ? all : 4; /* more chains would only compete for the CPUs */
	c.stop = c.ended = 0;
	for (int i = 0; i < busy; i++)
		if (doze_spawn(pool, chain, &c) != 0)
			return doze_last_error();
	doze_install(pool, constructs_add_one, &n);
	doze_broadcast(pool, constructs_take_turn, &n);
	c.stop = 1;
	if (n != 1 + all)
		return "a job that ran among chains of jobs was lost";
	return constructs_wait(&c.ended, busy, "a chain of jobs was lost");
}
