/*
 * SPDX-License-Identifier: MIT
 *
 * floor_bench.c - prints what an event of LTTng costs at least, and what its parts cost: ns per
 * call, a line for each row of floor.h. hooks_bench runs it for comparison.
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "floor_tp.h"

#include <stdio.h>

#include "burst_of.h"
#include "floor.h"

static const uint64_t eight[8];
static struct timespec now;

BURST_OF(of_empty, lttng_ust_tracepoint(doze, empty, i))
BURST_OF(of_eight_bytes, lttng_ust_tracepoint(doze, eight_bytes, i))
BURST_OF(of_eight_words, lttng_ust_tracepoint(doze, eight_words, i))
BURST_OF(of_one_array, lttng_ust_tracepoint(doze, one_array, eight))
BURST_OF(of_clock, clock_gettime(CLOCK_MONOTONIC, &now))
BURST_OF(of_cpu_time, clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now))

int main(void)
{
#define PRINT(name, words) printf("%.2f\n", burst_least(of_##name));
	FLOOR_PARTS(PRINT)
	return 0;
}
