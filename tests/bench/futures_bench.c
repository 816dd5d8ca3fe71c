/*
 * SPDX-License-Identifier: MIT
 *
 * futures_bench.c - measures the cost of futures.
 *
 *	futures_bench WORKLOAD [WORKERS [POLICY]]
 *
 * Runs one workload five times in one pool and prints the shortest wall time and the CPU time of
 * that run, in nanoseconds per task. futures_compare.py runs it alternately on two builds of the
 * library, so it uses only functions that all versions of doze.h have.
 *
 *   own         one job: submit, get, free
 *   fanout      one job submits 10,000 tasks of about 1 us, then gets them in that order
 *   fanout-task the same, but the job is itself a task
 *   fib         fib(22); each call submits one task, for fib(n - 1), and gets its result
 *   wavefront   100 x 100 tasks of about 1 us, each gets the results of its left and
 *               upper neighbours
 *   join        fib(26) by doze_join, without a future
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/doze.h"

enum { TURNS = 5, FANOUT = 10000, SIDE = 100, OWN = 200000 };

static doze_future *tasks[FANOUT], *cells[SIDE][SIDE];

static double now_ns(clockid_t clock)
{
	struct timespec t;
	(void)clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static doze_future *submit(doze_pool *pool, doze_task_fn fn, void *arg)
{
	doze_future *f;
	if (doze_submit(&f, pool, fn, arg) != 0) {
		fprintf(stderr, "futures_bench: %s\n", doze_last_error());
		exit(1);
	}
	return f;
}

static void *work(void *arg)
{
	volatile unsigned n = 400; /* takes about 1 us */
	while (n > 0)
		n--;
	return arg;
}

static void *nothing(void *arg)
{
	return arg;
}

static void own(void *arg)
{
	for (int i = 0; i < OWN; i++) {
		doze_future *f = submit(NULL, nothing, arg);
		(void)doze_future_get(f);
		doze_future_free(f);
	}
}

static void fanout(void *arg)
{
	for (int i = 0; i < FANOUT; i++)
		tasks[i] = submit(NULL, work, arg);
	for (int i = 0; i < FANOUT; i++) {
		(void)doze_future_get(tasks[i]);
		doze_future_free(tasks[i]);
	}
}

static void *fanout_task(void *arg)
{
	fanout(arg);
	return arg;
}

static void fanout_in_task(void *arg)
{
	doze_future *f = submit(NULL, fanout_task, arg);
	(void)doze_future_get(f);
	doze_future_free(f);
}

static void *fib(void *arg)
{
	intptr_t n = (intptr_t)arg;
	if (n < 2)
		return arg;
	doze_future *f = submit(NULL, fib, (void *)(n - 1));
	intptr_t b = (intptr_t)fib((void *)(n - 2));
	intptr_t a = (intptr_t)doze_future_get(f);
	doze_future_free(f);
	return (void *)(a + b);
}

static void fib_22(void *arg)
{
	doze_future *f = submit(NULL, fib, (void *)(intptr_t)22);
	if (doze_future_get(f) != (void *)(intptr_t)17711)
		exit(1);
	doze_future_free(f);
	(void)arg;
}

static void *cell(void *arg)
{
	intptr_t row = (intptr_t)arg / SIDE, column = (intptr_t)arg % SIDE;
	if (column > 0)
		(void)doze_future_get(cells[row][column - 1]);
	if (row > 0)
		(void)doze_future_get(cells[row - 1][column]);
	return work(arg);
}

static void wavefront(void *arg)
{
	for (intptr_t i = 0; i < SIDE * SIDE; i++)
		cells[i / SIDE][i % SIDE] = submit(NULL, cell, (void *)i);
	(void)doze_future_get(cells[SIDE - 1][SIDE - 1]);
	for (intptr_t i = 0; i < SIDE * SIDE; i++)
		doze_future_free(cells[i / SIDE][i % SIDE]);
	(void)arg;
}

static void join_fib(void *arg)
{
	intptr_t n = *(intptr_t *)arg, a = n - 1, b = n - 2;
	if (n >= 2)
		doze_join(join_fib, &a, join_fib, &b);
}

static void join_fib_26(void *arg)
{
	intptr_t n = 26;
	join_fib(&n);
	(void)arg;
}

static const struct workload {
	const char *name;
	void (*run)(void *);
	double tasks;
} workloads[] = {
    {"own", own, OWN},
    {"fanout", fanout, FANOUT},
    {"fanout-task", fanout_in_task, FANOUT},
    {"fib", fib_22, 28656},
    {"wavefront", wavefront, SIDE *SIDE},
    {"join", join_fib_26, 196417},
};

static const struct workload *find(const char *name)
{
	for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++)
		if (strcmp(workloads[i].name, name) == 0)
			return &workloads[i];
	fprintf(stderr, "futures_bench: there is no workload '%s'; use one of:", name);
	for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++)
		fprintf(stderr, " %s", workloads[i].name);
	fputc('\n', stderr);
	exit(2);
}

int main(int argc, char **argv)
{
	const struct workload *w = find(argc > 1 ? argv[1] : "fib");
	doze_config config = DOZE_CONFIG_DEFAULT;
	double best = 0, best_cpu = 0;
	doze_pool *pool;

	config.num_threads = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 2;
	config.policy = argc > 3 ? argv[3] : NULL;
	if (doze_pool_create(&pool, &config) != 0) {
		fprintf(stderr, "futures_bench: %s\n", doze_last_error());
		return 2;
	}
	for (int i = 0; i < TURNS; i++) {
		double wall = now_ns(CLOCK_MONOTONIC), cpu = now_ns(CLOCK_PROCESS_CPUTIME_ID);
		doze_install(pool, w->run, NULL);
		wall = now_ns(CLOCK_MONOTONIC) - wall;
		cpu = now_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
		if (i == 0 || wall < best) {
			best = wall;
			best_cpu = cpu;
		}
	}
	doze_pool_free(pool);
	printf("%.0f %.0f\n", best / w->tasks, best_cpu / w->tasks);
	return 0;
}
