/*
 * SPDX-License-Identifier: MIT
 *
 * phases.c - four loads in turn (serial, parallel, trickle and pause), each with a mark in the
 * trace. The timeline shows the marks above the lanes.
 */
#include "demo.h"

#include <stdatomic.h>
#include <stdio.h>

enum { ROUNDS, PHASE_MS };

struct phase_work {
	long from, to; /* range of leaves in a tree of joins */
	long leaf_us;
	_Atomic long *done;
};

static void leaves_run(void *arg)
{
	struct phase_work *work = arg;
	long middle = work->from + (work->to - work->from) / 2;
	struct phase_work left = {work->from, middle, work->leaf_us, work->done};
	struct phase_work right = {middle, work->to, work->leaf_us, work->done};

	if (work->to - work->from > 1) {
		doze_join(leaves_run, &left, leaves_run, &right);
		return;
	}
	demo_spin_us(work->leaf_us);
	/* Relaxed: all work of doze_install happens before it returns, and so before the caller
	 * reads the count. */
	atomic_fetch_add_explicit(work->done, 1, memory_order_relaxed);
}

/* Installs trees of `leaves` jobs, `pause_us` apart, until the phase is over. Returns the total
 * number of leaves. */
static long phase(doze_pool *pool, long ms, long leaves, long leaf_us, long pause_us,
		  _Atomic long *done)
{
	long long end = demo_now_ns() + ms * 1000000LL;
	long total = 0;

	do {
		struct phase_work work = {0, leaves, leaf_us, done};

		doze_install(pool, leaves_run, &work);
		total += leaves;
		if (pause_us)
			demo_sleep_us(pause_us);
	} while (demo_now_ns() < end);
	return total;
}

static bool phases_run(doze_pool *pool, const long *values)
{
	_Atomic long done = 0;
	long expected = 0, ms = values[PHASE_MS];

	for (long i = 0; i < values[ROUNDS]; i++) {
		doze_mark("serial");
		expected += phase(pool, ms, 1, ms * 250, 0, &done);
		doze_mark("parallel");
		expected += phase(pool, ms, 256, 100, 0, &done);
		doze_mark("trickle");
		expected += phase(pool, ms, 1, 10, 5000, &done);
		doze_mark("silence");
		demo_sleep_us(ms * 1000);
	}
	doze_mark("end");
	printf("phases: %ld rounds of serial, parallel, trickle, silence, %ld ms each; %ld jobs\n",
	       values[ROUNDS], ms, atomic_load(&done));
	return atomic_load(&done) == expected;
}

const struct demo demo_phases = {
    "phases",
    "serial, parallel, trickle, silence, with a mark at each",
    {
	{"rounds", "number of times to run the four phases", 2, 1, 100000},
	{"phase-ms", "length of a phase, in milliseconds", 250, 1, 100000},
    },
    phases_run,
};
