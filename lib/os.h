/*
 * SPDX-License-Identifier: MIT
 *
 * os.h - the few questions that the library asks the operating system besides threads and locks.
 */
#ifndef DOZE_OS_H
#define DOZE_OS_H

#include <stdint.h>

/** The calling thread's kernel id. */
uint32_t doze_os_thread_id(void);
/** Names the calling thread, for debuggers and the trace; at most 15 bytes count. */
void doze_os_thread_name(const char *name);
/** The monotonic clock in ns. */
int64_t doze_os_now_ns(void);
/** How many CPUs the calling thread's affinity mask and the CPU quota of its control groups let it
 * use; at least 1. */
uint32_t doze_os_cpu_count(void);
/** quota.c: how many CPUs' time the control groups allow, rounded down, at least 1; 0: no limit.
 * `root` is put before each path: "" except in tests. */
uint32_t doze_os_cpu_quota(const char *root);

/** The address in the middle of what is left of the calling thread's stack; 0 when it is not known.
 */
uintptr_t doze_os_stack_middle(void);

#endif
