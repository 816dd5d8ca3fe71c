/*
 * SPDX-License-Identifier: MIT
 *
 * policies_bench.c - compares costs and benefits of the sleep policies.
 *
 *	policies_bench [--workers N] [--times N] [--only WORKLOAD] [--rounds R,R,…] [POLICY …]
 *
 * Variants are the named policies (default: all), or with --rounds the first named policy (default
 * jec) with each of these numbers of rounds until sleepy. All variants run each workload in turn,
 * `times` times, so that changes in the machine's speed affect all of them equally. The program
 * prints medians and, for the time, the median of the ratios to the first variant in the same turn.
 *
 *   join      fib by joins, empty leaves: overhead of publishing
 *   burst     200 jobs of about 20 us at once, then a pause, 10 times: are many woken, and in time?
 *   trickle   a no-op every 2 ms: cost of one job in a sleeping pool
 *   pair      all asleep, one join of two halves of half a millisecond: is the second worker woken?
 *   pingpong  a worker of one pool installs into another: latches set on sleeping owners
 *   strand    all asleep, 40 jobs that take 5 ms and no CPU: does a worker sleep while jobs wait?
 *
 * "p99 us" is computed from the individual latencies of all turns; "switches" is the number of
 * context switches of the whole process. "asleep ms", only for strand, is the sum over time of
 * min(waiting jobs, sleeping workers), in worker-milliseconds, as sampled by the posting thread,
 * followed by the value of the worst turn.
 */
#include <getopt.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "lib/doze.h"
#include "lib/sleep/sleep.h"

#define MAX_VARIANTS 16
#define MAX_TIMES    101
#define TRICKLE      100

struct sample {
	double wall_ms, cpu_ms;
	double latency_us;    /* median time from post to start; 0: not measured */
	double switches;      /* of the process; one each time that a thread sleeps or yields */
	double wakes, stolen; /* of this pool; hardly depend on the machine's load */
	double asleep_ms;     /* worker-milliseconds asleep while jobs waited; 0: not measured */
};

static unsigned workers = 8;
static const char *only;  /* the only workload to run; null: all */
static doze_pool *second; /* the second pool, for pingpong */

static double now_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}
static double cpu_us(const struct rusage *u)
{
	return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) * 1e6 +
	       (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec);
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
/* All latencies of all turns, for the 99th percentile; one array per variant. */
static struct {
	double us[MAX_TIMES * TRICKLE];
	size_t n;
} singles[MAX_VARIANTS], *single = &singles[0];

/* Returns the median of these latencies, and adds them to those of the current variant. */
static double keep(double *us, size_t n)
{
	memcpy(single->us + single->n, us, n * sizeof *us);
	single->n += n;
	return median(us, n);
}

static double p99(size_t variant)
{
	size_t n = singles[variant].n;
	qsort(singles[variant].us, n, sizeof(double), by_value);
	return singles[variant].us[n * 99 / 100]; /* 0 if there are no latencies */
}

/* ---- workloads; each returns the median latency in us, or 0 ---- */

static void fib(void *arg)
{
	long *n = arg;
	if (*n < 2)
		return;
	long a = *n - 1, b = *n - 2;
	doze_join(fib, &a, fib, &b);
	*n = a + b;
}

static double run_join(doze_pool *pool)
{
	long n = 30;
	doze_install(pool, fib, &n);
	if (n != 832040)
		abort();
	return 0;
}

static atomic_int left;

static void work_20us(void *arg)
{
	(void)arg;
	for (volatile unsigned i = 0; i < 10000; i++)
		;
	atomic_fetch_sub(&left, 1);
}

static double run_burst(doze_pool *pool)
{
	double took[10];
	for (int b = 0; b < 10; b++) {
		double start = now_us();
		atomic_store(&left, 200);
		for (int i = 0; i < 200; i++)
			doze_spawn(pool, work_20us, NULL);
		while (atomic_load(&left) > 0)
			usleep(50);
		took[b] = now_us() - start;
		usleep(5000);
	}
	return keep(took, 10);
}

static double posted, latency[TRICKLE];

static void note_start(void *arg)
{
	latency[(intptr_t)arg] = now_us() - posted;
	atomic_fetch_sub(&left, 1);
}

static double run_trickle(doze_pool *pool)
{
	for (int i = 0; i < TRICKLE; i++) {
		atomic_store(&left, 1);
		posted = now_us();
		doze_spawn(pool, note_start, (void *)(intptr_t)i);
		usleep(2000);
		while (atomic_load(&left) > 0)
			usleep(50);
	}
	return keep(latency, TRICKLE);
}

