/*
 * SPDX-License-Identifier: MIT
 *
 * constructs.c - see constructs.h. Sizes are small, because the suite runs under ThreadSanitizer
 * with 33 workers on 2 CPUs. Results are counts, which reveal a job that is lost or runs twice.
 */
#include "constructs.h"
#include "constructs_int.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "lib/atomic.h"

void constructs_pause(long us)
{
	struct timespec t = {0, us * 1000};
	nanosleep(&t, NULL);
}

void constructs_settle(doze_pool *pool)
{
	doze_stats s;
	for (int i = 0; i < 2000; i++) {
		doze_pool_stats(pool, &s);
		if (s.active == 0 && s.blocked == 0 && (s.sleeping == s.workers || i > 20))
			return;
		constructs_pause(200);
	}
}

void constructs_add_one(void *arg)
{
	da_add((DOZE_ATOMIC(int) *)arg, 1, SC);
}

const char *constructs_wait(DOZE_ATOMIC(int) * n, int wanted, const char *otherwise)
{
	for (int i = 0; i < 100000 && da_load(n, SC) < wanted; i++)
		constructs_pause(100);
	return da_load(n, SC) == wanted ? NULL : otherwise;
}

/* ---- install ---- */

static const char *install_outside(doze_pool *pool)
{
	DOZE_ATOMIC(int) n = 0;
	for (int i = 0; i < 10; i++) {
		doze_install(pool, constructs_add_one, &n);
		if (n != i + 1)
			return "install returned before its function had run";
	}
	return NULL;
}

struct nested {
	doze_pool *other;
	DOZE_ATOMIC(int) n;
};

static void install_other(void *arg)
{
	struct nested *nested = arg;
	/* Installs into the worker's own pool, which runs the function inline. */
	doze_install(NULL, constructs_add_one, &nested->n);
	/* Installs into another pool. */
	doze_install(nested->other, constructs_add_one, &nested->n);
}

static const char *install_across(doze_pool *pool)
{
	struct nested nested = {.n = 0};
	doze_config one = {.num_threads = 1};
	if (doze_pool_create(&nested.other, &one) != 0)
		return doze_last_error();
	for (int i = 0; i < 5; i++) {
		constructs_settle(pool);
		doze_install(pool, install_other, &nested);
	}
	doze_pool_free(nested.other);
	return nested.n == 10 ? NULL : "a job between two pools was lost or run twice";
}

/* ---- join ---- */

struct fib {
	int n;
	long result;
};

static void fib(void *arg)
{
	struct fib *f = arg;
	if (f->n < 2) {
		f->result = f->n;
		return;
	}
	struct fib a = {f->n - 1, 0}, b = {f->n - 2, 0};
	doze_join(fib, &a, fib, &b);
	f->result = a.result + b.result;
}

static const char *join_inside(doze_pool *pool)
{
	struct fib f = {12, 0};
	doze_install(pool, fib, &f);
	return f.result == 144 ? NULL : "a join returned a wrong result";
}

/* ---- waits in which the waiter has time to fall asleep ---- */

static void slow_job(void *arg)
{
	constructs_pause(400); /* about ten times as long as a worker searches before it sleeps */
	constructs_add_one(arg);
}

static void slow_job_in_scope(doze_scope *scope, void *arg)
{
	(void)scope;
	slow_job(arg);
}

static void slow_jobs_in_scope(doze_scope *scope, void *arg)
{
	doze_scope_spawn(scope, slow_job_in_scope, arg);
	doze_scope_spawn(scope, slow_job_in_scope, arg);
}

static void *slow_task(void *arg)
{
	slow_job(arg);
	return arg;
}

static void await_slow_jobs(void *arg)
{
	struct nested *nested = arg;
	doze_future *f;

	doze_install(nested->other, slow_job, &nested->n);
	doze_join(slow_job, &nested->n, slow_job, &nested->n);
	doze_scope_run(NULL, slow_jobs_in_scope, &nested->n);
	doze_scope_run(nested->other, slow_jobs_in_scope, &nested->n);
	if (doze_submit(&f, nested->other, slow_task, &nested->n) == 0) {
		doze_future_get(f);
		doze_future_free(f);
	}
}

