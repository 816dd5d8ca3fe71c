/*
 * SPDX-License-Identifier: MIT
 *
 * Policy `jec` with threads: records a short run, then checks the events.
 */
#include "help.h"
#include "lib/sleep/counters.h"
#include "sink.h"
#include "tests/fixtures/suite.h"

#include <stdlib.h>

enum { WORKERS = 4, BURSTS = 15 };

static long jobs_done;

static void short_job(void *arg)
{
	(void)arg;
	help_sleep_us(100);
	help_count(&jobs_done);
}

static void join_two(void *arg)
{
	doze_join(short_job, arg, short_job, arg);
}

static void until_all_sleep(doze_pool *pool)
{
	doze_stats stats;
	for (struct patience limit = patience_of(10000); !patience_is_over(&limit);
	     help_sleep_us(200)) {
		doze_pool_stats(pool, &stats);
		if (stats.sleeping == WORKERS)
			return;
	}
	CU_FAIL("a pool without jobs does not fall asleep");
}

/* Alternates bursts and pauses: workers fall asleep, are woken, and wait for each other's jobs.
 * Every third burst finds all of them asleep. */
static void run_bursts(void)
{
	sink_reset();
	doze_pool *p = help_pool(WORKERS, "jec");
	for (int burst = 0; burst < BURSTS; burst++) {
		if (burst % 3 == 0)
			until_all_sleep(p);
		for (int i = 0; i < 20; i++)
			(void)doze_spawn(p, short_job, NULL);
		doze_install(p, join_two, NULL);
		help_sleep_us(300);
	}
	doze_pool_free(p);
}

