/*
 * SPDX-License-Identifier: MIT
 *
 * scale_bench.c - measures throughput and the cost of a wake with 1 to 64 workers on the machine's
 * CPUs.
 *
 *	scale_bench [POLICY …]		default: jec demand
 *
 * Pools of all sizes take turns, so that changes in the machine's speed affect all of them equally.
 * Prints medians.
 *
 *   join    fib 25 by joins without cut-off: ns of wall and of CPU time per join
 *   spawn   20,000 empty jobs in a scope: the same per job
 *   wake    a no-op from outside every millisecond into the sleeping pool: how long the post takes,
 *           the time until the job starts, CPU time of the process per job, wakes and context
 * switches
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "lib/doze.h"

enum { TURNS = 5, POSTS = 100, SPAWNS = 20000, FIB = 25, JOINS = 121392, MAX_POLICIES = 4 };

static const unsigned sizes[] = {1, 2, 4, 8, 16, 32, 64};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* The figures of one turn, or the medians of all. */
struct figures {
	double join_ns, join_cpu, spawn_ns, spawn_cpu, post_us, start_us, wake_cpu, wakes, switches;
};
enum { FIGURES = sizeof(struct figures) / sizeof(double) };

static double now_us(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *v, size_t n)
{
	qsort(v, n, sizeof *v, by_value);
	return v[n / 2];
}

static void fib(void *arg)
{
	long *n = arg;
	if (*n < 2)
		return;
	long a = *n - 1, b = *n - 2;
	doze_join(fib, &a, fib, &b);
	*n = a + b;
}

static void run_fib(void *arg)
{
	long n = FIB;
	(void)arg;
	fib(&n);
}

static void empty(doze_scope *scope, void *arg)
{
	(void)scope;
	(void)arg;
}

static void spawn_all(doze_scope *scope, void *arg)
{
	(void)arg;
	for (int i = 0; i < SPAWNS; i++)
		if (doze_scope_spawn(scope, empty, NULL) != 0)
			abort();
}

static void run_scope(void *arg)
{
	(void)arg;
	if (doze_scope_run(NULL, spawn_all, NULL) != 0)
		abort();
}

/* Measures the wall time and the CPU time of fn in the pool, in ns per unit. */
static void measure(doze_pool *pool, void (*fn)(void *), double units, double *wall, double *cpu)
{
	double began = now_us(CLOCK_MONOTONIC), used = now_us(CLOCK_PROCESS_CPUTIME_ID);
	doze_install(pool, fn, NULL);
	*wall = (now_us(CLOCK_MONOTONIC) - began) * 1e3 / units;
	*cpu = (now_us(CLOCK_PROCESS_CPUTIME_ID) - used) * 1e3 / units;
}

static double started;
static atomic_bool done;

static void note_start(void *arg)
{
	(void)arg;
	started = now_us(CLOCK_MONOTONIC);
	atomic_store(&done, true);
}

static double switched(void)
{
	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_nvcsw + u.ru_nivcsw);
}

static void measure_wakes(doze_pool *pool, struct figures *f)
{
	double post[POSTS], start[POSTS], used = now_us(CLOCK_PROCESS_CPUTIME_ID), n = switched();
	doze_stats before, after;

	doze_pool_stats(pool, &before);
	for (int i = 0; i < POSTS; i++) {
		usleep(1000);
		atomic_store(&done, false);
		double began = now_us(CLOCK_MONOTONIC);
		if (doze_spawn(pool, note_start, NULL) != 0)
			abort();
		post[i] = now_us(CLOCK_MONOTONIC) - began;
		while (!atomic_load(&done))
			usleep(100);
		start[i] = started - began;
	}
	doze_pool_stats(pool, &after);
	f->wake_cpu = (now_us(CLOCK_PROCESS_CPUTIME_ID) - used) / POSTS;
	f->switches = (switched() - n) / POSTS;
	f->wakes = (double)(after.wakes - before.wakes) / POSTS;
	f->post_us = median(post, POSTS);
	f->start_us = median(start, POSTS);
}

static struct figures turn(const char *policy, unsigned workers)
{
	doze_config config = {.num_threads = workers, .policy = policy};
	struct figures f;
	doze_pool *pool;

	if (doze_pool_create(&pool, &config) != 0) {
		fprintf(stderr, "scale_bench: %s\n", doze_last_error());
		exit(2);
	}
	measure(pool, run_fib, JOINS, &f.join_ns, &f.join_cpu);
	measure(pool, run_scope, SPAWNS, &f.spawn_ns, &f.spawn_cpu);
	measure_wakes(pool, &f);
	doze_pool_free(pool);
	return f;
}

static void print(const char *policy, unsigned workers, struct figures *all)
{
	double m[FIGURES], v[TURNS];

	for (size_t i = 0; i < FIGURES; i++) {
		for (int t = 0; t < TURNS; t++)
			v[t] = ((double *)&all[t])[i];
		m[i] = median(v, TURNS);
	}
	printf("| `%s` | %u | %.0f | %.0f | %.0f | %.0f | %.1f | %.1f | %.0f | %.1f | %.1f |\n",
	       policy, workers, m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]);
}

int main(int argc, char **argv)
{
	static struct figures all[MAX_POLICIES][SIZES][TURNS];
	static const char *const usual[] = {"jec", "demand"};
	int n = argc > 1 ? argc - 1 : 2;

	if (n > MAX_POLICIES)
		return 2;
	const char *const *policy = argc > 1 ? (const char *const *)argv + 1 : usual;
	for (int t = 0; t < TURNS; t++)
		for (size_t s = 0; s < SIZES; s++)
			for (int p = 0; p < n; p++)
				all[p][s][t] = turn(policy[p], sizes[s]);
	printf("| policy | workers | join: ns | CPU ns | spawn: ns | CPU ns | wake: post us | "
	       "start us "
	       "| CPU us | wakes | switches |\n|---|%s\n",
	       "---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
	for (int p = 0; p < n; p++)
		for (size_t s = 0; s < SIZES; s++)
			print(policy[p], sizes[s], all[p][s]);
	return 0;
}
