/*
 * SPDX-License-Identifier: MIT
 *
 * jitter.c - yields or sleeps at random before waits and wakes, so that rare interleavings of a
 * program happen more often. Off unless DOZE_ANY_JITTER=SEED[:MICROSECONDS] is set. With the same
 * seed, the n-th thread makes the same choices at its calls; the order of the threads is still the
 * kernel's.
 */
#include <stdlib.h>

#include "any.h"

#define LONGEST_US 100

static uint64_t seed; /* 0: off */
static uint64_t longest_us;
static _Atomic uint64_t threads;

void any_jitter_start(void)
{
	const char *text = secure_getenv("DOZE_ANY_JITTER");
	char *end;

	if (!text || *text < '0' || *text > '9')
		return;
	seed = strtoull(text, &end, 10) * 2 + 1; /* never 0 */
	longest_us = *end == ':' ? strtoull(end + 1, NULL, 10) : LONGEST_US;
}

/* Marsaglia, Xorshift RNGs, 2003. */
static uint64_t next_random(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

void any_jitter(void)
{
	struct any_thread *t = &any_me;

	if (!seed)
		return;
	if (!t->random)
		t->random = (seed + atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed)) *
				UINT64_C(0x9e3779b97f4a7c15) |
			    1;
	uint64_t r = next_random(&t->random);
	if (r % 4 == 0) {
		(void)any_kernel(SYS_sched_yield, 0, 0, 0, 0);
	} else if (r % 4 == 1 && longest_us) {
		uint64_t us = (r >> 8) % longest_us;
		struct timespec nap = {(time_t)(us / 1000000), (long)(us % 1000000) * 1000};

		(void)any_kernel(SYS_nanosleep, (long)&nap, 0, 0, 0);
	}
}
