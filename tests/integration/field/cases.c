/*
 * SPDX-License-Identifier: MIT
 *
 * cases.c - programs that field_test.py records.
 *
 *	cases marks		a pool with marks that are hard to print
 *	cases waits JOBS	jobs that get the futures of others, and so are suspended
 *	cases pools N WORKERS	N pools, one after the other
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/doze.h"

static void work(long us)
{
	struct timespec t;
	double now, end = 0;

	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
		now = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
		end = end > 0 ? end : now + (double)us * 1e-6;
	} while (now < end);
}

static doze_pool *pool_of(unsigned workers)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	doze_pool *pool = NULL;

	config.num_threads = workers;
	if (doze_pool_create(&pool, &config) != 0) {
		fprintf(stderr, "cases: %s\n", doze_last_error());
		exit(1);
	}
	return pool;
}

static void piece(size_t begin, size_t end, void *us)
{
	for (size_t i = begin; i < end; i++)
		work(*(long *)us);
}

/* 日本語 has three bytes per character, so that a mark's limit of 63 bytes falls inside one. */
#define JAPANESE "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e"

static void marks(void)
{
	static const char *const texts[] = {
	    "phase 1", JAPANESE,
	    "a" JAPANESE JAPANESE JAPANESE JAPANESE JAPANESE JAPANESE JAPANESE JAPANESE,
	    "esc \x1b[31mred\x1b[0m", ""};
	doze_pool *pool = pool_of(2);
	struct timespec pause = {.tv_nsec = 20000000};
	long us = 300;

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		doze_mark(texts[i]);
		doze_for(pool, 0, 20, 1, piece, &us);
		nanosleep(&pause, NULL);
	}
	doze_pool_free(pool);
}

static long jobs;
static doze_future **futures;

/* Gets the results of two later jobs. Every seventh job also waits for a short time for another
 * one. */
static void *wait_for_others(void *arg)
{
	long i = (long)arg;
	void *result;

	work(100);
	for (long k = 2 * i + 1; k <= 2 * i + 2 && k < jobs; k++)
		doze_future_get(futures[k]);
	work(100);
	if (i % 7 == 0 && i + 5 < jobs)
		(void)doze_future_get_timed(futures[i + 5], 2000000, &result);
	return NULL;
}

static void submit_all(void *unused)
{
	(void)unused;
	/* from the last to the first, because a job gets the futures of later ones */
	for (long i = jobs - 1; i >= 0; i--)
		doze_submit(&futures[i], NULL, wait_for_others, (void *)i);
	for (long i = 0; i < jobs; i++)
		doze_future_get(futures[i]);
}

static void waits(void)
{
	doze_pool *pool = pool_of(3);

	futures = calloc((size_t)jobs, sizeof(*futures));
	if (!futures)
		exit(1);
	doze_install(pool, submit_all, NULL);
	for (long i = 0; i < jobs; i++)
		doze_future_free(futures[i]);
	doze_pool_free(pool);
	free(futures);
}

static void pools(long n, unsigned workers)
{
	long us = 30;

	while (n-- > 0) {
		doze_pool *pool = pool_of(workers);

		doze_for(pool, 0, 8, 1, piece, &us);
		doze_pool_free(pool);
	}
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	if (!strcmp(name, "marks")) {
		marks();
	} else if (!strcmp(name, "waits") && argc == 3) {
		jobs = atol(argv[2]);
		waits();
	} else if (!strcmp(name, "pools") && argc == 4) {
		pools(atol(argv[2]), (unsigned)atol(argv[3]));
	} else {
		fprintf(stderr, "cases: unknown arguments: see the comment in cases.c\n");
		return 2;
	}
	return 0;
}
