/*
 * SPDX-License-Identifier: MIT
 *
 * scenarios.c - the explorer's scenarios of lab 2.
 */
#include "pool.h"

#include "labs/explorer/explore.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { CHOSEN_JOBS = 4 };

static struct {
	struct tiny_pool pool;
	DOZE_ATOMIC(int) ran;
	doze_mutex lock; /* protects the following variables */
	doze_cond more;
	int done;
} g;

static void *worker(void *name)
{
	ex_name_thread(name);
	ex_expect("work");
	tiny_work(&g.pool);
	return NULL;
}

static void count(struct tiny_pool *pool)
{
	(void)pool;
	da_add(&g.ran, 1, RLX);
}

/* The body of a job that reports that it has run. */
static void report(struct tiny_pool *pool)
{
	count(pool);
	doze_mutex_lock(&g.lock);
	g.done++;
	doze_cond_signal(&g.more);
	doze_mutex_unlock(&g.lock);
}
static void wait_for(int done)
{
	doze_mutex_lock(&g.lock);
	while (g.done < done)
		doze_cond_wait(&g.more, &g.lock);
	doze_mutex_unlock(&g.lock);
}

static void set_up(void (*job)(struct tiny_pool *))
{
	tiny_init(&g.pool, job);
	doze_mutex_init(&g.lock);
	doze_cond_init(&g.more);
}
static void finish(doze_thread t, int jobs)
{
	ex_expect("the workers to end");
	tiny_close(&g.pool);
	doze_thread_join(t);
	EX_CHECK(da_add(&g.ran, 0, RLX) == jobs);
}

/* Posts jobs one by one, and waits until each has run before the next. */
static void in_turn(int jobs)
{
	static const char *const names[] = {"job 1", "job 2", "job 3"};
	doze_thread t;
	set_up(report);
	(void)doze_thread_create(&t, worker, (void *)(uintptr_t) "worker");
	for (int i = 0; i < jobs; i++) {
		ex_expect(names[i]);
		tiny_post(&g.pool);
		wait_for(i + 1);
	}
	finish(t, jobs);
}
static void three(void)
{
	in_turn(3);
}

/* Describes how the posts so far met the worker, for the report of a hang. */
static char story[300];

static void tell(int job, bool last)
{
	char step[40];
	size_t used = strlen(story);
	ex_next_step(1, step, sizeof(step));
	const char *how = !strcmp(step, "wake") ? "woke the worker" : "found it awake";
	snprintf(story + used, sizeof(story) - used, "%s %d %s%s", used ? "," : "job", job,
		 last ? "came before its " : how, last ? step : "");
}

/* Posts jobs one by one, like in_turn, and tells of each post whether the worker slept, and of the
 * last one, which step of the worker it preceded. */
static void chosen(void)
{
	static char waited_for[sizeof(story) + 20];
	doze_thread t;
	set_up(report);
	(void)doze_thread_create(&t, worker, (void *)(uintptr_t) "worker");
	for (int i = 1; i <= CHOSEN_JOBS; i++) {
		tiny_post(&g.pool);
		tell(i, i == CHOSEN_JOBS);
		snprintf(waited_for, sizeof(waited_for), "job %d: %s", i, story);
		ex_expect(waited_for);
		wait_for(i);
	}
	finish(t, CHOSEN_JOBS);
}
static void one(void)
{
	in_turn(1);
}

/* Two workers serve two jobs that are posted at once. */
static void two(void)
{
	doze_thread a, b;
	set_up(count);
	(void)doze_thread_create(&a, worker, (void *)(uintptr_t) "worker 0");
	(void)doze_thread_create(&b, worker, (void *)(uintptr_t) "worker 1");
	tiny_post(&g.pool);
	tiny_post(&g.pool);
	ex_expect("the workers to end");
	tiny_close(&g.pool);
	doze_thread_join(b);
	doze_thread_join(a);
	EX_CHECK(da_add(&g.ran, 0, RLX) == 2);
}

/* Two jobs wait for each other, so two workers must run them. */
static void meet(struct tiny_pool *pool)
{
	count(pool);
	doze_mutex_lock(&g.lock);
	g.done++;
	doze_cond_broadcast(&g.more);
	doze_mutex_unlock(&g.lock);
	wait_for(2);
}
static void both(void)
{
	doze_thread a, b;
	set_up(meet);
	(void)doze_thread_create(&a, worker, (void *)(uintptr_t) "worker 0");
	(void)doze_thread_create(&b, worker, (void *)(uintptr_t) "worker 1");
	tiny_post(&g.pool);
	tiny_post(&g.pool);
	ex_expect("both jobs");
	wait_for(2);
	ex_expect("the workers to end");
	tiny_close(&g.pool);
	doze_thread_join(b);
	doze_thread_join(a);
}

/* A job posts the next one. */
static void post_next(struct tiny_pool *pool)
{
	if (da_add(&g.ran, 1, RLX) == 0)
		tiny_post(pool);
	else
		tiny_close(pool);
}
static void nested(void)
{
	doze_thread t;
	set_up(post_next);
	(void)doze_thread_create(&t, worker, (void *)(uintptr_t) "worker");
	tiny_post(&g.pool);
	ex_expect("the second job");
	doze_thread_join(t);
	EX_CHECK(da_add(&g.ran, 0, RLX) == 2);
}

/* ex_wait_quiet returns only if an idle worker takes no steps. */
static void asleep(void)
{
	doze_thread t;
	set_up(count);
	(void)doze_thread_create(&t, worker, (void *)(uintptr_t) "worker");
	ex_expect("the worker to fall asleep");
	for (int i = 1; i <= 2; i++) {
		tiny_post(&g.pool);
		ex_wait_quiet();
		EX_CHECK(da_add(&g.ran, 0, RLX) == i);
	}
	finish(t, 2);
}

static void closed(void)
{
	doze_thread t;
	set_up(count);
	(void)doze_thread_create(&t, worker, (void *)(uintptr_t) "worker");
	finish(t, 0);
}

const struct ex_scenario ex_scenarios[] = {
    {"three", "three jobs, one after the other", three, 2, NULL, NULL, 0},
    {"chosen", "four jobs, one after the other, with a report of what the worker did at each post",
     chosen, 2, NULL, NULL, 0},
    {"one", "a job is posted while a worker falls asleep", one, 2, NULL, NULL, 0},
    {"two", "two workers, two jobs at once", two, 3, NULL, NULL, 0},
    {"both", "two workers, two jobs that wait for each other", both, 3, NULL, NULL, 0},
    {"nested", "a job posts the next one", nested, 2, NULL, NULL, 0},
    {"asleep", "an idle worker sleeps", asleep, 2, NULL, NULL, 0},
    {"closed", "the pool is closed while a worker falls asleep", closed, 2, NULL, NULL, 0},
    {"closed-spurious", "the pool is closed while a worker falls asleep; one spurious wake", closed,
     2, NULL, NULL, 1},
    {"one-spurious", "a job is posted while a worker falls asleep; one spurious wake", one, 2, NULL,
     NULL, 1},
    {.name = NULL},
};
