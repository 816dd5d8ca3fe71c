/*
 * SPDX-License-Identifier: MIT
 *
 * corner_cases.h - shared by the programs of corner_cases_test.py. Each program exits with 0 if the
 * library behaves as doze.h specifies, otherwise with 1 and a line on stderr. argv[1] is a policy.
 */
#ifndef DOZE_TESTS_CORNER_CASES_H
#define DOZE_TESTS_CORNER_CASES_H

#include "lib/doze.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline int corner_verdict(int right, const char *what)
{
	if (!right)
		(void)fprintf(stderr, "wrong: %s\n", what);
	return !right;
}

static inline void corner_pause(void)
{
	/* Pauses for 1 ms; unlike nanosleep(), poll() is allowed in a signal handler. */
	(void)poll(NULL, 0, 1);
}

/* Waits up to 10 s until *counter is at least n. Returns whether the counter reached n. */
static inline int corner_reaches(const int *counter, int n)
{
	for (int i = 0; i < 10000; i++) {
		if (__atomic_load_n(counter, __ATOMIC_SEQ_CST) >= n)
			return 1;
		corner_pause();
	}
	return 0;
}

/* Ends the program if *counter does not reach n within 10 s. */
static inline void corner_needs(const int *counter, int n, const char *what)
{
	if (!corner_reaches(counter, n))
		exit(corner_verdict(0, what));
}

static inline void corner_count(int *counter)
{
	(void)__atomic_add_fetch(counter, 1, __ATOMIC_SEQ_CST);
}

static inline doze_pool *corner_pool(const doze_config *config)
{
	doze_pool *pool;
	if (doze_pool_create(&pool, config) != 0) {
		(void)fprintf(stderr, "no pool: %s\n", doze_last_error());
		exit(2);
	}
	return pool;
}

#endif
