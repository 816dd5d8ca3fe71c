/*
 * SPDX-License-Identifier: MIT
 *
 * fair_bench.c - measures the costs and benefits of fairness: DOZE_FAIR_EVERY from 2 to never.
 *
 *	fair_bench [POLICY]
 *
 * Variants take turns, so that changes in the machine's speed affect all of them equally. Prints
 * medians.
 *
 *   link        a chain of jobs that only spawn their successor, on one worker: ns of the process's
 *               CPU time per link, which shows the cost of counting and checking.
 *   served      two workers with two such chains each, whose links take 5 us; an outside thread
 *               installs a function: number of links from the call until it runs, and microseconds
 *               until the call returns. "never": the function did not run while the chains ran.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lib/doze.h"

enum { TURNS = 11, LINKS = 200000, ASKED = 200 };

static const unsigned variants[] = {2, 8, 61, 512, DOZE_FAIR_NEVER};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static double now_us(clockid_t clock)
{
	struct timespec t;
	(void)clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *values, size_t n)
{
	qsort(values, n, sizeof *values, by_value);
	return values[n / 2];
}

static doze_pool *pool_of(const char *policy, unsigned workers, unsigned fair_every)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	doze_pool *pool;

	config.policy = policy;
	config.num_threads = workers;
	config.fair_every = fair_every;
	if (doze_pool_create(&pool, &config) != 0) {
		fprintf(stderr, "fair_bench: %s\n", doze_last_error());
		exit(2);
	}
	return pool;
}

static void links_left(void *arg)
{
	long *left = arg;
	if (--*left > 0)
		(void)doze_spawn(NULL, links_left, arg);
}

static double ns_a_link(const char *policy, unsigned fair_every)
{
	long left = LINKS;
	doze_pool *pool = pool_of(policy, 1, fair_every);
	double start = now_us(CLOCK_PROCESS_CPUTIME_ID);
	(void)doze_spawn(pool, links_left, &left);
	doze_pool_free(pool);
	return (now_us(CLOCK_PROCESS_CPUTIME_ID) - start) * 1e3 / LINKS;
}

static atomic_long links;
static atomic_bool stop;

static void slow_link(void *arg)
{
	double end = now_us(CLOCK_THREAD_CPUTIME_ID) + 5;
	atomic_fetch_add(&links, 1);
	while (now_us(CLOCK_THREAD_CPUTIME_ID) < end)
		continue;
	if (!atomic_load(&stop))
		(void)doze_spawn(NULL, slow_link, arg);
}

static void count_links(void *at)
{
	*(long *)at = atomic_load(&links);
}

static void serve(const char *policy, unsigned fair_every, double *links_passed, double *us)
{
	doze_pool *pool = pool_of(policy, 2, fair_every);
	atomic_store(&stop, false);
	for (int i = 0; i < 4; i++)
		(void)doze_spawn(pool, slow_link, NULL);
	for (int i = 0; i < ASKED; i++) {
		long at = 0, from = atomic_load(&links);
		double start = now_us(CLOCK_MONOTONIC);
		doze_install(pool, count_links, &at);
		us[i] = now_us(CLOCK_MONOTONIC) - start;
		links_passed[i] = (double)(at - from);
	}
	atomic_store(&stop, true);
	doze_pool_free(pool);
}

static void print_variant(unsigned fair_every, double ns, const char *policy)
{
	double passed[ASKED], us[ASKED];
	if (fair_every == DOZE_FAIR_NEVER) {
		printf("| never | %.0f | - | - |\n", ns);
		return;
	}
	serve(policy, fair_every, passed, us);
	printf("| %u | %.0f | %.0f | %.0f |\n", fair_every, ns, median(passed, ASKED),
	       median(us, ASKED));
}

int main(int argc, char **argv)
{
	const char *policy = argc > 1 ? argv[1] : "jec";
	double ns[VARIANTS][TURNS];

	for (int turn = 0; turn < TURNS; turn++)
		for (int i = 0; i < VARIANTS; i++)
			ns[i][turn] = ns_a_link(policy, variants[i]);
	puts("| `DOZE_FAIR_EVERY` | ns per link | links until served | us until served |");
	puts("|---:|---:|---:|---:|");
	for (int i = 0; i < VARIANTS; i++)
		print_variant(variants[i], median(ns[i], TURNS), policy);
	return 0;
}
