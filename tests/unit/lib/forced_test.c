/*
 * SPDX-License-Identifier: MIT
 *
 * Forces, on real threads, the schedules in which a wake can be lost: holds workers between their
 * last search and their sleep, and a tickle between its load and its swap (hold.h).
 *
 * Built twice. texts_forced_test has RFC 5 and tickle as first published (DOZE_RFC_AS_WRITTEN,
 * DOZE_TICKLE_STORES), under which the same schedules lose a job. labs/explorer finds the same two
 * mistakes by search (mutants rfc-no-last-look and tickle-store).
 */
#include "help.h"
#include "hold.h"
#include "lib/forkjoin/forkjoin.h"
#include "lib/pool.h"
#include "tests/fixtures/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined DOZE_RFC_AS_WRITTEN
static const bool by_the_texts = true;
#else
static const bool by_the_texts = false;
#endif

/* These pools are otherwise idle, so an event that has not occurred within this time will not
 * occur. */
enum { LOST_US = 200000 };

static bool sleeps(struct doze_pool *pool, int i)
{
	return da_load(&pool->workers[i].state, SC) == DOZE_STATE_sleeping;
}

static bool falls_asleep(struct doze_pool *pool, int i)
{
	for (struct patience limit = patience_of(10000); !patience_is_over(&limit);
	     help_sleep_us(200)) {
		if (sleeps(pool, i)) {
			hold_await_sleep(pool, (unsigned)i);
			return true;
		}
	}
	return false;
}

static uint64_t wakes(struct doze_pool *pool)
{
	doze_stats stats;
	doze_pool_stats(pool, &stats);
	return stats.wakes;
}

static bool is_one_of(const char *name, const char *list)
{
	const char *at = strstr(list, name);
	return at != NULL && strchr(" ", at[strlen(name)]) != NULL;
}

static void expect(bool good, const char *policy, const char *what)
{
	if (!good)
		fprintf(stderr, "\npolicy %s: %s\n", policy, what);
	CU_ASSERT_TRUE(good);
}

/* ---- a job from outside arrives after the only worker has made its last search ---- */

static void injected(const char *policy, bool lost)
{
	long runs = 0;
	doze_pool *pool = hold_pool_new(1, policy, NULL, NULL);
	hold_await(HOLD_BEFORE_SLEEP, 1);
	CU_ASSERT_EQUAL(doze_spawn(pool, help_count, &runs), 0);
	CU_ASSERT_EQUAL(wakes(pool), 0); /* the post wakes no worker, because none sleeps yet */
	hold_end(HOLD_BEFORE_SLEEP);
	if (lost) {
		expect(falls_asleep(pool, 0), policy, "the worker does not sleep");
		help_sleep_us(LOST_US);
		expect(help_read(&runs) == 0 && sleeps(pool, 0), policy, "the job was not lost");
		/* This post wakes the worker, which finds two jobs. */
		(void)doze_spawn(pool, help_count, &runs);
		expect(help_reaches(&runs, 2, 10), policy, "the next post does not help");
	} else {
		expect(help_reaches(&runs, 1, 10), policy, "the injected job was lost");
	}
	hold_pool_free(pool);
}

static void injected_at_the_last_moment(void)
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		if (strcmp((*p)->name, "spin") != 0)
			injected((*p)->name,
				 by_the_texts &&
				     is_one_of((*p)->name, "rfc local block spare chain"));
}

/* ---- a tickle between its load and its swap ---- */

static void post_and_be_held(void *arg)
{
	void **pool_and_runs = arg;
	hold_this_thread();
	(void)doze_spawn(pool_and_runs[0], help_count, pool_and_runs[1]);
}

/* The word is 0 while a worker sleeps, so no post will ever wake that worker. */
static void stays_lost(struct doze_pool *pool, long *runs)
{
	expect(sleeps(pool, 0), "tickle", "the sleeper's wake was not lost");
	CU_ASSERT_EQUAL(da_load(&pool->sleep.word, SC), 0);
	(void)doze_spawn(pool, help_count, runs);
	help_sleep_us(LOST_US);
	CU_ASSERT_EQUAL(help_read(runs), 0);
	/* Restores the value that the store overwrote, so that the pool can terminate. */
	da_store(&pool->sleep.word, 1, SC);
	(void)doze_spawn(pool, help_count, runs);
	CU_ASSERT_TRUE(help_reaches(runs, 3, 10));
}

static void tickle_meets_a_sleeper(void)
{
	long runs = 0;
	doze_pool *pool = hold_pool_new(1, "tickle", NULL, NULL);
	void *pool_and_runs[2] = {pool, &runs};
	hold_await(HOLD_BEFORE_SLEEP, 1);
	CU_ASSERT_EQUAL(da_load(&pool->sleep.word, SC), 2); /* worker 0 is sleepy */
	struct help_thread *t = help_thread_start(post_and_be_held, pool_and_runs);
	hold_await(HOLD_IN_TICKLE, 1); /* the poster has loaded the 2 */
	hold_end(HOLD_BEFORE_SLEEP);
	CU_ASSERT_TRUE(falls_asleep(pool, 0)); /* the worker changes the word from 2 to 1 */
	hold_end(HOLD_IN_TICKLE);
	help_thread_join(t);
	if (by_the_texts) {
		help_sleep_us(LOST_US);
		stays_lost(pool, &runs);
	} else {
		CU_ASSERT_TRUE(help_reaches(&runs, 1, 10));
		CU_ASSERT_EQUAL(wakes(pool), 1);
	}
	hold_pool_free(pool);
}

