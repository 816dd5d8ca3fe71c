/*
 * SPDX-License-Identifier: MIT
 *
 * cpu_time.h - the CPU time of the calling thread, which events record when a worker starts, falls
 * asleep, wakes or stops.
 */
#ifndef DOZE_TRACEPOINTS_CPU_TIME_H
#define DOZE_TRACEPOINTS_CPU_TIME_H

#include <stdint.h>
#include <time.h>

#include "../lib/trace_info.h"

/** Returns the CPU time of the calling thread in ns. Takes about 350 ns, so it is called only when
 * a worker starts, falls asleep, wakes or stops. */
static inline uint64_t doze_tp_cpu_ns(void)
{
	struct timespec t = {0, 0};

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/** Returns the CPU time, in ns, to record for a transition of the calling worker, or 0 if none is
 * recorded. */
static inline uint64_t doze_tp_state_cpu_ns(const struct doze_trace_state_info *info)
{
	bool recorded = info->to == DOZE_STATE_sleeping || info->to == DOZE_STATE_stopped ||
			info->reason == DOZE_REASON_start;

	return recorded ? doze_tp_cpu_ns() : 0;
}

#endif