static void half_ms(void *arg)
{
	(void)arg;
	for (double end = now_us() + 500; now_us() < end;)
		;
}

static void pair(void *arg)
{
	(void)arg;
	doze_join(half_ms, NULL, half_ms, NULL);
}

static double run_pair(doze_pool *pool)
{
	double took[20];
	for (int i = 0; i < 20; i++) {
		usleep(2000);
		double start = now_us();
		doze_install(pool, pair, NULL);
		took[i] = now_us() - start;
	}
	return keep(took, 20);
}

static void nothing(void *arg)
{
	(void)arg;
}
static void ping(void *arg)
{
	double *took = arg;
	for (int i = 0; i < TRICKLE; i++) {
		double start = now_us();
		doze_install(second, nothing, NULL);
		took[i] = now_us() - start;
	}
}

static double run_pingpong(doze_pool *pool)
{
	double took[TRICKLE];
	doze_install(pool, ping, took);
	return keep(took, TRICKLE);
}

#define STRAND 40

static atomic_int begun;
static double asleep_us;

static void five_ms(void *arg)
{
	(void)arg;
	atomic_fetch_add(&begun, 1);
	usleep(5000); /* uses no CPU, so the number of workers does not matter */
	atomic_fetch_sub(&left, 1);
}

/* Adds the time since `since` that workers slept while jobs waited. Returns the current time. */
static double sample_sleepers(doze_pool *pool, double since)
{
	doze_stats stats;
	doze_pool_stats(pool, &stats);
	double waiting = STRAND - atomic_load(&begun), now = now_us();
	asleep_us += (now - since) * (waiting < stats.sleeping ? waiting : stats.sleeping);
	return now;
}

static double run_strand(doze_pool *pool)
{
	atomic_store(&left, STRAND);
	atomic_store(&begun, 0);
	for (int i = 0; i < STRAND; i++)
		doze_spawn(pool, five_ms, NULL);
	asleep_us = 0;
	for (double now = now_us(); atomic_load(&left) > 0; now = sample_sleepers(pool, now))
		usleep(100);
	return 0;
}

static const struct workload {
	const char *name;
	double (*run)(doze_pool *);
} workloads[] = {{"join", run_join}, {"burst", run_burst},       {"trickle", run_trickle},
		 {"pair", run_pair}, {"pingpong", run_pingpong}, {"strand", run_strand}};

/* ---- measuring ---- */

struct variant {
	const char *policy;
	unsigned rounds; /* 0: the policy's own default */
	char label[24];
};

static struct variant variants[MAX_VARIANTS];
static size_t variant_count;

static doze_pool *make_pool(const struct variant *v, unsigned n)
{
	doze_config config = {
	    .num_threads = n, .policy = v->policy, .rounds_until_sleepy = v->rounds};
	doze_pool *pool;
	if (doze_pool_create(&pool, &config) != 0) {
		fprintf(stderr, "policies_bench: %s\n", doze_last_error());
		exit(2);
	}
	return pool;
}

static struct sample measure(const struct workload *w, const struct variant *v)
{
	doze_pool *pool = make_pool(v, workers);
	second = make_pool(v, 1);
	usleep(3000); /* by now both workers are asleep, if the policy sleeps */
	doze_stats before, after;
	doze_pool_stats(pool, &before);
	struct rusage begin, end;
	asleep_us = 0;
	getrusage(RUSAGE_SELF, &begin);
	double wall = now_us();
	double latency_us = w->run(pool);
	wall = now_us() - wall;
	getrusage(RUSAGE_SELF, &end);
	struct sample s = {
	    .wall_ms = wall / 1e3,
	    .cpu_ms = (cpu_us(&end) - cpu_us(&begin)) / 1e3,
	    .latency_us = latency_us,
	    .switches = (double)(end.ru_nvcsw + end.ru_nivcsw - begin.ru_nvcsw - begin.ru_nivcsw),
	    .asleep_ms = asleep_us / 1e3};
	doze_pool_stats(pool, &after);
	s.wakes = (double)(after.wakes - before.wakes);
	s.stolen = (double)(after.jobs_stolen - before.jobs_stolen);
	doze_pool_free(second);
	doze_pool_free(pool);
	return s;
}

static double median_of(const struct sample *s, size_t times, size_t field)
{
	double v[MAX_TIMES];
	for (size_t t = 0; t < times; t++)
		memcpy(&v[t], (const char *)&s[t] + field, sizeof v[t]);
	return median(v, times);
}
#define MEDIAN(field) median_of(s[i], times, offsetof(struct sample, field))

