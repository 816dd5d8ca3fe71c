/*
 * SPDX-License-Identifier: MIT
 *
 * work.h - lets the calling thread work or pause, for workload.c.
 */
#ifndef DOZE_TESTS_CATALOGUE_WORK_H
#define DOZE_TESTS_CATALOGUE_WORK_H

#include <time.h>

static inline long ns_on(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

/** Uses the given amount of CPU time. */
static inline void work_us(long us)
{
	long end = ns_on(CLOCK_THREAD_CPUTIME_ID) + us * 1000;

	while (us && ns_on(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

/** Lets the calling thread pause, as a part of the workload. */
static inline void pause_us(long us)
{
	struct timespec t = {us / 1000000, us % 1000000 * 1000};

	while (us && nanosleep(&t, &t))
		;
}

#endif
