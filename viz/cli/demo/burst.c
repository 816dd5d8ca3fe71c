/*
 * SPDX-License-Identifier: MIT
 *
 * burst.c - many jobs at once, then a pause until all workers sleep, repeatedly. Each worker passes
 * through all its states with every burst.
 *
 * One injected job, which finds all workers asleep, spawns the others, which are pushed onto the
 * deque of the worker that runs the injected job, and stolen from there.
 */
#include "demo.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { BURSTS, JOBS, WORK_US, SILENCE_MS };

struct burst {
	doze_pool *pool;
	long jobs, work_us;
	bool sleepless; /* no worker slept in the first pause */
	_Atomic long left;
	/* sum of the numbers of the jobs that ran; wrong if a job ran twice */
	_Atomic unsigned long sum;
};

struct burst_job {
	struct burst *burst;
	unsigned long number;
};

static void burst_job_run(void *arg)
{
	struct burst_job *job = arg;

	demo_spin_us(job->burst->work_us);
	atomic_fetch_add_explicit(&job->burst->sum, job->number, memory_order_relaxed);
	/* Release: the main thread reads the sum after it has read that no job is left. */
	atomic_fetch_sub_explicit(&job->burst->left, 1, memory_order_release);
}

static void burst_spawn_all(void *arg)
{
	struct burst_job *jobs = arg;
	struct burst *burst = jobs[0].burst;

	for (long i = 0; i < burst->jobs; i++)
		if (doze_spawn(burst->pool, burst_job_run, &jobs[i]) != 0)
			break; /* the count can no longer reach 0, so the result is wrong */
}

/* Waits for the jobs by polling, because waiting on a latch of the pool would add wakes to the
 * trace. */
static bool burst_wait(struct burst *burst)
{
	for (int i = 0; i < 60000; i++) {
		if (atomic_load_explicit(&burst->left, memory_order_acquire) == 0)
			return true;
		demo_sleep_us(1000);
	}
	return false;
}

static bool burst_once(struct burst *burst, struct burst_job *jobs)
{
	unsigned long n = (unsigned long)burst->jobs;

	atomic_store(&burst->left, burst->jobs);
	atomic_store(&burst->sum, 0);
	doze_install(burst->pool, burst_spawn_all, jobs);
	return burst_wait(burst) && atomic_load(&burst->sum) == n * (n + 1) / 2;
}

/* Pauses until all workers sleep, which takes longer on a busy machine. If no worker sleeps during
 * the first pause, the policy never sleeps, so later pauses do not wait for sleeping workers. */
static void burst_silence(struct burst *burst, long ms)
{
	doze_stats now;

	for (int i = 0; i < 10; i++) {
		demo_sleep_us(ms * 1000);
		doze_pool_stats(burst->pool, &now);
		if (burst->sleepless || now.sleeping == now.workers)
			return;
	}
	burst->sleepless = now.sleeping == 0;
}

static bool burst_run(doze_pool *pool, const long *values)
{
	struct burst burst = {.pool = pool, .jobs = values[JOBS], .work_us = values[WORK_US]};
	struct burst_job *jobs = calloc((size_t)values[JOBS], sizeof *jobs);
	bool right = jobs != NULL;
	long done = 0;

	for (long i = 0; right && i < values[JOBS]; i++)
		jobs[i] = (struct burst_job){&burst, (unsigned long)i + 1};
	for (; right && done < values[BURSTS]; done++) {
		right = burst_once(&burst, jobs);
		burst_silence(&burst, values[SILENCE_MS]);
	}
	printf("burst: %ld bursts of %ld jobs, %ld ms of silence after each\n", done, values[JOBS],
	       values[SILENCE_MS]);
	if (right || !jobs)
		free(jobs); /* after a failure, a job that is still running may access `jobs` */
	return right;
}

const struct demo demo_burst = {
    "burst",
    "many jobs at once, then silence, repeatedly",
    {
	{"bursts", "number of bursts", 12, 1, 1000000},
	{"jobs", "jobs per burst", 200, 1, 1000000},
	{"work-us", "microseconds of work per job", 200, 0, 1000000},
	{"silence-ms", "minimum silence after a burst, in milliseconds", 80, 0, 100000},
    },
    burst_run,
};
