/*
 * SPDX-License-Identifier: MIT
 *
 * jobs.c - jobs WORKERS [ROUNDS]: runs jobs of every kind in a pool, and prints the number of jobs.
 * A recording must account for them at each level of detail.
 */
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/doze.h"

enum { DEPTH = 12, SPAWNS = 300, INJECTED = 40, JOINS = 5 };

static atomic_ulong jobs;

static void one(void *arg)
{
	(void)arg;
	atomic_fetch_add_explicit(&jobs, 1, memory_order_relaxed);
}

static void join(void *arg)
{
	const int *depth = arg;
	int less = *depth - 1;

	if (*depth == 0)
		return;
	doze_join(join, &less, join, &less);
	one(NULL); /* counts the second half as a job */
}

static void one_of_scope(doze_scope *scope, void *arg)
{
	(void)scope;
	one(arg);
}

static void spawn_all(doze_scope *scope, void *arg)
{
	(void)arg;
	for (int i = 0; i < SPAWNS; i++)
		if (doze_scope_spawn(scope, one_of_scope, NULL) != 0)
			abort();
}

static void spawn_fifo(void *arg)
{
	one(arg); /* counts this job */
	for (int i = 0; i < SPAWNS; i++)
		if (doze_spawn_fifo(NULL, one, NULL) != 0)
			abort();
}

static void work(void *arg)
{
	int depth = DEPTH;

	one(arg);
	join(&depth);
	doze_scope_run(NULL, spawn_all, NULL);
}

static void nothing(void *arg)
{
	(void)arg;
}

/* Waits up to 50 ms until all other workers sleep. */
static void let_others_sleep(doze_pool *pool)
{
	doze_stats stats;

	for (int i = 0; i < 50; i++) {
		doze_pool_stats(pool, &stats);
		if (stats.sleeping == stats.workers - 1)
			return;
		(void)poll(NULL, 0, 1);
	}
}

/* Runs joins, each of which wakes a worker, but usually runs its second half before that worker can
 * steal it. */
static void short_joins(void *arg)
{
	one(arg);
	for (int i = 0; i < JOINS; i++) {
		let_others_sleep(arg);
		doze_join(nothing, NULL, nothing, NULL);
		one(NULL); /* counts the second half as a job */
	}
}

static void turn(unsigned worker, unsigned workers, void *arg)
{
	(void)worker, (void)workers;
	one(arg);
}

int main(int argc, char **argv)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	doze_pool *pool;
	int rounds = argc > 2 ? atoi(argv[2]) : 5;

	config.num_threads = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
	if (doze_pool_create(&pool, &config) != 0)
		return 2;
	for (int round = 0; round < rounds; round++) {
		doze_install(pool, work, NULL);
		for (int i = 0; i < INJECTED; i++)
			if (doze_spawn(pool, one, NULL) != 0)
				return 2;
		doze_install(pool, spawn_fifo, NULL);
		doze_install(pool, short_joins, pool);
		if (doze_broadcast(pool, turn, NULL) != 0)
			return 2;
	}
	doze_pool_free(pool);
	printf("%lu\n", atomic_load(&jobs));
	return 0;
}
