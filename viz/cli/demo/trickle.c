/*
 * SPDX-License-Identifier: MIT
 *
 * trickle.c - one tiny job now and then, injected from outside. Under this load, a pool that wakes
 * too many workers wastes CPU time: all wakes but one per job are futile.
 */
#include "demo.h"

#include <stdatomic.h>
#include <stdio.h>

enum { JOBS, EVERY_US, WORK_US };

struct trickle_count {
	_Atomic long run;
	long work_us;
};

static void trickle_job(void *arg)
{
	struct trickle_count *count = arg;

	if (count->work_us)
		demo_spin_us(count->work_us);
	/* Release: pairs with the acquire load before the main thread frees the count. */
	atomic_fetch_add_explicit(&count->run, 1, memory_order_release);
}

static bool trickle_run(doze_pool *pool, const long *values)
{
	struct trickle_count count = {0, values[WORK_US]};
	long posted = 0, run;

	while (posted < values[JOBS] && doze_spawn(pool, trickle_job, &count) == 0) {
		posted++;
		demo_sleep_us(values[EVERY_US]);
	}
	/* The last jobs may still be running. Two seconds exceed any scheduling delay. */
	for (int i = 0; i < 2000 && atomic_load(&count.run) < posted; i++)
		demo_sleep_us(1000);
	run = atomic_load_explicit(&count.run, memory_order_acquire);
	printf("trickle: %ld jobs posted %ld us apart, %ld run\n", posted, values[EVERY_US], run);
	return run == values[JOBS];
}

const struct demo demo_trickle = {
    "trickle",
    "one no-op job now and then, then nothing",
    {
	{"jobs", "number of jobs", 400, 1, 10000000},
	{"every-us", "microseconds between jobs", 5000, 0, 10000000},
	{"work-us", "microseconds of work per job", 0, 0, 1000000},
    },
    trickle_run,
};
