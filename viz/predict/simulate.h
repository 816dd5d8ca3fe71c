/*
 * SPDX-License-Identifier: MIT
 *
 * simulate.h - replays recorded work on a pool with another policy, number of workers or number of
 * CPUs.
 */
#ifndef DOZE_VIZ_SIMULATE_H
#define DOZE_VIZ_SIMULATE_H

#include "../trace/policies.h"
#include "work.h"

enum { DOZE_SIM_WORKERS_MAX = 4096 };

struct doze_sim_setting {
	const struct doze_policy_descriptor *policy;
	uint32_t workers;
	double cpus;
	uint64_t seed; /* for choosing victims and latencies; must not be 0 */
};

/** Replays the work. Returns false if out of memory, or if the recorded dependencies cannot be
 * replayed, because a job waits for another job that never ends. */
bool doze_simulate(const struct doze_work *, const struct doze_sim_setting *,
		   struct doze_sim_run *);

/** Returns the makespan, in ns, with unlimited workers and CPUs and with free wakes: the longest
 * chain of computations, waits and pauses. without_outside: assume that outside threads post
 * immediately. Returns 0 if out of memory. */
double doze_sim_chain(const struct doze_work *, bool without_outside);

/** Returns the sum of all computations, in ns of CPU time. */
double doze_sim_work(const struct doze_work *);

/** Returns how many CPUs these workers keep busy. A searching worker yields its CPU after every
 * round, so it takes little CPU time from other threads. */
static inline double doze_sim_load(double computing, double searching)
{
	return computing + 0.1 * searching;
}

#endif