static const char *sleep_on_latches(doze_pool *pool)
{
	struct nested nested = {.n = 0};
	doze_config one = {.num_threads = 1};
	if (doze_pool_create(&nested.other, &one) != 0)
		return doze_last_error();
	for (int i = 0; i < 3; i++)
		doze_install(pool, await_slow_jobs, &nested);
	doze_pool_free(nested.other);
	return nested.n == 24 ? NULL : "a worker's wait ended before the work was done";
}

/* ---- scope ---- */

struct tree {
	DOZE_ATOMIC(int) n;
	int depth;
};

static void grow(doze_scope *scope, void *arg)
{
	DOZE_ATOMIC(int) *n = arg;
	if (da_add(n, 1, SC) < JOBS) {
		doze_scope_spawn(scope, grow, arg);
		doze_scope_spawn(scope, grow, arg);
	}
}

static const char *scopes(doze_pool *pool)
{
	int (*const kinds[])(doze_pool *, doze_scope_fn, void *) = {
	    doze_scope_run, doze_scope_run_fifo, doze_scope_in_place, doze_scope_in_place_fifo};
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		DOZE_ATOMIC(int) n = 0;
		if (kinds[i](pool, grow, &n) != 0)
			return doze_last_error();
		/* Each of JOBS calls spawned two children; all children and the root ran. */
		if (n != 2 * JOBS + 1)
			return "a scope ended before all its jobs had run, or ran a job twice";
	}
	return NULL;
}

/* ---- broadcast ---- */

struct roll {
	DOZE_ATOMIC(int) calls;
	DOZE_ATOMIC(unsigned) sum;
};

static void call_roll(unsigned worker, unsigned workers, void *arg)
{
	struct roll *roll = arg;
	(void)workers;
	da_add(&roll->calls, 1, SC);
	da_add(&roll->sum, worker, SC);
}

static const char *check_roll(struct roll *roll, unsigned workers, unsigned times)
{
	return (unsigned)roll->calls == times * workers &&
		       roll->sum == times * workers * (workers - 1) / 2
		   ? NULL
		   : "a broadcast missed a worker, or ran twice on a worker";
}

static void broadcast_here(void *arg)
{
	doze_broadcast(NULL, call_roll, arg);
}

static void broadcast_in_scope(doze_scope *scope, void *arg)
{
	doze_scope_spawn_broadcast(scope, call_roll, arg);
}

static const char *broadcasts(doze_pool *pool)
{
	struct roll roll = {0, 0};
	constructs_settle(pool);
	if (doze_broadcast(pool, call_roll, &roll) != 0)
		return doze_last_error();
	doze_install(pool, broadcast_here, &roll);
	doze_scope_run(pool, broadcast_in_scope, &roll);
	return check_roll(&roll, doze_num_threads(pool), 3);
}

static const char *spawned_broadcast(doze_pool *pool)
{
	static _Thread_local struct roll roll;
	memset(&roll, 0, sizeof roll);
	if (doze_spawn_broadcast(pool, call_roll, &roll) != 0)
		return doze_last_error();
	int all = (int)doze_num_threads(pool);
	const char *lost = constructs_wait(&roll.calls, all, "a spawned broadcast missed a worker");
	/* A turn adds to the sum after it has counted, so the sum may still be incomplete. */
	for (int i = 0; i < 1000 && check_roll(&roll, (unsigned)all, 1); i++)
		constructs_pause(100);
	return lost ? lost : check_roll(&roll, (unsigned)all, 1);
}

/* ---- futures ---- */