/* ---- a worker queues a job after the other worker has made its last search ---- */

struct internal {
	struct doze_pool *pool;
	long held;  /* atomic: set once the task has been submitted */
	bool lost;  /* the other worker fell asleep although the task was queued */
	bool go_on; /* whether the submitter posts another job before it gets the result */
	int ran_by, submitter;
	long ran; /* atomic */
};

static void *note_runner(void *arg)
{
	struct internal *s = arg;
	s->ran_by = doze_worker_index();
	help_count(&s->ran);
	return arg;
}

static void submit_inside(void *arg)
{
	struct internal *s = arg;
	doze_future *f;
	long more = 0;

	s->submitter = doze_worker_index();
	if (doze_submit(&f, NULL, note_runner, s) != 0)
		abort();
	hold_end(HOLD_BEFORE_SLEEP); /* the other worker falls asleep unless it checks again */
	if (s->lost) {
		s->lost = falls_asleep(s->pool, 1 - s->submitter);
		help_sleep_us(LOST_US);
		s->lost &= sleeps(s->pool, 1 - s->submitter) && help_read(&s->ran) == 0;
	} else {
		/* Keeps the submitter busy until the task has run. */
		(void)help_reaches(&s->ran, 1, 10);
	}
	if (s->go_on) {
		(void)doze_spawn(NULL, help_count, &more);
		(void)help_reaches(&s->ran, 1, 10);
	}
	(void)doze_future_get(f);
	doze_future_free(f);
	if (s->go_on)
		(void)help_reaches(&more, 1, 10);
}

/* Runs the schedule, and expects a lost wake if `lost` is true. Returns whether the submitter ran
 * the task itself. */
static bool internal(const char *policy, bool lost, bool go_on)
{
	struct internal s = {.lost = lost, .go_on = go_on, .ran_by = -1};
	s.pool = hold_pool_new(2, policy, NULL, NULL);
	hold_await(HOLD_BEFORE_SLEEP, 2);
	(void)doze_spawn(s.pool, submit_inside, &s);
	hold_release(HOLD_BEFORE_SLEEP, 1); /* this worker's check under the lock finds the job */
	CU_ASSERT_TRUE(help_reaches(&s.ran, 1, 20));
	hold_pool_free(s.pool);
	expect(s.lost == lost, policy, "the internal signal was not lost");
	return s.ran_by == s.submitter;
}

static void internal_signal_is_lost(void)
{
	CU_ASSERT_TRUE(internal("forkjoin", true, false)); /* the getter runs the task itself */
}

static void next_signal_finds_it(void)
{
	CU_ASSERT_FALSE(internal(
	    "forkjoin", true, true)); /* the woken worker takes the oldest job, which is the task */
}

static void others_check_again(void)
{
	CU_ASSERT_FALSE(internal("condvar", false, false));
	CU_ASSERT_FALSE(internal("go", false, false));
	CU_ASSERT_FALSE(internal("jec", false, false));
}

/* ---- a future in the middle of the getter's queue ---- */

struct middle {
	size_t before, after;
	bool others_done;
};

static size_t queued(void)
{
	struct doze_worker *self = doze_self;
	return self->queues != NULL ? forkjoin_of(self->pool)->deque[self->index].count
				    : (size_t)doze_deque_length(&self->deque);
}

static void get_the_middle_one(void *arg)
{
	struct middle *m = arg;
	struct internal s = {.ran_by = -1};
	doze_future *f[3];
	for (int i = 0; i < 3; i++)
		if (doze_submit(&f[i], NULL, note_runner, &s) != 0)
			abort();
	m->before = queued();
	(void)doze_future_get(f[1]);
	m->after = queued();
	m->others_done = doze_future_ready(f[0]) || doze_future_ready(f[2]);
	for (int i = 0; i < 3; i++) {
		(void)doze_future_get(f[i]);
		doze_future_free(f[i]);
	}
}

static void taken_out_of_the_middle(void)
{
	static const struct {
		const char *policy;
		size_t after;
	} is[] = {{"forkjoin", 2}, {"jec", 3}}; /* under jec, the deque keeps a tombstone */
	for (int i = 0; i < 2; i++) {
		struct middle m = {0, 0, true};
		doze_pool *pool = help_pool(1, is[i].policy);
		doze_install(pool, get_the_middle_one, &m);
		doze_pool_free(pool);
		CU_ASSERT_EQUAL(m.before, 3);
		CU_ASSERT_EQUAL(m.after, is[i].after);
		CU_ASSERT_FALSE(m.others_done);
	}
}

static const struct suite_test tests[] = {
    {"a job that is injected after a worker's last search still runs, except under RFC 5 as "
     "written",
     injected_at_the_last_moment},
    {"a tickle wakes a worker that falls asleep after its check, unless the tickle is a plain "
     "store",
     tickle_meets_a_sleeper},
    {"under forkjoin, the signal for an internal job is lost, and the getter runs the job",
     internal_signal_is_lost},
    {"under forkjoin, the next signal makes a worker run the job whose signal was lost",
     next_signal_finds_it},
    {"under policies with a last check, the job runs while its submitter is busy",
     others_check_again},
    {"a future is taken from the middle of a queue only if the queue has a lock",
     taken_out_of_the_middle},
};
SUITE_MAIN("forced", tests)
