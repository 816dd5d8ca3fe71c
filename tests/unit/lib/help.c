/*
 * SPDX-License-Identifier: MIT
 *
 * help.c - see help.h.
 */
#include "help.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/atomic.h"
#include "lib/deadlock.h"
#include "lib/pool.h"

/* Disables tracing. A provider that is installed on the machine would start its own threads, and
 * ThreadSanitizer does not let a child of a process with threads start threads. */
__attribute__((constructor)) static void untraced(void)
{
	(void)setenv("DOZE_TRACE", "0", 0);
}

doze_pool *help_pool(unsigned n, const char *policy)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	doze_pool *pool;

	config.num_threads = n;
	config.policy = policy != NULL ? policy : getenv("DOZE_TEST_POLICY");
	if (doze_pool_create(&pool, &config) != 0) {
		fprintf(stderr, "cannot create a pool of %u workers: %s\n", n, doze_last_error());
		exit(3);
	}
	return pool;
}

void help_sleep_us(unsigned us)
{
	struct timespec left = {us / 1000000, (long)(us % 1000000) * 1000};
	while (nanosleep(&left, &left) != 0 && errno == EINTR)
		continue;
}

double help_now(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void help_count(void *counter)
{
	(void)da_add((DOZE_ATOMIC(long) *)counter, 1, SC);
}

long help_read(long *counter)
{
	return da_load((DOZE_ATOMIC(long) *)counter, SC);
}

bool help_reaches(long *counter, long wanted, double seconds)
{
	struct patience limit = patience_of((unsigned)(seconds * 1000));
	while (help_read(counter) < wanted) {
		if (patience_is_over(&limit))
			return false;
		help_sleep_us(200);
	}
	return true;
}

struct help_thread {
	pthread_t thread;
	void (*fn)(void *);
	void *arg;
};

static void *thread_main(void *arg)
{
	struct help_thread *t = arg;
	t->fn(t->arg);
	return NULL;
}

struct help_thread *help_thread_start(void (*fn)(void *), void *arg)
{
	struct help_thread *t = malloc(sizeof *t);
	if (t == NULL)
		abort();
	t->fn = fn;
	t->arg = arg;
	if (pthread_create(&t->thread, NULL, thread_main, t) != 0) {
		perror("pthread_create");
		exit(3);
	}
	return t;
}

void help_thread_join(struct help_thread *thread)
{
	(void)pthread_join(thread->thread, NULL);
	free(thread);
}

static void read_all(int fd, char *text, size_t size)
{
	size_t used = 0;
	ssize_t n;
	while (used + 1 < size && (n = read(fd, text + used, size - 1 - used)) > 0)
		used += (size_t)n;
	text[used] = '\0';
}

int help_in_child(void (*fn)(void), char *text, size_t size)
{
	int pipe_ends[2], status = -1;

	text[0] = '\0';
	(void)fflush(NULL);
	if (pipe(pipe_ends) != 0)
		return -1;
	pid_t child = fork();
	if (child == 0) {
		(void)dup2(pipe_ends[1], STDERR_FILENO);
		(void)close(pipe_ends[0]);
		(void)close(pipe_ends[1]);
		alarm(60);
		fn();
		_exit(0);
	}
	(void)close(pipe_ends[1]);
	read_all(pipe_ends[0], text, size);
	(void)close(pipe_ends[0]);
	if (child > 0)
		(void)waitpid(child, &status, 0);
	return status;
}

unsigned help_active(doze_pool *pool)
{
	doze_mutex_lock(pool->deadlock->lock);
	unsigned active = pool->deadlock->active;
	doze_mutex_unlock(pool->deadlock->lock);
	return active;
}

/* The last worker counts itself out before it calls the handler, and may not have called it yet. */
static bool is_still(doze_pool *pool)
{
	doze_mutex_lock(pool->deadlock->lock);
	bool still = pool->deadlock->active == 0 && !pool->deadlock->calling;
	doze_mutex_unlock(pool->deadlock->lock);
	return still;
}

bool help_all_still(doze_pool *pool)
{
	for (struct patience limit = patience_of(10000); !patience_is_over(&limit);
	     help_sleep_us(200))
		if (is_still(pool))
			return true;
	return false;
}
