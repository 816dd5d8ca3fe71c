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
	doze_mutex lock; /* protects `done` */
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
	/* Memory of a pool on the heap contains anything; only tiny_init makes it a pool. */
	memset(&g.pool, 0x5a, sizeof(g.pool));
	tiny_init(&g.pool, job);
	doze_mutex_init(&g.lock);
	doze_cond_init(&g.more);
}
/* Fails unless each of the jobs has run once. */
static void all_ran(int jobs)
{
	int ran = da_add(&g.ran, 0, RLX);
	EX_REQUIRE(ran <= jobs, "%d jobs were posted, but jobs ran %d times", jobs, ran);
	EX_REQUIRE(ran == jobs, "%d of %d jobs ran", ran, jobs);
}
static void finish(doze_thread t, int jobs)
{
	ex_expect("the workers to exit");
	tiny_close(&g.pool);
	doze_thread_join(t);
	all_ran(jobs);
}

/* Posts jobs one by one, and waits until each has run before it posts the next one. */
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

/* Describes for each job that has run whether its post woke the worker or found it awake. */
static char story[300];
static char waited_for[sizeof(story) + 60]; /* printed if the newest job never runs */

/* Adds a job to the story, and describes it in waited_for. The two texts differ if the post did not
 * wake the worker: waited_for, printed if this job never runs, names the step of the worker that
 * the post came too early for; `story`, printed if a later job never runs, reports that this job
 * found the worker awake. */
static void describe(int job)
{
	char step[40];
	size_t used = strlen(story);
	const char *before = used ? "," : "job";
	ex_next_step(1, step, sizeof(step));
	bool woke = !strcmp(step, "wake");
	snprintf(waited_for, sizeof(waited_for), "job %d: %s%s %d %s%s", job, story, before, job,
		 woke ? "woke the worker" : "came before its ", woke ? "" : step);
	snprintf(story + used, sizeof(story) - used, "%s %d %s", before, job,
		 woke ? "woke the worker" : "found it awake");
}

/* Posts jobs one by one, like in_turn, and records for each post whether it woke the worker. */
static void chosen(void)
{
	doze_thread t;
	set_up(report);
	(void)doze_thread_create(&t, worker, (void *)(uintptr_t) "worker");
	for (int i = 1; i <= CHOSEN_JOBS; i++) {
		tiny_post(&g.pool);
		describe(i);
		ex_expect(waited_for);
		wait_for(i);
	}
	finish(t, CHOSEN_JOBS);
}

/* For the game on the repaired pool: like in_turn(1), but reports whether the post wakes the worker
 * or finds it awake. */
static void one(void)
{
	char step[40];
	doze_thread t;
	set_up(report);
	(void)doze_thread_create(&t, worker, (void *)(uintptr_t) "worker");
	ex_expect("job 1");
	tiny_post(&g.pool);
	ex_next_step(1, step, sizeof(step));
	ex_event(!strcmp(step, "wake") ? "the post wakes the worker" : "the worker is awake");
	wait_for(1);
	finish(t, 1);
}

/* The threads of the scenarios that have several workers. */
static doze_thread workers[3];
static void start_workers(int n)
{
	static const char *const names[] = {"worker 0", "worker 1", "worker 2"};
	for (int i = 0; i < n; i++)
		(void)doze_thread_create(&workers[i], worker, (void *)(uintptr_t)names[i]);
}
static void close_and_join(int n)
{
	ex_expect("the workers to exit");
	tiny_close(&g.pool);
	while (n-- > 0)
		doze_thread_join(workers[n]);
}

/* Posts two jobs in a row to a pool of two workers. */
static void two(void)
{
	set_up(count);
	start_workers(2);
	tiny_post(&g.pool);
	tiny_post(&g.pool);
	close_and_join(2);
	all_ran(2);
}

static void three_sleepers(void)
{
	set_up(count);
	start_workers(3);
	close_and_join(3);
}

static void report_to_all(void)
{
	doze_mutex_lock(&g.lock);
	g.done++;
	doze_cond_broadcast(&g.more);
	doze_mutex_unlock(&g.lock);
}

/* Two or three jobs wait for each other, so each of them needs its own worker. */
static int meeting;
static void meet(struct tiny_pool *pool)
{
	count(pool);
	report_to_all();
	ex_expect("the other jobs");
	wait_for(meeting);
	ex_expect("work");
}
static void meet_all(int n)
{
	meeting = n;
	set_up(meet);
	start_workers(n);
	for (int i = 0; i < n; i++)
		tiny_post(&g.pool);
	ex_expect("the jobs");
	wait_for(n);
	close_and_join(n);
}
static void both(void)
{
	meet_all(2);
}
static void all_three(void)
{
	meet_all(3);
}

/* The first job posts a second job and waits for it, so the other worker must run the second
 * job. */
static void post_and_wait(struct tiny_pool *pool)
{
	if (da_add(&g.ran, 1, RLX) != 0) {
		report_to_all();
		return;
	}
	tiny_post(pool);
	ex_expect("the second job");
	wait_for(1);
	ex_expect("work");
}
static void helped(void)
{
	set_up(post_and_wait);
	start_workers(2);
	tiny_post(&g.pool);
	ex_expect("the second job");
	wait_for(1);
	close_and_join(2);
}

/* The first job posts the second one, which closes the pool. */
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
	all_ran(2);
}

/* An idle worker must sleep: ex_wait_quiet returns only if the worker takes no more steps. */
static void asleep(void)
{
	doze_thread t;
	set_up(count);
	(void)doze_thread_create(&t, worker, (void *)(uintptr_t) "worker");
	ex_expect("the worker to fall asleep");
	for (int i = 1; i <= 2; i++) {
		tiny_post(&g.pool);
		ex_wait_quiet();
		all_ran(i);
	}
	finish(t, 2);
}

/* Like `asleep`, but the other worker runs a job that waits for the main thread. */
static void wait_for_main(struct tiny_pool *pool)
{
	count(pool);
	ex_expect("main");
	wait_for(1);
	ex_expect("work");
}
static void asleep_beside(void)
{
	set_up(wait_for_main);
	start_workers(2);
	tiny_post(&g.pool);
	ex_expect("the idle worker to fall asleep");
	ex_wait_quiet();
	all_ran(1);
	report_to_all();
	close_and_join(2);
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
    {"all-three", "three workers, three jobs that wait for each other", all_three, 4, NULL, NULL,
     0},
    {"nested", "a job posts the next one", nested, 2, NULL, NULL, 0},
    {"helped", "a job posts the next one and waits for it", helped, 3, NULL, NULL, 0},
    {"asleep", "an idle worker sleeps", asleep, 2, NULL, NULL, 0},
    {"asleep-beside", "an idle worker sleeps while the other runs a job", asleep_beside, 3, NULL,
     NULL, 0},
    {"three-sleepers", "the pool is closed while three workers fall asleep", three_sleepers, 4,
     NULL, NULL, 0},
    {"closed", "the pool is closed while a worker falls asleep", closed, 2, NULL, NULL, 0},
    {"closed-spurious", "the pool is closed while a worker falls asleep; one spurious wake", closed,
     2, NULL, NULL, 1},
    {"one-spurious", "a job is posted while a worker falls asleep; one spurious wake", one, 2, NULL,
     NULL, 1},
    {.name = NULL},
};
