/*
 * SPDX-License-Identifier: MIT
 *
 * chaos.c - seeded delays at every hook of the library, and thus at every step of the sleep
 * protocol. This file replaces the tracer (DOZE_TRACE_SINK), so it is not part of the product.
 *
 *	DOZE_CHAOS=SEED   a decimal number; 0, empty or unset: no delays
 *
 * One thread in four is starved: it is delayed often and for a long time. The other threads yield
 * now and then, so that the schedule differs each time. The same seed gives each thread the same
 * delays, in the order in which the threads first reach a hook.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/trace.h"

static uint64_t seed;
static atomic_uint threads;

static _Thread_local uint64_t rng;
static _Thread_local bool starved;

/* A malformed value is an error, as in the library's own variables (lib/config.c). Otherwise a soak
 * test could report "clean" without the intended delays. */
__attribute__((constructor)) static void chaos_read_seed(void)
{
	const char *text = getenv("DOZE_CHAOS");
	if (text == NULL || *text == '\0')
		return;
	errno = 0;
	seed = strtoull(text, NULL, 10);
	if (text[strspn(text, "0123456789")] == '\0' && errno == 0)
		return;
	fprintf(stderr, "DOZE_CHAOS is \"%.40s\": must be from 0 to %llu\n", text,
		(unsigned long long)UINT64_MAX);
	exit(2);
}

/* splitmix64 (Steele, Lea, Flood 2014) */
static uint64_t chaos_next(void)
{
	uint64_t z = rng += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static void chaos_sleep_us(uint64_t us)
{
	struct timespec t = {0, (long)us * 1000};
	nanosleep(&t, NULL);
}

static void chaos_point(void)
{
	if (seed == 0)
		return;
	if (rng == 0) {
		unsigned mine = atomic_fetch_add(&threads, 1);
		rng = seed ^ ((uint64_t)(mine + 1) << 32);
		starved = chaos_next() % 4 == 0;
	}
	uint64_t dice = chaos_next();
	if (dice % (starved ? 64 : 2048) == 0)
		chaos_sleep_us(1 + (dice >> 32) % (starved ? 2000 : 100));
	else if (dice % (starved ? 3 : 16) == 0)
		sched_yield();
}

#define CHAOS_SINK(name, proto, args)                                                              \
	void doze_sink_##name proto                                                                \
	{                                                                                          \
		chaos_use args;                                                                    \
		chaos_point();                                                                     \
	}
static void chaos_use(uint32_t pool, ...)
{
	(void)pool;
}
DOZE_TRACE_HOOKS(CHAOS_SINK)

/** Called between a tickle's load and its swap (tickle.c). */
void sink_point(void);
void sink_point(void)
{
	chaos_point();
}

/** Stub for the loader of the tracer, which is not linked. */
void doze_trace_boot(void);
void doze_trace_boot(void)
{
}
void doze_trace_settle(void);
void doze_trace_settle(void)
{
}
