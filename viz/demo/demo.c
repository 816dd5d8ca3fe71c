/*
 * SPDX-License-Identifier: MIT
 *
 * demo.c - the table of workloads and their clock.
 */
#include "demo.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

const struct demo *const demos[] = {
    &demo_fib, &demo_trickle, &demo_burst, &demo_phases, &demo_latch, NULL,
};

const struct demo *demo_find(const char *name)
{
	for (size_t i = 0; demos[i]; i++)
		if (!strcmp(demos[i]->name, name))
			return demos[i];
	return NULL;
}

long long demo_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

void demo_spin_us(long us)
{
	long long end = demo_now_ns() + us * 1000LL;

	while (demo_now_ns() < end)
		;
}

void demo_sleep_us(long us)
{
	struct timespec t = {us / 1000000, us % 1000000 * 1000};

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}
