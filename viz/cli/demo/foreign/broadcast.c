/*
 * SPDX-License-Identifier: MIT
 *
 * broadcast.c - the thread pool of many textbooks: one queue, one mutex, one condition variable.
 * Each push wakes all waiting threads, one of them gets the job, and the others wait again.
 *
 * A program of its own that does not use libdoze, for `doze record --any`. `doze demo textbook`
 * executes it. It prints nothing, but with --count, it prints to standard error what it counted
 * itself: the numbers that a recording must show.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS_MAX = 1024 };

struct job {
	struct job *next;
	long work_us;
};

struct pool {
	pthread_mutex_t mutex;
	pthread_cond_t pushed;
	/* protected by the mutex: */
	struct job *first, **last; /* last: where the next job is linked */
	bool stop;
	long threads; /* threads that have begun */
	long done, broadcasts;
	long waits, woken; /* calls of pthread_cond_wait, and how many of them have returned */
	long waited_again; /* waits of a thread that was woken and found no job */
};

static struct {
	const char *name;
	long value, min, max;
} options[] = {
    {"--threads=", 4, 1, THREADS_MAX},
    {"--jobs=", 500, 0, 1000000000},
    {"--work-us=", 100, 0, 1000000},
    {"--pause-us=", 1000, 0, 1000000},
};
enum { THREADS, JOBS, WORK_US, PAUSE_US, OPTIONS };

static bool counts; /* --count */

static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void job_run(const struct job *job)
{
	long long end = now_ns() + job->work_us * 1000LL;

	while (now_ns() < end)
		;
}

/* Waits until there is a job, and takes it. Returns null if the pool stops. Called with the mutex
 * held. */
static struct job *pool_take(struct pool *p)
{
	struct job *job;

	for (bool woken = false; !p->first && !p->stop; woken = true) {
		p->waits++;
		p->waited_again += woken;
		pthread_cond_wait(&p->pushed, &p->mutex);
		p->woken++;
	}
	job = p->first;
	if (job)
		p->first = job->next;
	if (!p->first)
		p->last = &p->first;
	return job;
}

static void *pool_work(void *arg)
{
	struct pool *p = arg;
	struct job *job;
	char name[32];

	pthread_mutex_lock(&p->mutex);
	(void)snprintf(name, sizeof name, "worker-%ld", p->threads++);
	(void)pthread_setname_np(pthread_self(), name);
	while ((job = pool_take(p))) {
		pthread_mutex_unlock(&p->mutex);
		job_run(job);
		free(job);
		pthread_mutex_lock(&p->mutex);
		p->done++;
	}
	pthread_mutex_unlock(&p->mutex);
	return NULL;
}

/* Adds a job. A null job stops the pool, once its queue is empty. */
static void pool_push(struct pool *p, struct job *job)
{
	pthread_mutex_lock(&p->mutex);
	if (job) {
		*p->last = job;
		p->last = &job->next;
	} else {
		p->stop = true;
	}
	p->broadcasts++;
	pthread_cond_broadcast(&p->pushed); /* pthread_cond_signal would be enough for a job */
	pthread_mutex_unlock(&p->mutex);
}

static long threads_start(struct pool *p, pthread_t *threads)
{
	long n = 0;

	while (n < options[THREADS].value && !pthread_create(&threads[n], NULL, pool_work, p))
		n++;
	return n;
}

static void push_all(struct pool *p)
{
	struct timespec pause = {options[PAUSE_US].value / 1000000,
				 options[PAUSE_US].value % 1000000 * 1000};

	for (long i = 0; i < options[JOBS].value; i++) {
		struct job *job = calloc(1, sizeof *job);

		if (!job)
			break; /* the number of jobs that ran shows it */
		job->work_us = options[WORK_US].value;
		pool_push(p, job);
		if (options[PAUSE_US].value)
			(void)nanosleep(&pause, NULL);
	}
}

static bool option_read(const char *text)
{
	char *end;

	if (!strcmp(text, "--count")) {
		counts = true;
		return true;
	}
	for (int i = 0; i < OPTIONS; i++) {
		size_t n = strlen(options[i].name);

		if (strncmp(text, options[i].name, n) != 0)
			continue;
		options[i].value = strtol(text + n, &end, 10);
		return text[n] && !*end && options[i].value >= options[i].min &&
		       options[i].value <= options[i].max;
	}
	return false;
}

int main(int argc, char **argv)
{
	static pthread_t threads[THREADS_MAX];
	static struct pool p = {.mutex = PTHREAD_MUTEX_INITIALIZER,
				.pushed = PTHREAD_COND_INITIALIZER,
				.last = &p.first};
	long n;

	for (int i = 1; i < argc; i++)
		if (!option_read(argv[i])) {
			fprintf(stderr,
				"%s: unknown option or value '%s': see 'doze demo textbook "
				"--help'\n",
				argv[0], argv[i]);
			return 2;
		}
	n = threads_start(&p, threads);
	if (n)
		push_all(&p);
	pool_push(&p, NULL);
	for (long i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	if (counts)
		fprintf(stderr, "broadcasts %ld waits %ld woken %ld waited-again %ld\n",
			p.broadcasts, p.waits, p.woken, p.waited_again);
	return p.done == options[JOBS].value ? 0 : 1;
}
