/*
 * SPDX-License-Identifier: MIT
 *
 * cpu_time.h - the CPU time in events of a worker that falls asleep or wakes.
 */
#ifndef DOZE_TRACEPOINTS_CPU_TIME_H
#define DOZE_TRACEPOINTS_CPU_TIME_H

#include <stdint.h>
#include <time.h>

/** Returns the CPU time of the calling thread in ns. Takes about 350 ns, so it is called only when
 * a worker falls asleep or wakes. */
static inline uint64_t doze_tp_cpu_ns(void)
{
	struct timespec t = {0, 0};

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

#endif
