/*
 * SPDX-License-Identifier: MIT
 *
 * work.c - lets a workload's job compute or sleep for a given time.
 */
#include <errno.h>
#include <time.h>

#include "demo.h"

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
