/*
 * SPDX-License-Identifier: MIT
 *
 * burst_of.h - the time of one call to a hook, measured in bursts that fit into the trace's
 * buffers, because a discarded event costs less than a recorded one.
 */
#ifndef DOZE_TESTS_BENCH_BURST_OF_H
#define DOZE_TESTS_BENCH_BURST_OF_H

#include <stdint.h>
#include <time.h>

#define BURST  8000 /* a multiple of 16 */
#define BURSTS 30
/* The pause between two bursts, which gives the consumer daemon time to empty the buffers. */
#define BURST_PAUSE_NS 12000000

static inline double burst_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#define TIMES_4(x)  x x x x
#define TIMES_16(x) TIMES_4(TIMES_4(x))

/* Defines name(), which returns the ns per statement in one burst. It repeats the statement sixteen
 * times in the loop's body, so that the cost of the loop does not dominate. The empty assembly
 * keeps the compiler from optimising the loop away. */
#define BURST_OF(name, statement)                                                                  \
	static double name(void)                                                                   \
	{                                                                                          \
		double began = burst_now_ns();                                                     \
                                                                                                   \
		for (uint64_t i = 0; i < BURST; i += 16) {                                         \
			TIMES_16(statement; __asm__ volatile("" ::: "memory");)                    \
		}                                                                                  \
		return (burst_now_ns() - began) / BURST;                                           \
	}

/** Returns the ns per call in the fastest burst. */
static inline double burst_least(double (*burst)(void))
{
	double best = burst();

	for (int i = 1; i < BURSTS; i++) {
		const struct timespec pause = {.tv_nsec = BURST_PAUSE_NS};
		double ns;

		(void)nanosleep(&pause, NULL);
		ns = burst();
		best = ns < best ? ns : best;
	}
	return best;
}

#endif