static void report(const struct workload *w, struct sample s[MAX_VARIANTS][MAX_TIMES], size_t times)
{
	for (size_t i = 0; i < variant_count; i++) {
		double ratio[MAX_TIMES], worst = 0;
		for (size_t t = 0; t < times; t++) {
			worst = s[i][t].asleep_ms > worst ? s[i][t].asleep_ms : worst;
			ratio[t] = s[i][t].wall_ms / s[0][t].wall_ms;
		}
		printf("%-9s %-14s %9.2f %9.2f %10.1f %9.1f %8.2f %7.0f %8.0f %7.0f %9.1f %6.0f\n",
		       i == 0 ? w->name : "", variants[i].label, MEDIAN(wall_ms), MEDIAN(cpu_ms),
		       MEDIAN(latency_us), p99(i), median(ratio, times), MEDIAN(wakes),
		       MEDIAN(switches), MEDIAN(stolen), MEDIAN(asleep_ms), worst);
	}
	fflush(stdout);
}

static void bench(size_t times)
{
	static struct sample s[MAX_VARIANTS][MAX_TIMES];
	printf("%u workers, %zu turns, medians\n", workers, times);
	printf("%-9s %-14s %9s %9s %10s %9s %8s %7s %8s %7s %9s %6s\n", "workload", "variant",
	       "wall ms", "cpu ms", "latency us", "p99 us", "ratio", "wakes", "switches", "stolen",
	       "asleep ms", "worst");
	for (size_t k = 0; k < sizeof workloads / sizeof workloads[0]; k++) {
		if (only != NULL && strcmp(only, workloads[k].name) != 0)
			continue;
		memset(singles, 0, sizeof singles);
		for (size_t t = 0; t < times; t++)
			for (size_t i = 0; i < variant_count; i++) {
				single = &singles[i];
				s[i][t] = measure(&workloads[k], &variants[i]);
			}
		report(&workloads[k], s, times);
	}
}

/* Exits with 2 unless the policy exists. */
static const char *known_policy(const char *name)
{
	if (doze_policy_find(name) != NULL)
		return name;
	fprintf(stderr, "policies_bench: there is no policy '%s'; use one of:", name);
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		fprintf(stderr, " %s", (*p)->name);
	fputc('\n', stderr);
	exit(2);
}

/* Exits with 2 unless the workload exists. */
static const char *known_workload(const char *name)
{
	for (size_t k = 0; k < sizeof workloads / sizeof workloads[0]; k++)
		if (strcmp(name, workloads[k].name) == 0)
			return name;
	fprintf(stderr, "policies_bench: --only: there is no workload '%s'; use one of:", name);
	for (size_t k = 0; k < sizeof workloads / sizeof workloads[0]; k++)
		fprintf(stderr, " %s", workloads[k].name);
	fputc('\n', stderr);
	exit(2);
}

static void add_variant(const char *policy, unsigned rounds)
{
	if (variant_count == MAX_VARIANTS) {
		fprintf(stderr, "policies_bench: %s: too many variants; give at most %d\n", policy,
			MAX_VARIANTS);
		exit(2);
	}
	struct variant *v = &variants[variant_count++];
	v->policy = known_policy(policy);
	v->rounds = rounds;
	int n = snprintf(v->label, sizeof v->label, "%.12s", policy);
	if (rounds != 0)
		snprintf(v->label + n, sizeof v->label - (size_t)n, " %u", rounds);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"workers", required_argument, NULL, 'w'},
						{"times", required_argument, NULL, 't'},
						{"rounds", required_argument, NULL, 'r'},
						{"only", required_argument, NULL, 'o'},
						{0}};
	size_t times = 7;
	char *rounds = NULL;
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 'w')
			workers = (unsigned)strtoul(optarg, NULL, 10);
		else if (c == 't')
			times = strtoul(optarg, NULL, 10);
		else if (c == 'r')
			rounds = optarg;
		else if (c == 'o')
			only = known_workload(optarg);
		else
			return 2;
	}
	if (times == 0 || times > MAX_TIMES || workers == 0)
		return 2;
	const char *policy = optind < argc ? argv[optind] : "jec";
	if (rounds != NULL)
		for (char *r = strtok(rounds, ","); r != NULL; r = strtok(NULL, ","))
			add_variant(policy, (unsigned)strtoul(r, NULL, 10));
	else if (optind < argc)
		for (int i = optind; i < argc; i++)
			add_variant(argv[i], 0);
	else
		for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p; p++)
			add_variant((*p)->name, 0);
	bench(times);
	return 0;
}
