/*
 * SPDX-License-Identifier: MIT
 *
 * budget.c - limits how many waits per second are recorded with events.
 *
 * A program may wait hundreds of thousands of times per second. LTTng would then discard most of
 * the events, in any order, and the program would pay for all of them. So in each period, the first
 * BUDGET waits of the process are recorded, and the others are only counted.
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "any.h"

#define PERIOD_MS  100
#define PER_CPU    10000 /* waits per second; about 70,000 events, or 6 MB */
#define CPUS_LEAST 2

static uint32_t budget;
static _Atomic uint64_t period; /* number of the current period */
static _Atomic uint32_t used;   /* waits in it */

void any_budget_start(void)
{
	const char *text = secure_getenv("DOZE_ANY_RATE");
	long cpus = sysconf(_SC_NPROCESSORS_ONLN), rate = text ? strtol(text, NULL, 10) : -1;

	if (rate < 0)
		rate = PER_CPU * (cpus > CPUS_LEAST ? cpus : CPUS_LEAST);
	rate = rate * PERIOD_MS / 1000;
	budget = rate == 0 || rate > UINT32_MAX ? UINT32_MAX : (uint32_t)rate;
}

/* Relaxed: two threads that begin a period at once may record a few waits more. */
bool any_budget(void)
{
	struct timespec t = {0, 0};

	(void)clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	uint64_t now = ((uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000) / PERIOD_MS;

	if (atomic_load_explicit(&period, memory_order_relaxed) != now) {
		atomic_store_explicit(&period, now, memory_order_relaxed);
		atomic_store_explicit(&used, 0, memory_order_relaxed);
	}
	if (atomic_load_explicit(&used, memory_order_relaxed) >= budget)
		return false;
	atomic_fetch_add_explicit(&used, 1, memory_order_relaxed);
	return true;
}
