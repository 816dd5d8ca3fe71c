/*
 * SPDX-License-Identifier: MIT
 *
 * cpu_limits.h - which CPUs a thread may use, and how much CPU time the process may use. Without
 * them an analysis cannot tell whether a worker waited for a CPU because of other programs, because
 * the pool's workers share too few CPUs, or because of a quota.
 *
 * This is part of the provider. All functions preserve errno and may be called by any thread.
 */
#ifndef DOZE_TRACEPOINTS_CPU_LIMITS_H
#define DOZE_TRACEPOINTS_CPU_LIMITS_H

#include <stdint.h>

/** Returns the number of CPUs that are online; 0 means unknown. */
uint32_t doze_tp_cpus_online(void);
/** Returns the number of CPUs in the affinity mask of a thread of this process; 0 means unknown.
 * tid 0 is an unknown thread. */
uint32_t doze_tp_cpus_of(uint32_t tid);
/** Like doze_tp_cpus_of, for the calling thread. */
uint32_t doze_tp_cpus(void);
/** Returns the mask that the calling thread's last call of one of these found, because an event
 * records the two in fields of their own: the first 64 CPUs, CPU 0 in the lowest bit. */
uint64_t doze_tp_mask(void);

/** Return the lowest CPU quota of the process's control groups, in thousandths of a CPU (0: none),
 * and how long a group with a quota has been throttled in total, in ns. The files are read at most
 * every 20 ms; in between, the functions return the values read last. */
uint64_t doze_tp_quota_milli(void);
uint64_t doze_tp_throttled_ns(void);

/** Reads the values that the two functions above return. From the first call on, they are read at
 * such calls only. Reading takes memory, files and 20 KiB of stack, and the preload for programs
 * without libdoze emits events in threads and signal handlers that have none of these to spare. It
 * finds this function by its name. */
__attribute__((visibility("default"))) void doze_tp_read_limits(void);

#endif
