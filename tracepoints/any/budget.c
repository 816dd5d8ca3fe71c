/*
 * SPDX-License-Identifier: MIT
 *
 * budget.c - limits how many waits per second are recorded with events.
 *
 * A program may wait hundreds of thousands of times per second. LTTng would then discard most of
 * the events, in any order, and the program would pay for all of them. So in each period, the first
 * BUDGET waits of the process are recorded, and the others are only counted.
 */
#include <time.h>
#include <unistd.h>

#include "any.h"

#define PERIOD_MS  100
#define PER_CPU    2000 /* waits; about 14,000 events */
#define CPUS_LEAST 2

static uint32_t budget;
static _Atomic uint64_t period; /* number of the current period */
static _Atomic uint32_t used;   /* waits in it */

void any_budget_start(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	budget = PER_CPU * (uint32_t)(cpus > CPUS_LEAST ? cpus : CPUS_LEAST);
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
