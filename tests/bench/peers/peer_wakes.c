/*
 * SPDX-License-Identifier: MIT
 *
 * peer_wakes.c - workloads dominated by sleeping and waking. All peers use this code.
 *
 *	trickle   a no-op every SIZE microseconds into an idle pool, 200 times
 *	burst     SIZE jobs of 20 us at once, then a pause of 5 ms, 20 times
 *	pingpong  two workers of two pools wait for each other's latches, SIZE times
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "peer.h"

enum { TRICKLE_POSTS = 200, BURSTS = 20, BURST_JOB_NS = 20000, BURST_PAUSE_NS = 5000000 };

static atomic_long remaining;
static int64_t started_ns[TRICKLE_POSTS];

static void sleep_until(int64_t ns)
{
	struct timespec t = {ns / 1000000000, ns % 1000000000};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) != 0)
		;
}

static void wait_for_all(void)
{
	while (atomic_load(&remaining) > 0)
		sleep_until(peer_now_ns() + 50000);
}

static void note_start(void *arg)
{
	*(int64_t *)arg = peer_now_ns();
	atomic_fetch_sub(&remaining, 1);
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int64_t cpu_us(const struct rusage *u)
{
	return (u->ru_utime.tv_sec + u->ru_stime.tv_sec) * INT64_C(1000000) + u->ru_utime.tv_usec +
	       u->ru_stime.tv_usec;
}

static void trickle(const struct peer *peer, long period_us)
{
	int64_t delay[TRICKLE_POSTS], began = peer_now_ns();
	struct rusage before, after;

	getrusage(RUSAGE_SELF, &before);
	atomic_store(&remaining, TRICKLE_POSTS);
	for (int i = 0; i < TRICKLE_POSTS; i++) {
		sleep_until(began + (i + 1) * period_us * 1000);
		delay[i] = peer_now_ns();
		peer->post(note_start, &started_ns[i]);
	}
	wait_for_all();
	getrusage(RUSAGE_SELF, &after);
	for (int i = 0; i < TRICKLE_POSTS; i++)
		delay[i] = started_ns[i] - delay[i];
	qsort(delay, TRICKLE_POSTS, sizeof(*delay), by_value);
	int64_t p50 = delay[TRICKLE_POSTS / 2], p99 = delay[TRICKLE_POSTS * 99 / 100];
	printf("%" PRId64 " 0 cpu_us_per_job=%.2f switches_per_job=%.2f p50_us=%.1f p99_us=%.1f\n",
	       peer_now_ns() - began, (double)(cpu_us(&after) - cpu_us(&before)) / TRICKLE_POSTS,
	       (double)(after.ru_nvcsw - before.ru_nvcsw) / TRICKLE_POSTS, (double)p50 / 1e3,
	       (double)p99 / 1e3);
}

static void work(void *arg)
{
	int64_t until = peer_now_ns() + BURST_JOB_NS;

	(void)arg;
	while (peer_now_ns() < until)
		;
	atomic_fetch_sub(&remaining, 1);
}

static void burst(const struct peer *peer, long jobs)
{
	struct rusage before, after;
	int64_t busy = 0;

	getrusage(RUSAGE_SELF, &before);
	for (int i = 0; i < BURSTS; i++) {
		int64_t began = peer_now_ns();

		atomic_store(&remaining, jobs);
		for (long j = 0; j < jobs; j++)
			peer->post(work, NULL);
		wait_for_all();
		busy += peer_now_ns() - began;
		sleep_until(peer_now_ns() + BURST_PAUSE_NS);
	}
	getrusage(RUSAGE_SELF, &after);
	printf("%" PRId64 " 0 cpu_us_per_job=%.2f\n", busy,
	       (double)(cpu_us(&after) - cpu_us(&before)) / (BURSTS * (double)jobs));
}

static void pingpong(const struct peer *peer, long size)
{
	struct rusage before, after;
	int64_t began = peer_now_ns();

	getrusage(RUSAGE_SELF, &before);
	peer->pingpong(size);
	getrusage(RUSAGE_SELF, &after);
	printf("%" PRId64 " 0 cpu_us_per_job=%.2f\n", peer_now_ns() - began,
	       (double)(cpu_us(&after) - cpu_us(&before)) / (double)size);
}

int peer_wakes(const struct peer *peer, const char *name, long size, long reps)
{
	void (*run)(const struct peer *, long) = strcmp(name, "trickle") == 0    ? trickle
						 : strcmp(name, "burst") == 0    ? burst
						 : strcmp(name, "pingpong") == 0 ? pingpong
										 : NULL;

	if (!run)
		return -1;
	if (run == pingpong ? !peer->pingpong : !peer->post)
		return 77;
	for (long i = 0; i < reps; i++)
		run(peer, size);
	return 0;
}
