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

#define CPUS_MOST 8192 /* the most that Linux can be built for */
/* A snapshot of a pool reads the quota once per worker. */
#define KEEP_NS 20000000

/* initial-exec: the first use in a thread must not allocate memory. */
static __attribute__((tls_model("initial-exec"))) _Thread_local uint64_t last_mask;

uint32_t doze_tp_cpus_online(void)
{
	int before = errno;
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	errno = before;
	return n > 0 ? (uint32_t)n : 0;
}

/* For the kernel, thread 0 is the calling one. Allocates nothing, because an event may be emitted
 * in a signal handler that interrupted malloc. */
static uint32_t cpus_of(pid_t tid)
{
	unsigned long set[CPUS_MOST / (8 * sizeof(unsigned long))];
	int before = errno;
	uint32_t count = 0;

	last_mask = 0;
	/* The kernel rejects a set that is too small for its number of CPUs. */
	if (sched_getaffinity(tid, sizeof set, (cpu_set_t *)(void *)set) == 0) {
		count = (uint32_t)CPU_COUNT_S(sizeof set, (cpu_set_t *)(void *)set);
		last_mask = set[0];
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

/* Whether only doze_tp_read_limits reads them. */
static bool on_request;

static void read_limits(void)
{
	struct doze_cpu_limit limit = doze_os_cpu_limit("");

	__atomic_store_n(&kept.quota_milli, limit.quota_milli, __ATOMIC_RELAXED);
	__atomic_store_n(&kept.throttled_ns, limit.throttled_ns, __ATOMIC_RELAXED);
}

static void refresh(void)
{
	struct timespec t = {0, 0};
	int before = errno;

	if (__atomic_load_n(&on_request, __ATOMIC_RELAXED))
		return;
	(void)clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	uint64_t now = (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
	uint64_t read_at = __atomic_load_n(&kept.read_at, __ATOMIC_RELAXED);
	if (read_at == 0 || now - read_at >= KEEP_NS) {
		read_limits();
		__atomic_store_n(&kept.read_at, now, __ATOMIC_RELAXED);
	}
	errno = before;
}

void doze_tp_read_limits(void)
{
	int before = errno;

	__atomic_store_n(&on_request, true, __ATOMIC_RELAXED);
	read_limits();
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
