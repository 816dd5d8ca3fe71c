/*
 * SPDX-License-Identifier: MIT
 *
 * A waiting worker sleeps. In each construct, one worker waits for the other, which continues only
 * when it sees the first one asleep. A worker that spins instead, or is not woken again, fails the
 * test.
 */
#include "help.h"
#include "lib/atomic.h"
#include "lib/sleep/sleep.h"
#include "tests/fixtures/suite.h"

#include <stdio.h>
#include <string.h>

struct wait {
	doze_pool *pool, *other; /* other: the pool that owns the worker that waits in an install */
	long begun;              /* atomic: set when the other half runs on another worker */
	long seen_asleep, done;  /* atomic */
};

static bool any_worker_sleeps(doze_pool *pool, double seconds)
{
	doze_stats stats;
	for (struct patience limit = patience_of((unsigned)(seconds * 1000));
	     !patience_is_over(&limit); help_sleep_us(200)) {
		doze_pool_stats(pool, &stats);
		if (stats.sleeping >= 1)
			return true;
	}
	return false;
}

/* Runs the half that the other half waits for. Returns when the waiting worker is asleep. */
static void until_asleep(void *arg)
{
	struct wait *w = arg;
	help_count(&w->begun);
	if (any_worker_sleeps(w->pool, 5))
		help_count(&w->seen_asleep);
	help_count(&w->done);
}

/* Runs the half that waits. Keeps its worker busy until the other half has started. */
static void until_begun(void *arg)
{
	struct wait *w = arg;
	(void)help_reaches(&w->begun, 1, 10);
}

static void by_join(void *arg)
{
	doze_join(until_begun, arg, until_asleep, arg);
}

static void in_scope(doze_scope *scope, void *arg)
{
	(void)scope;
	until_asleep(arg);
}
static void scope_body(doze_scope *scope, void *arg)
{
	(void)doze_scope_spawn(scope, in_scope, arg);
	until_begun(arg);
}
static void by_scope(void *arg)
{
	(void)doze_scope_run(NULL, scope_body, arg);
}

static void *task(void *arg)
{
	until_asleep(arg);
	return NULL;
}
static void by_future(void *arg)
{
	doze_future *f;
	if (doze_submit(&f, NULL, task, arg) != 0)
		return;
	until_begun(arg);
	(void)doze_future_get(f);
	doze_future_free(f);
}

static void everywhere(unsigned index, unsigned total, void *arg)
{
	struct wait *w = arg;
	(void)total;
	/* The turn that begins second; the first one waits for it. */
	if (doze_worker_index() == (int)index && da_add((DOZE_ATOMIC(long) *)&w->begun, 1, SC))
		until_asleep(arg);
}
static void by_broadcast(void *arg)
{
	(void)doze_broadcast(NULL, everywhere, arg);
}

static void by_install(void *arg)
{
	struct wait *w = arg;
	doze_install(w->other, until_asleep, w);
}

static const struct way {
	const char *name;
	unsigned workers;
	void (*run)(void *);
} ways[] = {{"join", 2, by_join},
	    {"scope", 2, by_scope},
	    {"future", 2, by_future},
	    {"broadcast", 2, by_broadcast},
	    {"install", 1, by_install}};

static void try_way(const char *policy, const struct way *way)
{
	struct wait w = {NULL, NULL, 0, 0, 0};
	w.pool = help_pool(way->workers, policy);
	w.other = help_pool(1, policy);
	doze_install(w.pool, way->run, &w);
	doze_pool_free(w.other);
	doze_pool_free(w.pool);
	if (w.seen_asleep < 1 || w.seen_asleep != w.done)
		fprintf(stderr, "\npolicy %s: a worker that waits in %s does not sleep\n", policy,
			way->name);
	CU_ASSERT_TRUE(w.seen_asleep >= 1);
	CU_ASSERT_EQUAL(w.seen_asleep, w.done);
}

static void waiting_workers_sleep(void)
{
	suite_allow_seconds(120);
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
			if (strcmp((*p)->name, "spin") != 0)
				try_way((*p)->name, &ways[i]);
}

/* ---- a getter's worker may be needed by the task that it waits for ---- */

static void count_share(unsigned index, unsigned total, void *arg)
{
	(void)index;
	(void)total;
	help_count(&((struct wait *)arg)->done);
}

static void *broadcasts(void *arg)
{
	struct wait *w = arg;
	help_count(&w->begun);
	(void)any_worker_sleeps(w->pool, 5); /* waits until the getter sleeps */
	(void)doze_broadcast(NULL, count_share, w);
	return NULL;
}

static void get_stolen(void *arg)
{
	doze_future *f;
	if (doze_submit(&f, NULL, broadcasts, arg) != 0)
		return;
	until_begun(arg);
	(void)doze_future_get(f);
	doze_future_free(f);
}

static void stolen_task_needs_its_getter(void)
{
	suite_allow_seconds(120);
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++) {
		struct wait w = {NULL, NULL, 0, 0, 0};
		w.pool = help_pool(2, (*p)->name);
		doze_install(w.pool, get_stolen, &w);
		CU_ASSERT_EQUAL(w.done, 2);
		doze_pool_free(w.pool);
	}
}

/* ---- a getter that runs the task itself must wake the sleeping getters ---- */

struct getters {
	doze_pool *pool;
	doze_future *future;
	/* Set when, respectively, the sleeper's job runs, the task runs, and the getter has
	 * returned. */
	long busy, begun, woken;
	bool in_time; /* the sleeper returned while the helper's job was still running */
};

static void *until_the_other_sleeps(void *arg)
{
	struct getters *g = arg;
	help_count(&g->begun);
	(void)any_worker_sleeps(g->pool, 5);
	return NULL;
}

static void get_asleep(void *arg)
{
	struct getters *g = arg;
	help_count(&g->busy);
	(void)help_reaches(&g->begun, 1, 10);
	(void)doze_future_get(g->future);
	help_count(&g->woken);
}

static void get_and_help(void *arg)
{
	struct getters *g = arg;
	/* Waits until the other worker is busy and cannot steal the task. */
	(void)help_reaches(&g->busy, 1, 10);
	if (doze_submit(&g->future, NULL, until_the_other_sleeps, g) != 0)
		return;
	(void)doze_future_get(g->future);
	g->in_time = help_reaches(&g->woken, 1, 5);
}

static void helper_wakes_the_other_getter(void)
{
	suite_allow_seconds(120);
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++) {
		/* Under this policy, no worker sleeps. */
		if (strcmp((*p)->name, "spin") == 0)
			continue;
		struct getters g = {.pool = help_pool(2, (*p)->name)};
		(void)doze_spawn(g.pool, get_asleep, &g);
		doze_install(g.pool, get_and_help, &g);
		doze_pool_free(g.pool);
		doze_future_free(g.future);
		if (!g.in_time)
			fprintf(stderr,
				"\npolicy %s: a getter that ran the task did not wake the other "
				"getter\n",
				(*p)->name);
		CU_ASSERT_TRUE(g.in_time);
	}
}

static const struct suite_test tests[] = {
    {"a worker sleeps while it waits in any construct", waiting_workers_sleep},
    {"a stolen task may broadcast while its getter waits for it", stolen_task_needs_its_getter},
    {"a getter that runs the task wakes the other, sleeping getter", helper_wakes_the_other_getter},
};
SUITE_MAIN("waits", tests)
