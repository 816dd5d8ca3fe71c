/*
 * SPDX-License-Identifier: MIT
 *
 * measure.c - posts jobs to a pool of real threads whose workers all sleep, and counts the wakes.
 *
 * On a busy machine it stops after 0.7 seconds. Every round posts the same jobs, so that
 * the counts per job do not depend on the number of rounds.
 *
 * The library is compiled with DOZE_TRACE_SINK, so its trace hooks call the functions below. The
 * program prints the numbers of jobs, wakes and futile wakes, and the median and 99th percentile of
 * the latency in nanoseconds. Hooks run on the worker's thread, so only was_woken, which each
 * worker uses alone, need not be atomic.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lib/atomic.h"
#include "lib/doze.h"
#include "lib/park.h"
#ifndef DOZE_TRACE_SINK
#define DOZE_TRACE_SINK
#endif
#include "lib/trace.h"
#include "lib/trace_load.h"

#define WORKERS   8
#define ROUNDS    100
#define SINGLES   4                          /* jobs that each round posts one by one */
#define BATCH     3                          /* jobs that each round then posts together */
#define BUDGET_NS INT64_C(700000000)         /* no round begins later, except the first AT_LEAST */
#define STUCK_NS  (20 * INT64_C(1000000000)) /* maximum duration of one wait */
#define AT_LEAST  3                          /* minimum number of rounds */

static DOZE_ATOMIC(uint64_t) jobs, wakes, futile;
static DOZE_ATOMIC(uint32_t) asleep, done;
static bool was_woken[WORKERS]; /* [i]: no job since its wake; used only by worker i */

/* These hooks do nothing, because this program loads no tracer. */
void doze_trace_boot(void)
{
}
void doze_trace_settle(void)
{
}

/* Gives up if the wake is reported as made by another thread than the calling one. */
void doze_sink_wake(uint32_t pool, int32_t worker, const struct doze_trace_wake_info *i)
{
	(void)pool, (void)i;
	if (worker != doze_worker_index())
		_Exit(4);
	da_add(&wakes, 1, RLX);
}
void doze_sink_woken(uint32_t pool, int32_t worker, uint64_t wake_id)
{
	(void)pool, (void)wake_id;
	was_woken[worker] = true;
}
void doze_sink_job_start(uint32_t pool, int32_t worker, uint64_t job, enum doze_source source)
{
	(void)pool, (void)job, (void)source;
	da_add(&jobs, 1, RLX);
	was_woken[worker] = false;
}
void doze_sink_worker_state(uint32_t pool, int32_t worker, const struct doze_trace_state_info *i)
{
	(void)pool;
	if (i->from == DOZE_STATE_sleeping)
		da_sub(&asleep, 1, RLX);
	if (i->to != DOZE_STATE_sleeping)
		return;
	if (was_woken[worker])
		da_add(&futile, 1, RLX);
	was_woken[worker] = false;
	da_add(&asleep, 1, RLX);
}

static int64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Waits for the count. Gives up if that takes so long that the pool must have lost a wakeup. */
static void await(DOZE_ATOMIC(uint32_t) * count, uint32_t n)
{
	int64_t end = now_ns() + STUCK_NS;
	/* Acquire: pairs with the release in `job`. */
	while (da_load(count, ACQ) != n) {
		doze_thread_yield();
		if (now_ns() > end)
			_Exit(3);
	}
}

static void job(void *arg)
{
	(void)arg;
	da_add(&done, 1, REL);
}

/* Posts n jobs to a pool that sleeps. Returns the time until the last of them has run. */
static int64_t post(doze_pool *pool, uint32_t n)
{
	int error;
	await(&asleep, WORKERS);
	da_store(&done, 0, RLX);
	int64_t begin = now_ns();
	if (n == 1)
		error = doze_spawn(pool, job, NULL);
	else
		error = doze_spawn_many(pool, job, NULL, n, 0);
	if (error != 0)
		exit(2);
	await(&done, n);
	return now_ns() - begin;
}

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

/* Posts the jobs of one round. Stores the time that each single job took. */
static void one_round(doze_pool *pool, int64_t *took)
{
	for (int i = 0; i < SINGLES; i++)
		took[i] = post(pool, 1);
	(void)post(pool, BATCH);
}

int main(void)
{
	static int64_t took[ROUNDS * SINGLES];
	int64_t end = now_ns() + BUDGET_NS;
	size_t rounds = 0, n;
	doze_pool *pool;
	doze_config config = {.num_threads = WORKERS, .policy = "jec"};

	if (doze_pool_create(&pool, &config) != 0)
		return 2;
	for (; rounds < ROUNDS && (rounds < AT_LEAST || now_ns() < end); rounds++)
		one_round(pool, took + rounds * SINGLES);
	await(&asleep, WORKERS);
	n = rounds * SINGLES;
	qsort(took, n, sizeof(took[0]), by_size);
	printf("%llu %llu %llu %lld %lld\n", (unsigned long long)da_load(&jobs, RLX),
	       (unsigned long long)da_load(&wakes, RLX), (unsigned long long)da_load(&futile, RLX),
	       (long long)took[n / 2], (long long)took[n * 99 / 100]);
	fflush(stdout);
	_Exit(0); /* skips the pool's end, whose wakes must not be counted */
}
