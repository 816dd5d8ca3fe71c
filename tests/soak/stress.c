/*
 * SPDX-License-Identifier: MIT
 *
 * stress.c - a soak test: threads create pools of random policy and size, use random constructs on
 * them at random moments, and free them, for a given time.
 *
 *	stress [--seconds N] [--seed N] [--threads N] [--policy NAME]
 *
 * Every result is checked (tests/unit/contract/constructs.c). If a thread makes no progress for two
 * minutes, the program prints what each thread is doing and aborts. Exit 0: the time has passed
 * without a failure.
 */
#include <getopt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/sleep/sleep.h"
#include "tests/unit/contract/constructs.h"

#define MAX_THREADS  16
#define HANG_SECONDS 120

struct driver {
	pthread_t thread;
	uint64_t rng;
	_Atomic(uint64_t) steps; /* number of constructs run */
	_Atomic(uint64_t) pools;
	_Atomic(const char *) policy, what;
	atomic_uint workers;
};

static struct driver drivers[MAX_THREADS];
static unsigned threads = 3;
static const char *only;
static atomic_bool over;

static uint64_t draw(struct driver *d, uint64_t below)
{
	uint64_t x = d->rng; /* xorshift64 (Marsaglia) */
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	d->rng = x;
	return (x >> 16) % below;
}

static const char *draw_policy(struct driver *d)
{
	const struct doze_sleep_policy *const *all = doze_policy_all();
	uint64_t n = 0;
	if (only != NULL)
		return only;
	while (all[n] != NULL)
		n++;
	return all[draw(d, n)]->name;
}

static const struct construct *draw_construct(struct driver *d)
{
	uint64_t n = 0;
	while (constructs[n].name != NULL)
		n++;
	return &constructs[draw(d, n)];
}

static void pause_sometimes(struct driver *d)
{
	uint64_t kind = draw(d, 4);
	if (kind == 0) /* gives workers time to fall asleep, or catches them while they do */
		usleep((useconds_t)draw(d, 3000));
	else if (kind == 1)
		usleep((useconds_t)draw(d, 100));
}

static void fail(struct driver *d, const char *wrong)
{
	fprintf(stderr, "stress: %s, %u workers, %s: %s\n", (const char *)d->policy,
		(unsigned)d->workers, (const char *)d->what, wrong);
	abort();
}

static void use_a_pool(struct driver *d)
{
	static const unsigned sizes[] = {1, 2, 3, 5, 8, 33};
	doze_config config = {.num_threads = sizes[draw(d, 6)], .policy = draw_policy(d)};
	if (draw(d, 3) == 0) /* lets workers become sleepy early */
		config.rounds_until_sleepy = 1 + (unsigned)draw(d, 4);
	doze_pool *pool;

	d->policy = config.policy;
	d->workers = config.num_threads;
	d->what = "create";
	if (doze_pool_create(&pool, &config) != 0)
		fail(d, doze_last_error());
	for (uint64_t n = draw(d, 20); n > 0 && !over; n--) {
		const struct construct *c = draw_construct(d);
		d->what = c->name;
		const char *wrong = c->run(pool);
		if (wrong != NULL)
			fail(d, wrong);
		d->steps++;
		pause_sometimes(d);
	}
	d->what = "free";
	doze_pool_free(pool);
	d->pools++;
}

static void *drive(void *arg)
{
	while (!over)
		use_a_pool(arg);
	return NULL;
}

static void report_hang(void)
{
	for (unsigned i = 0; i < threads; i++)
		fprintf(stderr, "stress: thread %u: %s, %u workers, %s\n", i,
			(const char *)drivers[i].policy, (unsigned)drivers[i].workers,
			(const char *)drivers[i].what);
	fprintf(stderr, "stress: a thread hangs\n");
	abort();
}

/* Watches the drivers for `seconds`, then stops them. */
static void watch(unsigned seconds)
{
	uint64_t last[MAX_THREADS] = {0};
	unsigned still[MAX_THREADS] = {0};

	for (unsigned s = 0; s < seconds; s++) {
		sleep(1);
		for (unsigned i = 0; i < threads; i++) {
			uint64_t now = drivers[i].steps + drivers[i].pools;
			still[i] = now == last[i] ? still[i] + 1 : 0;
			last[i] = now;
			if (still[i] > HANG_SECONDS)
				report_hang();
		}
	}
	over = true;
}

static unsigned number(const char *text, const char *option)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);
	if (*text == '\0' || *end != '\0' || n == 0 || n > 1000000) {
		fprintf(stderr, "stress: %s: %s: must be a number from 1 to 1000000\n", option,
			text);
		exit(2);
	}
	return (unsigned)n;
}

/* Exits with 2 unless the policy exists. */
static const char *known_policy(const char *name)
{
	if (doze_policy_find(name) != NULL)
		return name;
	fprintf(stderr, "stress: there is no policy '%s'; use one of:", name);
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		fprintf(stderr, " %s", (*p)->name);
	fputc('\n', stderr);
	exit(2);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"seconds", required_argument, NULL, 's'},
						{"seed", required_argument, NULL, 'r'},
						{"threads", required_argument, NULL, 't'},
						{"policy", required_argument, NULL, 'p'},
						{0}};
	unsigned seconds = 30, seed = (unsigned)time(NULL) % 1000000 + 1;
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 's')
			seconds = number(optarg, "--seconds");
		else if (c == 'r')
			seed = number(optarg, "--seed");
		else if (c == 't' && number(optarg, "--threads") <= MAX_THREADS)
			threads = number(optarg, "--threads");
		else if (c == 'p')
			only = known_policy(optarg);
		else
			return fprintf(stderr, "stress: bad option: see the header of stress.c\n"),
			       2;
	}
	printf("stress: seed %u, %u threads, %u s\n", seed, threads, seconds);
	fflush(stdout);
	for (unsigned i = 0; i < threads; i++) {
		drivers[i].rng = ((uint64_t)seed << 20) + i + 1;
		drivers[i].what = drivers[i].policy = "start";
		if (pthread_create(&drivers[i].thread, NULL, drive, &drivers[i]) != 0)
			return fprintf(stderr, "stress: cannot create a thread\n"), 1;
	}
	watch(seconds);
	uint64_t steps = 0, pools = 0;
	for (unsigned i = 0; i < threads; i++) {
		pthread_join(drivers[i].thread, NULL);
		steps += drivers[i].steps;
		pools += drivers[i].pools;
	}
	printf("stress: clean: %llu constructs on %llu pools in %u s\n", (unsigned long long)steps,
	       (unsigned long long)pools, seconds);
	return 0;
}
