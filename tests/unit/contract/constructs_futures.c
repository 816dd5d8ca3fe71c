/*
 * SPDX-License-Identifier: MIT
 *
 * constructs_futures.c - tasks that get each other, and timed gets.
 */
#include "constructs_int.h"

#include <errno.h>
#include <stdlib.h>

struct graph;

struct task {
	struct graph *graph;
	int number;
	DOZE_ATOMIC(doze_future *) future;
};

struct graph {
	struct task task[JOBS];
	DOZE_ATOMIC(int) wrong;
};

/* Gets the task with half the number, if that task has been submitted. */
static void get_half(void *arg)
{
	const struct task *t = arg;
	struct task *smaller = &t->graph->task[t->number / 2];
	doze_future *f = da_load(&smaller->future, ACQ);

	if (f != NULL && doze_future_get(f) != smaller)
		da_add(&t->graph->wrong, 1, RLX);
}

static void *get_in_join(void *arg)
{
	const struct task *t = arg;
	/* The number is doubled because get_half halves it, so this gets the previous task. */
	struct task before = {.graph = t->graph, .number = 2 * t->number - 2};

	if (t->number > 0)
		doze_join(get_half, &before, get_half, arg);
	return arg;
}

static void submit_task(struct graph *g, int number, doze_pool *pool)
{
	struct task *t = &g->task[number];
	doze_future *f = NULL;

	t->graph = g;
	t->number = number;
	if (doze_submit(&f, pool, get_in_join, t) != 0)
		da_add(&g->wrong, 1, RLX);
	da_store(&t->future, f, REL);
}

/* Submits every other task on a worker, in descending order of the numbers. */
static void submit_odd(void *arg)
{
	for (int i = JOBS - 1; i > 0; i -= 2)
		submit_task(arg, i, NULL);
}

const char *construct_future_graph(doze_pool *pool)
{
	static _Thread_local struct graph g;

	g = (struct graph){.wrong = 0};
	for (int i = 0; i < JOBS; i += 2)
		submit_task(&g, i, pool);
	doze_install(pool, submit_odd, &g);
	for (int i = JOBS - 1; i >= 0; i--) {
		doze_future *f = da_load(&g.task[i].future, ACQ);
		if (doze_future_get(f) != &g.task[i])
			da_add(&g.wrong, 1, RLX);
	}
	for (int i = 0; i < JOBS; i++)
		doze_future_free(da_load(&g.task[i].future, ACQ));
	return da_load(&g.wrong, RLX) != 0 ? "a graph of futures returned a wrong result" : NULL;
}

static void *nothing(void *arg)
{
	return arg;
}

/* Gets a task with a deadline that is so far away that only the result can end the wait. */
static void get_in_time(void *arg)
{
	DOZE_ATOMIC(int) *wrong = arg;
	doze_future *f;
	void *result = NULL;

	if (doze_submit(&f, NULL, nothing, arg) != 0 ||
	    doze_future_get_timed(f, UINT64_MAX, &result) != 0 || result != arg)
		da_add(wrong, 1, RLX);
	doze_future_free(f);
}

static void *get_itself_in_time(void *arg)
{
	doze_future *f = da_load((DOZE_ATOMIC(doze_future *) *)arg, ACQ);
	return f == NULL || doze_future_get_timed(f, 1000, NULL) == ETIMEDOUT ? arg : NULL;
}

const char *construct_timed_get(doze_pool *pool)
{
	DOZE_ATOMIC(int) wrong;
	DOZE_ATOMIC(doze_future *) own;
	doze_future *f = NULL;

	da_init(&wrong, 0);
	da_init(&own, NULL);
	doze_install(pool, get_in_time, &wrong);
	if (doze_submit(&f, pool, get_itself_in_time, &own) != 0)
		return "no memory for a task";
	da_store(&own, f, REL);
	void *result = doze_future_get(f);
	doze_future_free(f);
	if (result != &own)
		return "a timed get of a task by itself did not time out";
	return da_load(&wrong, RLX) != 0 ? "a timed get returned no result" : NULL;
}