static int compare_words(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* Checks that each change of the word starts from the value that another change left. The old
 * values, plus the last value, must be the same multiset as the new values, plus the first. */
static void steps_chain(void)
{
	size_t count, n = 0;
	run_bursts();
	const struct sink_event *e = sink_events(&count);
	uint64_t *olds = calloc(count + 1, sizeof *olds), *news = calloc(count + 1, sizeof *news);
	int differ = 0, balance = 0;
	for (size_t i = 0; i < count; i++) {
		if (e[i].old_word == e[i].new_word)
			continue;
		olds[n] = e[i].old_word;
		news[n++] = e[i].new_word;
	}
	CU_ASSERT_TRUE(n > 100);
	news[n] = 0; /* the value before the first change */
	qsort(olds, n, sizeof *olds, compare_words);
	qsort(news, n + 1, sizeof *news, compare_words);
	/* `news` has one entry that `olds` lacks: the word's last value. */
	for (size_t i = 0; i < n + 1 && balance < 2; i++) {
		if (i - (size_t)balance < n && olds[i - (size_t)balance] == news[i])
			continue;
		balance++;
		differ =
		    doze_counters_inactive(news[i]) != 0 || doze_counters_sleeping(news[i]) != 0;
	}
	CU_ASSERT_EQUAL(balance, 1);
	CU_ASSERT_EQUAL(differ, 0); /* the last value counts no worker as inactive or sleeping */
	free(olds);
	free(news);
}

static void states_follow_each_other(void)
{
	size_t count;
	int now[WORKERS] = {0}, wrong = 0;
	run_bursts();
	const struct sink_event *e = sink_events(&count);
	for (size_t i = 0; i < count; i++) {
		if (e[i].kind != SINK_STATE)
			continue;
		wrong += e[i].from != now[e[i].worker];
		now[e[i].worker] = e[i].to;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	for (int i = 0; i < WORKERS; i++)
		CU_ASSERT_EQUAL(now[i], DOZE_STATE_stopped);
}

static void each_wake_is_woken_once(void)
{
	size_t count, pending = 0, wakes = 0;
	uint64_t open[WORKERS] = {0};
	int wrong = 0;
	run_bursts();
	const struct sink_event *e = sink_events(&count);
	for (size_t i = 0; i < count; i++) {
		if (e[i].kind == SINK_WAKE) {
			wrong += open[e[i].target] != 0 || e[i].decision_id == 0;
			wrong += e[i].old_word - e[i].new_word != DOZE_ONE_SLEEPING;
			open[e[i].target] = e[i].id;
			wakes++;
		} else if (e[i].kind == SINK_WOKEN) {
			wrong += open[e[i].worker] != e[i].id;
			open[e[i].worker] = 0;
		}
	}
	for (int i = 0; i < WORKERS; i++)
		pending += open[i] != 0;
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(pending, 0);
	/* At least one wake per burst that found all workers asleep. */
	CU_ASSERT_TRUE(wakes >= BURSTS / 3);
}

/* Returns the index of the event in which the owner of latch e[set] fell asleep on it. */
static size_t fell_asleep(const struct sink_event *e, size_t set)
{
	for (size_t k = set; k > 0; k--)
		if (e[k - 1].kind == SINK_LATCH && e[k - 1].id == e[set].id &&
		    e[k - 1].to == DOZE_LATCH_sleeping)
			return k - 1;
	return set;
}

static bool gets_up(const struct sink_event *e, int32_t worker)
{
	return e->worker == worker &&
	       (e->kind == SINK_WOKEN || (e->kind == SINK_STATE && e->to != DOZE_STATE_sleepy &&
					  e->to != DOZE_STATE_sleeping));
}

/* After a latch changes from SLEEPING to SET, its owner is woken unless another wake was already in
 * progress. In that case the owner may wake before the setter, delayed after its swap, reports the
 * set. */
static void set_latches_wake_their_owners(void)
{
	size_t count;
	int owed = 0;
	run_bursts();
	const struct sink_event *e = sink_events(&count);
	for (size_t i = 0; i < count; i++) {
		bool served = false;
		if (e[i].kind != SINK_LATCH || e[i].from != DOZE_LATCH_sleeping ||
		    e[i].to != DOZE_LATCH_set)
			continue;
		for (size_t k = fell_asleep(e, i); k < count && !served; k++)
			served = gets_up(&e[k], e[i].target);
		owed += !served;
	}
	CU_ASSERT_EQUAL(owed, 0);
}

/* ---- own jobs first ---- */

static void nothing(void *arg)
{
	(void)arg;
}

static void spawn_50(void *arg)
{
	for (int i = 0; i < 50; i++)
		(void)doze_spawn(NULL, nothing, arg);
}

/* A lone worker that queues 50 jobs runs them all without ever being counted as idle. */
static void own_jobs_leave_the_counters_alone(void)
{
	size_t count, jobs = 0, between = 0;
	sink_reset();
	doze_pool *p = help_pool(1, "jec");
	doze_install(p, spawn_50, NULL);
	doze_pool_free(p);
	const struct sink_event *e = sink_events(&count);
	for (size_t i = 0; i < count; i++) {
		jobs += e[i].kind == SINK_JOB_START;
		between += e[i].kind == SINK_STATE && jobs > 0 && jobs < 51;
	}
	CU_ASSERT_EQUAL(jobs, 51); /* the installed job and the 50 that it spawned */
	CU_ASSERT_EQUAL(between, 0);
}

static void the_end_comes_last(void)
{
	size_t count;
	run_bursts();
	const struct sink_event *e = sink_events(&count);
	CU_ASSERT_EQUAL(sink_count(SINK_WORKER_STOP), WORKERS);
	CU_ASSERT_EQUAL(sink_count(SINK_POOL_STOP), 1);
	CU_ASSERT_EQUAL(e[count - 1].kind, SINK_POOL_STOP);
	CU_ASSERT_EQUAL(sink_count(SINK_JOB_START), sink_count(SINK_JOB_END));
	CU_ASSERT_TRUE(sink_count(SINK_JOB_START) >= 15 * 21);
}

static const struct suite_test tests[] = {
    {"the recorded changes of the counters word form one chain", steps_chain},
    {"each worker's transition starts from its previous state", states_follow_each_other},
    {"each wake has one woken event, and each sleep one wake", each_wake_is_woken_once},
    {"setting a latch wakes an owner that sleeps", set_latches_wake_their_owners},
    {"a worker that runs its own jobs does not change the counters (rayon #1058)",
     own_jobs_leave_the_counters_alone},
    {"pool_stop is the last event, after every worker_stop", the_end_comes_last},
};
SUITE_MAIN("jec_run", tests)
