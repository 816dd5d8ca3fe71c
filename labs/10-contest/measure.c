/*
 * SPDX-License-Identifier: MIT
 *
 * measure.c - runs a workload of the contest once, on real threads.
 *
 *   measure name                                     prints the policy's name
 *   measure TURNS BATCH GAP_US WORK DEPTH SEED       prints: jobs, ns of wall time, ns of CPU time
 *                                                    of the workers, the latency's 99th percentile
 *
 * In each turn an outside thread posts BATCH jobs, waits until they have run, and then pauses for
 * GAP_US (with a nonzero SEED, for a random time with that mean). Each job is a tree of joins that
 * is DEPTH levels deep; its leaves perform WORK steps of arithmetic. The latency of a job is the
 * time from its post until it has run. On a busy machine the program stops after two seconds, so it
 * may run fewer than TURNS turns.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/atomic.h"
#include "lib/doze.h"
#include "lib/park.h"
#include "lib/sleep/sleep.h"
#include "lib/trace.h"
#include "lib/trace_load.h"

#define WORKERS   4
#define MOST_JOBS 20000
#define SHORT_US  100 /* shorter pauses only spin, without nanosleep */
#define STUCK_NS  INT64_C(20000000000)
#define BUDGET_NS INT64_C(2000000000) /* no turn begins later, except the first AT_LEAST */
#define AT_LEAST  3                   /* minimum number of turns */

extern const struct doze_sleep_policy doze_policy_jec; /* the student's policy or the library's */

static struct {
	unsigned turns, batch, gap_us, work, depth, seed;
} plan;
static struct {
	int64_t posted;
	int64_t took;
} jobs[MOST_JOBS];
static DOZE_ATOMIC(uint32_t) left;

#ifdef DOZE_TRACE_SINK
/* These hooks do nothing, because this program loads no tracer. */
void doze_trace_boot(void)
{
}
void doze_trace_settle(void)
{
}
#endif

static int64_t clock_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void tree(void *arg)
{
	uintptr_t depth = (uintptr_t)arg;
	if (depth > 0) {
		doze_join(tree, (void *)(depth - 1), tree, (void *)(depth - 1));
		return;
	}
	for (volatile unsigned i = 0; i < plan.work; i++)
		;
}

static void run_job(void *arg)
{
	uintptr_t i = (uintptr_t)arg;
	tree((void *)(uintptr_t)plan.depth);
	jobs[i].took = clock_ns(CLOCK_MONOTONIC) - jobs[i].posted;
	da_sub(&left, 1, REL); /* orders the write above before the poster's reads */
}

/* Reports how many jobs are waiting and how many workers are asleep, and exits. */
static _Noreturn void give_up(doze_pool *pool)
{
	doze_stats stats;
	doze_pool_stats(pool, &stats);
	printf("stuck: %u of %u jobs have not run, and %u of %d workers are asleep\n",
	       da_load(&left, RLX), plan.batch, stats.sleeping, WORKERS);
	fflush(stdout);
	_Exit(1);
}

static void await_jobs(doze_pool *pool)
{
	int64_t since = clock_ns(CLOCK_MONOTONIC);
	uint32_t before = plan.batch;
	/* Acquire: pairs with the release in run_job. */
	for (uint32_t now; (now = da_load(&left, ACQ)) != 0; doze_thread_yield()) {
		if (now != before)
			since = clock_ns(CLOCK_MONOTONIC);
		else if (clock_ns(CLOCK_MONOTONIC) - since > STUCK_NS)
			give_up(pool);
		before = now;
	}
}

static void pause_us(double us)
{
	int64_t end = clock_ns(CLOCK_MONOTONIC) + (int64_t)(us * 1000);
	if (us >= SHORT_US) {
		struct timespec t = {(time_t)(us / 1e6), (long)(fmod(us, 1e6) * 1000)};
		(void)nanosleep(&t, NULL);
	}
	while (clock_ns(CLOCK_MONOTONIC) < end)
		;
}

/* Returns the next pause, in microseconds. The same seed gives the same pauses on every machine. */
static double gap(void)
{
	static uint64_t random;
	if (plan.seed == 0)
		return plan.gap_us;
	random =
	    (random + plan.seed) * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	double part = ((double)(random >> 40) + 1) / (1 << 24); /* above 0, at most 1 */
	return -log(part) * plan.gap_us;
}

static void turn(doze_pool *pool, uintptr_t first)
{
	da_store(&left, plan.batch, RLX);
	for (uintptr_t i = first; i < first + plan.batch; i++) {
		jobs[i].posted = clock_ns(CLOCK_MONOTONIC);
		if (doze_spawn(pool, run_job, (void *)i) != 0)
			exit(2);
	}
	await_jobs(pool);
	pause_us(gap());
}

static int by_time(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

static int64_t p99(unsigned n)
{
	static int64_t took[MOST_JOBS];
	for (unsigned i = 0; i < n; i++)
		took[i] = jobs[i].took;
	qsort(took, n, sizeof(took[0]), by_time);
	return took[n * 99 / 100];
}

static int64_t cpu_of_workers(void)
{
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID) - clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static void measure(doze_pool *pool)
{
	int64_t begin = clock_ns(CLOCK_MONOTONIC), cpu = cpu_of_workers();
	unsigned turns = 0, n;
	while (turns < plan.turns &&
	       (turns < AT_LEAST || clock_ns(CLOCK_MONOTONIC) - begin < BUDGET_NS))
		turn(pool, (uintptr_t)turns++ * plan.batch);
	int64_t wall = clock_ns(CLOCK_MONOTONIC) - begin;
	n = turns * plan.batch;
	cpu = cpu_of_workers() - cpu;
	printf("%u %lld %lld %lld\n", n, (long long)wall, (long long)cpu, (long long)p99(n));
}

/* Returns whether another policy of the library has this name. Names must be unique, because the
 * library finds a policy, and the checks find its rules, by the policy's name. */
static bool is_taken(const char *name)
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		if (*p != &doze_policy_jec && strcmp((*p)->name, name) == 0)
			return true;
	return false;
}

static int say_name(void)
{
	const char *name = doze_policy_jec.name;
	if (name == NULL || is_taken(name)) {
		printf("the library already has a policy '%s': give yours another .name\n",
		       name != NULL ? name : "");
		return 1;
	}
	puts(name);
	return 0;
}

static int read_plan(char **words)
{
	unsigned *fields[] = {&plan.turns, &plan.batch, &plan.gap_us,
			      &plan.work,  &plan.depth, &plan.seed};
	for (int i = 0; i < 6; i++)
		*fields[i] = (unsigned)strtoul(words[i], NULL, 10);
	return plan.turns > 0 && plan.batch > 0 && plan.turns * plan.batch <= MOST_JOBS ? 0 : 2;
}

int main(int argc, char **argv)
{
	doze_pool *pool;
	doze_config config = {.num_threads = WORKERS, .policy = doze_policy_jec.name};

	if (argc == 2 && strcmp(argv[1], "name") == 0)
		return say_name();
	if (argc != 7 || read_plan(argv + 1) != 0 || doze_pool_create(&pool, &config) != 0)
		return 2;
	measure(pool);
#ifdef DOZE_TRACE_SINK
	fflush(stdout);
	_Exit(0); /* skips the pool's end, which is not measured */
#else
	doze_pool_free(pool); /* a recording includes the pool's end */
	return 0;
#endif
}
