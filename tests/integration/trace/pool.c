/*
 * SPDX-License-Identifier: MIT
 *
 * pool.c - a program with a real pool that checks its own results, for tests that inject faults
 * into the tracer.
 *
 *   pool work MS      prints "at work", computes by joins for MS and
 *                     checks each result; prints "right N" and exits
 *                     with 0, or prints "wrong" and exits with 1
 *   pool heed MS      the same, but on SIGTERM, SIGINT, SIGHUP or SIGQUIT
 *                     it prints its result so far and exits
 *   pool asleep MS    runs the pool once, prints "asleep" when its workers
 *                     are, and sleeps
 *   pool fork MS      works for MS, and so does a forked child with its own pool
 *   pool exec MS      works for MS, then execs itself as `work MS`
 *   pool crash MS     works for MS, then dies of SIGSEGV while the pool is
 *                     working
 *   pool kill MS      the same with SIGKILL
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/doze.h"

#define N     20
#define FIB_N 6765L

struct fib {
	int n;
	long result;
};

static void fib_run(void *arg)
{
	struct fib *f = arg;
	struct fib a = {f->n - 1, 0}, b = {f->n - 2, 0};

	if (f->n < 2) {
		f->result = f->n;
		return;
	}
	doze_join(fib_run, &a, fib_run, &b);
	f->result = a.result + b.result;
}

static volatile sig_atomic_t told_to_end;

static void heed(int sig)
{
	(void)sig;
	told_to_end = 1;
}

static void heed_signals(void)
{
	signal(SIGTERM, heed);
	signal(SIGINT, heed);
	signal(SIGHUP, heed);
	signal(SIGQUIT, heed);
}

static long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void nap(long ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000};

	while (nanosleep(&t, &t) != 0)
		continue;
}

/* Alternates work and short pauses, so that workers pass through all states. */
static int work(doze_pool *pool, long ms)
{
	long long end = now_ms() + ms;
	long rounds = 0;

	puts("at work"); /* tests wait for this line; the pool is now running and traced */
	fflush(stdout);
	do {
		struct fib f = {N, 0};

		doze_install(pool, fib_run, &f);
		if (f.result != FIB_N) {
			puts("wrong");
			return 1;
		}
		if (++rounds % 4 == 0)
			nap(5);
	} while (!told_to_end && now_ms() < end);
	printf("right %ld\n", rounds);
	return 0;
}

static int run_child(long ms)
{
	doze_pool *pool;
	int wrong;

	if (doze_pool_create(&pool, 0) != 0)
		return 3;
	wrong = work(pool, ms);
	doze_pool_free(pool);
	return wrong;
}

static int forking(doze_pool *pool, long ms)
{
	int status = 0, wrong;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0)
		exit(run_child(ms));
	wrong = work(pool, ms);
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		return 4;
	return wrong;
}

static void die(doze_pool *pool, int sig)
{
	struct fib f = {30, 0};

	signal(sig, SIG_DFL);
	if (doze_spawn(pool, fib_run, &f) == 0)
		raise(sig);
}

/* Waits until all workers sleep, and prints "asleep". */
static void fall_asleep(doze_pool *pool)
{
	doze_stats now;

	do {
		nap(1);
		doze_pool_stats(pool, &now);
	} while (now.sleeping < now.workers);
	puts("asleep");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long ms = argc > 2 ? atol(argv[2]) : 1000;
	doze_pool *pool;
	int status;

	if (doze_pool_create(&pool, 0) != 0) {
		fprintf(stderr, "pool: %s\n", doze_last_error());
		return 3;
	}
	if (strcmp(what, "heed") == 0)
		heed_signals();
	if (strcmp(what, "fork") == 0) {
		status = forking(pool, ms);
	} else {
		status = work(pool, strcmp(what, "asleep") == 0 ? 0 : ms);
	}
	fflush(stdout);
	if (strcmp(what, "asleep") == 0) {
		fall_asleep(pool);
		nap(ms);
	}
	if (strcmp(what, "crash") == 0)
		die(pool, SIGSEGV);
	if (strcmp(what, "kill") == 0)
		die(pool, SIGKILL);
	if (strcmp(what, "exec") == 0)
		execl("/proc/self/exe", "pool", "work", argv[2], (char *)0);
	doze_pool_free(pool);
	return status;
}
