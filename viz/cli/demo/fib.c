/*
 * SPDX-License-Identifier: MIT
 *
 * fib.c - a busy pool: a deep tree of joins keeps every worker active nearly all the time. Workers
 * sleep only at the beginning and at the end of a tree.
 */
#include "demo.h"

#include <stdio.h>

enum { N, REPEAT, GRAIN };

struct fib_call {
	long n, grain;
	unsigned long result;
};

static unsigned long fib_serial(long n)
{
	return n < 2 ? (unsigned long)n : fib_serial(n - 1) + fib_serial(n - 2);
}

/* Computes the number iteratively, as an independent check. */
static unsigned long fib_expected(long n)
{
	unsigned long a = 0, b = 1;

	while (n-- > 0) {
		unsigned long next = a + b;
		a = b;
		b = next;
	}
	return a;
}

static void fib_parallel(void *arg)
{
	struct fib_call *call = arg;
	struct fib_call left = {call->n - 1, call->grain, 0};
	struct fib_call right = {call->n - 2, call->grain, 0};

	if (call->n < call->grain) {
		call->result = fib_serial(call->n);
		return;
	}
	doze_join(fib_parallel, &left, fib_parallel, &right);
	call->result = left.result + right.result;
}

static bool fib_run(doze_pool *pool, const long *values)
{
	unsigned long expected = fib_expected(values[N]);
	struct fib_call call = {values[N], values[GRAIN], 0};
	bool right = true;

	for (long i = 0; i < values[REPEAT]; i++) {
		call.result = 0;
		doze_install(pool, fib_parallel, &call);
		right = right && call.result == expected;
	}
	printf("fib(%ld) = %lu, computed %ld times\n", values[N], call.result, values[REPEAT]);
	return right;
}

const struct demo demo_fib = {
    "fib",
    "busy: a deep tree of joins",
    {
	{"n", "index of the Fibonacci number", 42, 0, 60},
	{"repeat", "number of repetitions", 10, 1, 100000},
	{"grain", "compute serially below this index", 18, 2, 60},
    },
    fib_run,
};
