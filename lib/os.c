/*
 * SPDX-License-Identifier: MIT
 *
 * The explorer leaves this file out: keep the steps of protocols out of it.
 *
 * os.c - see os.h. Linux only.
 */
#include "os.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CPUS_MOST (1u << 20)

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

/* Returns the number of CPUs in the calling thread's affinity mask, or 0 if it is unknown. */
static uint32_t cpus_in_mask(void)
{
	/* The kernel rejects a set that is too small for its number of CPUs. */
	for (size_t cpus = CPU_SETSIZE; cpus <= CPUS_MOST; cpus *= 2) {
		cpu_set_t *set = CPU_ALLOC(cpus);
		if (set == NULL)
			return 0;
		int error = sched_getaffinity(0, CPU_ALLOC_SIZE(cpus), set) == 0 ? 0 : errno;
		int count = error == 0 ? CPU_COUNT_S(CPU_ALLOC_SIZE(cpus), set) : 0;
		CPU_FREE(set);
		if (error != EINVAL)
			return (uint32_t)count;
	}
	return 0;
}

uintptr_t doze_os_stack_middle(void)
{
	pthread_attr_t attr;
	void *lowest = NULL;
	size_t size = 0;

	if (pthread_getattr_np(pthread_self(), &attr) != 0)
		return 0;
	if (pthread_attr_getstack(&attr, &lowest, &size) != 0)
		size = 0;
	(void)pthread_attr_destroy(&attr);
	/* Do not use half of the total stack size, which includes thread-local storage and the part
	 * in use: together they may be most of a small stack. */
	uintptr_t here = (uintptr_t)__builtin_frame_address(0), low = (uintptr_t)lowest;
	return size != 0 ? low + (here - low) / 2 : 0;
}

uint32_t doze_os_cpu_count(void)
{
	uint32_t cpus = cpus_in_mask();
	uint64_t quota = doze_os_cpu_limit("").quota_milli;
	if (cpus == 0) {
		long n = sysconf(_SC_NPROCESSORS_ONLN);
		cpus = n > 0 ? (uint32_t)n : 1;
	}
	if (quota == 0 || quota / 1000 >= cpus)
		return cpus;
	return quota < 1000 ? 1 : (uint32_t)(quota / 1000);
}
