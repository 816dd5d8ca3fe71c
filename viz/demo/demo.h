/*
 * SPDX-License-Identifier: MIT
 *
 * demo.h - the built-in workloads: small programs on the public interface of libdoze, each shaped
 * to make one behaviour of a pool visible, and each checking its own result.
 * README.md says how to add one.
 */
#ifndef DOZE_VIZ_DEMO_H
#define DOZE_VIZ_DEMO_H

#include <stdbool.h>

#include "../../lib/doze.h"

/** A number that can be given on the command line as --name=N. */
struct demo_param {
	const char *name, *help;
	long value, min, max; /* value: when it is not given */
};

#define DEMO_PARAMS 4

struct demo {
	const char *name, *summary;
	struct demo_param params[DEMO_PARAMS]; /* those with a name; run gets them in this order */
	/* Runs on the pool, called from outside; says on standard output in one line what it did.
	 * Returns whether the result was right. */
	bool (*run)(doze_pool *pool, const long *values);
};

extern const struct demo demo_fib, demo_trickle, demo_burst, demo_phases, demo_latch;

/** All of them, ends with null. */
extern const struct demo *const demo_all[];
const struct demo *demo_find(const char *name);

/** Keeps the calling thread busy for so many microseconds of its time on the wall. */
void demo_spin_us(long us);
/** Puts the calling thread to sleep; never called on a worker, except where a workload says why. */
void demo_sleep_us(long us);
/** Monotonic time, ns. */
long long demo_now_ns(void);

#endif
