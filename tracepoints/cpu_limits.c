/*
 * SPDX-License-Identifier: MIT
 *
 * cpu_limits.c - see cpu_limits.h. Linux only.
 */
#include "cpu_limits.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "lib/os.h"

#define CPUS_MOST (1u << 20)
/* A snapshot of a pool reads the quota once per worker. */
#define KEEP_NS 20000000

static _Thread_local uint64_t last_mask;

uint32_t doze_tp_cpus_online(void)
{
	int before = errno;
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	errno = before;
	return n > 0 ? (uint32_t)n : 0;
}

/* For the kernel, thread 0 is the calling one. */
static uint32_t cpus_of(pid_t tid)
{
	int before = errno;
	uint32_t count = 0;
	bool done = false;

	last_mask = 0;
	/* The kernel rejects a set that is too small for its number of CPUs. */
	for (size_t cpus = CPU_SETSIZE; !done && cpus <= CPUS_MOST; cpus *= 2) {
		size_t size = CPU_ALLOC_SIZE(cpus);
		cpu_set_t *set = CPU_ALLOC(cpus);

		if (set && sched_getaffinity(tid, size, set) == 0) {
			count = (uint32_t)CPU_COUNT_S(size, set);
			for (size_t cpu = 0; cpu < 64; cpu++)
				last_mask |= (uint64_t) !!CPU_ISSET_S(cpu, size, set) << cpu;
			done = true;
		} else {
			done = !set || errno != EINVAL;
		}
		CPU_FREE(set);
	}
	errno = before;
	return count;
}

uint32_t doze_tp_cpus_of(uint32_t tid)
{
	last_mask = 0;
	return tid ? cpus_of((pid_t)tid) : 0;
}

uint32_t doze_tp_cpus(void)
{
	return cpus_of(0);
}

uint64_t doze_tp_mask(void)
{
	return last_mask;
}

/* The values read last. All accesses are relaxed: each value is meaningful by itself, and a thread
 * that finds a mixture of two reads still finds values that were true at most KEEP_NS ago. */
static struct {
	uint64_t read_at, quota_milli, throttled_ns;
} kept;

static void refresh(void)
{
	struct timespec t = {0, 0};
	int before = errno;

	(void)clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	uint64_t now = (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
	uint64_t read_at = __atomic_load_n(&kept.read_at, __ATOMIC_RELAXED);
	if (read_at == 0 || now - read_at >= KEEP_NS) {
		struct doze_cpu_limit limit = doze_os_cpu_limit("");
		__atomic_store_n(&kept.quota_milli, limit.quota_milli, __ATOMIC_RELAXED);
		__atomic_store_n(&kept.throttled_ns, limit.throttled_ns, __ATOMIC_RELAXED);
		__atomic_store_n(&kept.read_at, now, __ATOMIC_RELAXED);
	}
	errno = before;
}

uint64_t doze_tp_quota_milli(void)
{
	refresh();
	return __atomic_load_n(&kept.quota_milli, __ATOMIC_RELAXED);
}

uint64_t doze_tp_throttled_ns(void)
{
	refresh();
	return __atomic_load_n(&kept.throttled_ns, __ATOMIC_RELAXED);
}
