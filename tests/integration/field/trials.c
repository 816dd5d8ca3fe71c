/*
 * SPDX-License-Identifier: MIT
 *
 * trials.c - small programs of the kinds that public bug reports about other pools describe.
 *
 *	trials NAME [WORKERS]
 *
 * Those that never end are ended by SIGALRM. Work is CPU time, so that it is the same on a busy
 *machine.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "lib/doze.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;
static doze_pool *pool;

static void die(const char *what)
{
	fprintf(stderr, "trials: %s\n", what);
	exit(2);
}

static void work_us(long us)
{
	struct timespec t;
	long now, end = 0;

	do {
		(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
		now = t.tv_sec * 1000000 + t.tv_nsec / 1000;
		end = end ? end : now + us;
	} while (now < end);
}

static void nap_ms(long ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000};

	while (nanosleep(&t, &t) && errno == EINTR)
		continue;
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	if (sched_setaffinity(0, sizeof set, &set))
		die("cannot set the affinity mask");
}

static void piece(size_t begin, size_t end, void *arg)
{
	(void)arg;
	while (begin++ < end)
		work_us(1000);
}

/* ---- jobs that never end ---- */

static void be_ready(void *arg)
{
	(void)arg;
	(void)pthread_mutex_lock(&lock);
	ready = 1;
	(void)pthread_cond_broadcast(&changed);
	(void)pthread_mutex_unlock(&lock);
}

static void wait_for_the_next_job(void *arg)
{
	(void)arg;
	(void)doze_spawn(NULL, be_ready, NULL);
	(void)pthread_mutex_lock(&lock);
	while (!ready)
		(void)pthread_cond_wait(&changed, &lock);
	(void)pthread_mutex_unlock(&lock);
}

static void last_job(void (*job)(void *))
{
	for (int i = 0; i < 20; i++) {
		doze_install(pool, be_ready, NULL);
		nap_ms(1);
	}
	ready = 0;
	(void)alarm(2);
	doze_install(pool, job, NULL);
}

/* Each worker's job waits for a job that is queued behind it. */
static void self_wait(void)
{
	last_job(wait_for_the_next_job);
}

static void need_lock(void *arg)
{
	(void)arg;
	(void)pthread_mutex_lock(&lock);
	(void)pthread_mutex_unlock(&lock);
}

static void set(int *flag)
{
	__atomic_store_n(flag, 1, __ATOMIC_SEQ_CST);
}

static void await(const int *flag)
{
	while (!__atomic_load_n(flag, __ATOMIC_SEQ_CST))
		nap_ms(1);
}

static int stolen, held;

static void until_stolen(void *arg)
{
	(void)arg;
	await(&stolen);
	set(&held);
}

static void long_half(void *arg)
{
	(void)arg;
	set(&stolen);
	work_us(200000);
}

static void hold_lock_across_join(void *arg)
{
	(void)arg;
	(void)pthread_mutex_lock(&lock);
	doze_join(until_stolen, NULL, long_half, NULL);
	(void)pthread_mutex_unlock(&lock);
}

/* While a worker with the lock waits for the other half of its join, it runs a job that needs the
 * lock. */
static void nested_lock(void)
{
	(void)alarm(2);
	(void)doze_spawn(pool, hold_lock_across_join, NULL);
	await(&held);
	(void)doze_spawn(pool, need_lock, NULL);
}

/* ---- a long nap ---- */

static void nap(void *arg)
{
	(void)arg;
	work_us(5000);
	nap_ms(2500);
	work_us(5000);
}

static void long_nap(void)
{
	doze_install(pool, nap, NULL);
}

/* ---- CPUs that the workers may not use ---- */

static void loops(int rounds)
{
	for (int i = 0; i < rounds; i++) {
		doze_for(pool, 0, 60, 1, piece, NULL);
		work_us(1000);
	}
}

static void pinned_by_their_creator(void)
{
	pin(1); /* the workers keep CPU 0 */
	loops(8);
}

static void pin_worker(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	(void)arg;
	pin(0);
}

static void pinned_by_themselves(void)
{
	if (doze_broadcast(pool, pin_worker, NULL))
		die("no memory");
	loops(30);
}

static void one_cpu_each(unsigned worker, unsigned workers, void *arg)
{
	(void)workers;
	(void)arg;
	pin((int)worker % 2);
}

/* Pinning that costs nothing. */
static void pinned_apart(void)
{
	if (doze_broadcast(pool, one_cpu_each, NULL))
		die("no memory");
	loops(8);
}

static void plain_loops(void)
{
	loops(12);
}

/* ---- descriptors that the program has not opened ---- */

static void some_jobs(void)
{
	for (int i = 0; i < 200; i++) {
		doze_install(pool, be_ready, NULL);
		nap_ms(1);
	}
	(void)puts("all jobs have run");
}

static void close_all(void)
{
	some_jobs();
	for (int i = 3; i < 1024; i++)
		(void)close(i);
	some_jobs();
}

/* LTTng does not wrap this call. */
static void close_range_of_all(void)
{
	some_jobs();
	(void)syscall(SYS_close_range, 3, ~0u, 0);
	some_jobs();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} trials[] = {{"selfwait", self_wait},
		      {"nested", nested_lock},
		      {"nap", long_nap},
		      {"pinned", pinned_by_their_creator},
		      {"pinself", pinned_by_themselves},
		      {"apart", pinned_apart},
		      {"loops", plain_loops},
		      {"closes", close_all},
		      {"closerange", close_range_of_all}};
	doze_config config = DOZE_CONFIG_DEFAULT;

	config.num_threads = argc > 2 ? (unsigned)atoi(argv[2]) : 2;
	if (argc > 1 && !strcmp(argv[1], "pinned"))
		pin(0); /* the workers inherit it */
	if (doze_pool_create(&pool, &config))
		die(doze_last_error());
	for (size_t i = 0; argc > 1 && i < sizeof trials / sizeof trials[0]; i++) {
		if (strcmp(argv[1], trials[i].name) != 0)
			continue;
		trials[i].run();
		doze_pool_free(pool);
		return 0;
	}
	die("no such trial");
}
