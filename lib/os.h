/*
 * SPDX-License-Identifier: MIT
 *
 * os.h - operating-system services that the library needs besides threads and locks.
 */
#ifndef DOZE_OS_H
#define DOZE_OS_H

#include <stdint.h>

/** Returns the kernel's id of the calling thread. */
uint32_t doze_os_thread_id(void);
/** Names the calling thread, for debuggers and the trace; only 15 bytes are used. */
void doze_os_thread_name(const char *name);
/** Returns the time of the monotonic clock in ns. */
int64_t doze_os_now_ns(void);
/** Returns the number of CPUs that the calling thread's affinity mask and the CPU quota of its
 * control groups allow; at least 1. */
uint32_t doze_os_cpu_count(void);
/** What the control groups of this process (quota.c) allow it, and took from it. */
struct doze_cpu_limit {
	uint64_t quota_milli; /* lowest quota, in thousandths of a CPU; 0: no limit */
	/* How long a group with a quota has been throttled since it exists, in ns: the largest
	 * total among the groups. The kernel adds up the CPUs, so with two CPUs the total may grow
	 * by two seconds per second. */
	uint64_t throttled_ns;
};
/** Any thread. Reads about ten files. `root` is prepended to each path: "" except in tests. */
struct doze_cpu_limit doze_os_cpu_limit(const char *root);

/** Returns the address in the middle of the unused part of the calling thread's stack, or 0 if it
 * is unknown. */
uintptr_t doze_os_stack_middle(void);

#endif
