/*
 * SPDX-License-Identifier: MIT
 *
 * demo.h - the built-in workloads: small programs that use the public interface of libdoze, and one
 * that does not use it. Each is designed to show one behaviour of a pool, and checks its own
 * result. README.md describes how to add one.
 */
#ifndef DOZE_VIZ_DEMO_H
#define DOZE_VIZ_DEMO_H

#include <stdbool.h>

#include "../../../lib/doze.h"

/** A number that the command line sets with --name=N. */
struct demo_param {
	const char *name, *help;
	long value, min, max; /* value: the default */
};

#define DEMO_PARAMS 4
/** A program that is installed with doze. */
#define DEMO_FOREIGN "doze-demo-broadcast"

struct demo {
	const char *name, *summary;
	/* Unused entries have no name. `run` receives the values in this order. */
	struct demo_param params[DEMO_PARAMS];
	/* Runs the workload on the pool; called from an outside thread. Prints one line about its
	 * result to standard output. Returns whether the result was right. Null for the
	 * workload that does not use libdoze: it is the program DEMO_FOREIGN, which takes the
	 * parameters and --count as options. */
	bool (*run)(doze_pool *pool, const long *values);
};

extern const struct demo demo_fib, demo_trickle, demo_burst, demo_phases, demo_latch, demo_textbook;

/** All workloads; ends with null. */
extern const struct demo *const demo_all[];
const struct demo *demo_find(const char *name);

/** Keeps the calling thread busy for `us` microseconds of wall time. */
void demo_spin_us(long us);
/** Puts the calling thread to sleep. Not for use in workers, unless a workload explains why. */
void demo_sleep_us(long us);
/** Returns the monotonic time in ns. */
long long demo_now_ns(void);

#endif
