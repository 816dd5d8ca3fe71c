/*
 * SPDX-License-Identifier: MIT
 *
 * thread_times.c - see thread_times.h. Linux only.
 */
#include "thread_times.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The kernel's id of a thread's CPU clock: the inverted thread id in bits 3 and up, then "of
 * one thread" (4) and "scheduled time" (2). pthread_getcpuclockid returns the same id, but needs
 * the pthread_t of a live thread. */
static clockid_t cpu_clock_of(uint32_t tid)
{
	return (clockid_t)(~tid << 3 | 4u | 2u);
}

uint64_t doze_tp_cpu_ns_of(uint32_t tid)
{
	struct timespec t = {0, 0};
	int before = errno;

	/* The kernel rejects a thread of another process. */
	if (!tid || clock_gettime(cpu_clock_of(tid), &t))
		t = (struct timespec){0, 0};
	errno = before;
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* Reads the second figure of a schedstat file. */
static uint64_t run_delay_in(const char *path)
{
	int before = errno, file = open(path, O_RDONLY | O_CLOEXEC);
	char text[80];
	ssize_t n = file >= 0 ? read(file, text, sizeof text - 1) : 0;
	const char *second;

	text[n > 0 ? n : 0] = 0;
	second = strchr(text, ' ');
	if (file >= 0)
		(void)close(file);
	uint64_t delay = second ? strtoull(second, NULL, 10) : 0;
	errno = before; /* strtoull may change it, too */
	return delay;
}

uint64_t doze_tp_run_delay_ns_of(uint32_t tid)
{
	char path[64];

	(void)snprintf(path, sizeof path, "/proc/self/task/%" PRIu32 "/schedstat", tid);
	return tid ? run_delay_in(path) : 0;
}

uint64_t doze_tp_run_delay_ns(void)
{
	return run_delay_in("/proc/thread-self/schedstat");
}
