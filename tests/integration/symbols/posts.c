/*
 * SPDX-License-Identifier: MIT
 *
 * posts.c - posts one job from a function of the executable and one from a shared object, and
 * prints the source line of each post. symbols_test.py builds it in several ways.
 */
#include <stdio.h>
#include <unistd.h>

#include "lib/doze.h"

int post_from_library(doze_pool *pool);

static void nothing(void *arg)
{
	(void)arg;
}

/* Waits until the worker has fallen asleep n times. A worker that searches may start a job before
 * its poster, which loses its CPU after the push, has reported the post; doze why then knows of no
 * post before the start. A sleeper is woken after the report. */
static void until_asleep(doze_pool *pool, uint64_t n)
{
	doze_stats stats;

	do {
		usleep(1000);
		doze_pool_stats(pool, &stats);
	} while (stats.sleeps < n);
	usleep(1000); /* for its last look at the queues */
}

static __attribute__((noinline)) int post_from_program(doze_pool *pool)
{
	int failed = doze_spawn(pool, nothing, NULL);

	printf("program post_from_program (posts.c:%d)\n", __LINE__ - 2);
	return failed;
}

int main(void)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	doze_pool *pool;
	int failed;

	config.num_threads = 1;
	if (doze_pool_create(&pool, &config))
		return 2;
	until_asleep(pool, 1);
	failed = post_from_program(pool);
	until_asleep(pool, 2);
	failed |= post_from_library(pool);
	doze_pool_free(pool);
	return failed;
}
