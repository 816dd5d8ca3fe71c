/*
 * SPDX-License-Identifier: MIT
 *
 * floor_bench.c - prints the cost of an empty LTTng event in ns, the minimum for every event of
 * doze. hooks_bench also runs it for comparison.
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "floor_tp.h"

#include <stdio.h>

#include "burst_of.h"

BURST_OF(measure_empty, lttng_ust_tracepoint(doze, empty, 0))

int main(void)
{
	printf("%.2f\n", burst_least(measure_empty));
	return 0;
}
