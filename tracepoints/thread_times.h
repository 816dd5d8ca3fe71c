/*
 * SPDX-License-Identifier: MIT
 *
 * thread_times.h - a thread's CPU time, and how long it waited for a CPU although it could run.
 *
 * The kernel adds up the latter for every thread (the run queue's delay, the second figure of
 * /proc/PID/task/TID/schedstat). Together with the CPU time it shows what jobs waited for: what is
 * missing from a worker's active time was spent off the CPU, either in a run queue or in a call
 * that blocked. Part of the provider. All functions keep errno and may be called by any thread; 0
 * means unknown: no such thread, no /proc, or a kernel without these figures.
 */
#ifndef DOZE_TRACEPOINTS_THREAD_TIMES_H
#define DOZE_TRACEPOINTS_THREAD_TIMES_H

#include <stdint.h>

/** Returns the CPU time of a thread of this process in ns. */
uint64_t doze_tp_cpu_ns_of(uint32_t tid);
/** Returns how long a thread of this process waited in run queues, in ns. Reads a file, which takes
 * a few microseconds. */
uint64_t doze_tp_run_delay_ns_of(uint32_t tid);
/** The same for the calling thread. */
uint64_t doze_tp_run_delay_ns(void);

#endif
