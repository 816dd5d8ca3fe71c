/*
 * SPDX-License-Identifier: MIT
 *
 * two_pools.c - two_pools [TIMES]: a pool "render" that waits first for a thread named "feeder",
 * which pauses between its posts, and then for the pool "load", which has one worker. Exits with 0.
 * TIMES multiplies the number of posts.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "lib/doze.h"

static doze_pool *render, *load;
static int times = 1;

/* Uses the given number of milliseconds of CPU time. */
static void compute(long ms)
{
	struct timespec t;
	long long end = 0;

	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
		end = end ? end : t.tv_sec * 1000000000LL + t.tv_nsec + ms * 1000000;
	} while (t.tv_sec * 1000000000LL + t.tv_nsec < end);
}

static void nothing(void *arg)
{
	(void)arg;
}

static void query(void *arg)
{
	(void)arg;
	compute(3);
}

static void ask(void *arg)
{
	(void)arg;
	doze_install(load, query, NULL);
}

static void *feed(void *arg)
{
	(void)arg;
	for (int i = 0; i < 30 * times; i++) {
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
		doze_install(render, nothing, NULL);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	doze_config two = DOZE_CONFIG_DEFAULT, one = DOZE_CONFIG_DEFAULT;
	pthread_t feeder;

	if (argc > 1)
		times = atoi(argv[1]);
	two.num_threads = 2;
	two.name = "render";
	one.num_threads = 1;
	one.name = "load";
	if (doze_pool_create(&render, &two) || doze_pool_create(&load, &one) ||
	    pthread_create(&feeder, NULL, feed, NULL))
		return 1;
	pthread_setname_np(feeder, "feeder");
	pthread_join(feeder, NULL);
	doze_mark("asking");
	for (int i = 0; i < 40 * times; i++)
		doze_install(render, ask, NULL);
	doze_pool_free(render);
	doze_pool_free(load);
	return 0;
}
