/*
 * SPDX-License-Identifier: MIT
 *
 * thread_times.h - a thread's CPU time, and how long it was runnable but waited for a CPU.
 *
 * The kernel adds up this wait, the run-queue delay, for every thread (the second figure of
 * /proc/PID/task/TID/schedstat). Together with the CPU time it shows why jobs took long: a worker
 * spends the rest of its active time off the CPU, either in a run queue or in a call that blocks.
 * This is part of the provider. All functions preserve errno and may be called by any thread. 0
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
/** Like doze_tp_run_delay_ns_of, for the calling thread. */
uint64_t doze_tp_run_delay_ns(void);

#endif
