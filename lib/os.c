/*
 * SPDX-License-Identifier: MIT
 *
 * os.c - see os.h. Linux.
 */
#include "os.h"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

uint32_t doze_os_thread_id(void)
{
	return (uint32_t)syscall(SYS_gettid);
}

void doze_os_thread_name(const char *name)
{
	(void)pthread_setname_np(pthread_self(), name);
}

int64_t doze_os_now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

uint32_t doze_os_cpu_count(void)
{
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
		return (uint32_t)CPU_COUNT(&set);
	/* More CPUs than a cpu_set_t holds. */
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (uint32_t)n : 1;
}
