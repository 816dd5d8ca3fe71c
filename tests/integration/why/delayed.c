/*
 * SPDX-License-Identifier: MIT
 *
 * delayed.c - delayed [ROUNDS]: a pool of one worker whose wakes are delayed. The worker runs only
 * when its CPU is otherwise idle, and the thread that posts a job uses this CPU for 8 ms
 * afterwards.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lib/doze.h"

static int64_t cpu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void use_cpu(int64_t ns)
{
	for (int64_t end = cpu_time() + ns; cpu_time() < end;)
		;
}

static void wait_for_sleep(doze_pool *pool)
{
	doze_stats s;

	for (;;) {
		doze_pool_stats(pool, &s);
		if (s.sleeping == 1)
			return;
		sched_yield();
	}
}

static void yield_to_all(unsigned worker, void *arg)
{
	struct sched_param p = {0};

	(void)worker, (void)arg;
	if (sched_setscheduler(0, SCHED_IDLE, &p))
		perror("sched_setscheduler");
}

static void nothing(void *arg)
{
	(void)arg;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 5;
	doze_config config = DOZE_CONFIG_DEFAULT;
	doze_pool *pool;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	if (sched_setaffinity(0, sizeof one, &one))
		return 2;
	config.num_threads = 1;
	config.start_handler = yield_to_all;
	if (doze_pool_create(&pool, &config))
		return 2;
	for (int i = 0; i < rounds; i++) {
		wait_for_sleep(pool);
		if (doze_spawn(pool, nothing, NULL))
			return 2;
		use_cpu(8000000);
	}
	doze_pool_free(pool);
	return 0;
}