static void *task_fib(void *arg)
{
	intptr_t n = (intptr_t)arg;
	if (n < 2)
		return arg;
	doze_future *a;
	if (doze_submit(&a, NULL, task_fib, (void *)(n - 1)) != 0)
		return NULL;
	intptr_t b = (intptr_t)task_fib((void *)(n - 2));
	intptr_t sum = b + (intptr_t)doze_future_get(a);
	doze_future_free(a);
	return (void *)sum;
}

static const char *futures(doze_pool *pool)
{
	doze_future *f[8];
	const char *wrong = NULL;
	for (int i = 0; i < 8; i++)
		if (doze_submit(&f[i], pool, task_fib, (void *)(intptr_t)(i + 1)) != 0)
			return doze_last_error();
	const intptr_t fibs[] = {1, 1, 2, 3, 5, 8, 13, 21};
	for (int i = 7; i >= 0; i--) {
		if (doze_future_get(f[i]) != (void *)fibs[i])
			wrong = "a future returned a wrong result";
		doze_future_free(f[i]);
	}
	return wrong;
}

/* ---- loops ---- */

static void touch(size_t begin, size_t end, void *arg)
{
	DOZE_ATOMIC(unsigned char) *cell = arg;
	for (size_t i = begin; i < end; i++)
		da_add(&cell[i], 1, SC);
}

static const char *loop(doze_pool *pool)
{
	static _Thread_local DOZE_ATOMIC(unsigned char) cell[1000];
	memset(cell, 0, sizeof cell);
	doze_for(pool, 0, 1000, 4, touch, cell);
	for (size_t i = 0; i < 1000; i++)
		if (cell[i] != 1)
			return "a loop skipped an index, or visited an index twice";
	return NULL;
}

static void sum_zero(void *acc, void *arg)
{
	(void)arg;
	*(long *)acc = 0;
}
static void sum_range(size_t begin, size_t end, void *acc, void *arg)
{
	(void)arg;
	for (size_t i = begin; i < end; i++)
		*(long *)acc += (long)i;
}
static void sum_combine(void *left, const void *right, void *arg)
{
	(void)arg;
	*(long *)left += *(const long *)right;
}

static const char *reduction(doze_pool *pool)
{
	static const doze_reducer sum = {sizeof(long), sum_zero, sum_range, sum_combine};
	long out = -1;
	if (doze_reduce(pool, 0, 2000, 8, &sum, &out, NULL) != 0)
		return doze_last_error();
	return out == 1999L * 2000 / 2 ? NULL : "a reduction returned a wrong sum";
}

/* ---- yields ---- */

static void yielding(void *arg)
{
	DOZE_ATOMIC(int) *n = arg;
	for (int i = 0; i < 8; i++)
		doze_spawn(NULL, constructs_add_one, n);
	while (da_load(n, SC) < 8) /* other workers may have stolen some of the jobs */
		if (doze_yield_local() == 0)
			doze_yield_now();
}

static const char *yields(doze_pool *pool)
{
	/* Static, because a job may still use it after a failed test. */
	static _Thread_local DOZE_ATOMIC(int) n;
	n = 0;
	doze_install(pool, yielding, &n);
	return n == 8 && doze_yield_now() == -1 ? NULL : "yield lost a job";
}

const struct construct constructs[] = {
    {"install", install_outside},
    {"install across pools", install_across},
    {"join", join_inside},
    {"workers that sleep on latches", sleep_on_latches},
    {"spawn from outside", construct_spawn_outside},
    {"spawn from inside", construct_spawn_inside},
    {"spawn while falling asleep", construct_spawn_spaced},
    {"chains of jobs", construct_chains},
    {"scope", scopes},
    {"spawn many", construct_spawn_many},
    {"spawn many in a scope", construct_scopes_of_many},
    {"submit many", construct_submit_many},
    {"broadcast", broadcasts},
    {"spawned broadcast", spawned_broadcast},
    {"future", futures},
    {"graph of futures", construct_future_graph},
    {"timed get", construct_timed_get},
    {"for", loop},
    {"reduce", reduction},
    {"yield", yields},
    {NULL, NULL},
};
