/*
 * SPDX-License-Identifier: MIT
 *
 * Suspended waits in rare situations: a spare thread that cannot be created, a start handler whose
 * wait is suspended when the pool is freed, and a fork while the graph of futures changes. Linked
 * with --wrap=pthread_create.
 */
#include "help.h"
#include "lib/sleep/sleep.h"
#include "lib/suspend/wait_graph.h"
#include "tests/fixtures/suite.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void each_policy(void (*run)(const char *policy))
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		run((*p)->name);
}

static doze_future *submit(doze_pool *pool, doze_task_fn fn, void *arg)
{
	doze_future *f;
	if (doze_submit(&f, pool, fn, arg) != 0)
		abort();
	return f;
}

static long begun, may_end; /* atomic */

static void *until_allowed(void *arg)
{
	help_count(&begun);
	(void)help_reaches(&may_end, 1, 20);
	return arg;
}

static void *get(void *arg)
{
	return doze_future_get(arg);
}

/* ---- a wait for which no thread can be created ---- */

static long refused; /* atomic; while nonzero, pthread_create fails */

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *attr, void *(*fn)(void *), void *arg)
{
	return help_read(&refused) ? EAGAIN : __real_pthread_create(t, attr, fn, arg);
}

static const char *child_policy;
static char text[8192];

/* The task that calls get finds another task, but there is no thread that could run it on this
 * worker. */
static void need_a_spare(void)
{
	doze_pool *pool = help_pool(1, child_policy), *other = help_pool(1, child_policy);
	doze_future *f = submit(other, until_allowed, NULL);
	(void)help_reaches(&begun, 1, 10);
	help_count(&refused);
	(void)submit(pool, get, f);
	(void)doze_future_get(submit(pool, until_allowed, NULL));
}

static void no_thread(const char *policy)
{
	child_policy = policy;
	int status = help_in_child(need_a_spare, text, sizeof text);
	CU_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "to replace that of worker 0 in pool 1 ("));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, strerror(EAGAIN)));
	/* The message names each future and the future that it waits for. */
	CU_ASSERT_PTR_NOT_NULL(strstr(text, ", waits for future "));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "suspended waits of pool"));
}

static void no_spare(void)
{
	each_policy(no_thread);
}

/* ---- a start handler's wait ---- */

static doze_future *awaited;
static long in_handler, handled, left, ended; /* atomic */
static long wrong; /* atomic: failures on workers, where CUnit's assertions must not run */

#define EXPECT(what) ((what) ? (void)0 : help_count(&wrong))

static void start_waits(unsigned worker, void *arg)
{
	void *result = NULL;
	(void)worker;
	help_count(&in_handler);
	/* On a worker, a timed get is always suspended. */
	EXPECT(doze_future_get_timed(awaited, UINT64_MAX, &result) == 0);
	EXPECT(result == arg);
	help_count(&handled);
}

static void count_exit(unsigned worker, void *arg)
{
	(void)worker;
	(void)arg;
	EXPECT(help_read(&handled) == 2);
	help_count(&left);
}

static void *free_pool(void *pool)
{
	doze_pool_free(pool);
	help_count(&ended);
	return NULL;
}

static void handler_at_end(const char *policy)
{
	doze_config config = {.num_threads = 2,
			      .policy = policy,
			      .start_handler = start_waits,
			      .exit_handler = count_exit,
			      .handler_arg = &config};
	doze_pool *other = help_pool(1, policy), *pool;
	doze_stats stats;
	pthread_t thread;
	struct patience limit = patience_of(10000);

	begun = may_end = in_handler = handled = left = ended = 0;
	awaited = submit(other, until_allowed, &config);
	CU_ASSERT_EQUAL_FATAL(doze_pool_create(&pool, &config), 0);
	do
		doze_pool_stats(pool, &stats);
	while (stats.suspended != 2 && !patience_is_over(&limit));
	CU_ASSERT_EQUAL(stats.suspended, 2);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, free_pool, pool), 0);
	do /* until the freeing thread waits for the pool, or is about to */
		doze_pool_stats(pool, &stats);
	while (stats.sleeping + stats.idle != 2 && !patience_is_over(&limit));
	CU_ASSERT_EQUAL(help_read(&ended), 0);
	help_count(&may_end);
	pthread_join(thread, NULL);
	CU_ASSERT_EQUAL(help_read(&handled), 2);
	CU_ASSERT_EQUAL(help_read(&left), 2);
	CU_ASSERT_EQUAL(help_read(&wrong), 0);
	doze_future_free(awaited);
	doze_pool_free(other);
}

static void start_handler_waits(void)
{
	each_policy(handler_at_end);
}

/* ---- an exit handler's wait ---- */

static void exit_waits(unsigned worker, void *arg)
{
	void *result = NULL;
	(void)worker;
	EXPECT(doze_future_get_timed(awaited, 1000, NULL) == ETIMEDOUT);
	if (help_read(&left) == 1)
		help_count(&may_end);
	help_count(&left);
	EXPECT(doze_future_get_timed(awaited, UINT64_MAX, &result) == 0);
	EXPECT(result == arg);
	EXPECT(doze_future_get(awaited) == arg);
}

/* The pool has terminated, so no thread can take over this worker during its timed wait. */
static void handler_after_end(const char *policy)
{
	doze_config config = {
	    .num_threads = 2, .policy = policy, .exit_handler = exit_waits, .handler_arg = &config};
	doze_pool *other = help_pool(1, policy), *pool;

	begun = may_end = left = 0;
	awaited = submit(other, until_allowed, &config);
	CU_ASSERT_EQUAL_FATAL(doze_pool_create(&pool, &config), 0);
	doze_pool_free(pool);
	CU_ASSERT_EQUAL(help_read(&left), 2);
	CU_ASSERT_EQUAL(help_read(&wrong), 0);
	doze_future_free(awaited);
	doze_pool_free(other);
}

static void exit_handler_waits(void)
{
	each_policy(handler_after_end);
}

/* ---- fork ---- */

/* ThreadSanitizer does not let a child of a process with threads start threads. */
#ifndef DOZE_TSAN

/* Atomic: thread id of the forking thread; whether fork() has returned in the parent. */
static long forker, forked;
static int child_status = -1;

static int use_graph(void)
{
	doze_pool *pool = help_pool(1, "jec");
	doze_future *f = submit(pool, until_allowed, &pool), *g = submit(pool, get, f);
	bool right = doze_future_get(g) == &pool;
	doze_pool_free(pool);
	return right ? 0 : 1;
}

static void *fork_once(void *arg)
{
	__atomic_store_n(&forker, (long)gettid(), __ATOMIC_SEQ_CST);
	pid_t child = fork();
	if (child == 0) {
		/* Limits how long a child waits for a lock that will never be released. */
		(void)alarm(10);
		doze_mutex_lock(doze_graph_lock());
		doze_mutex_unlock(doze_graph_lock());
		_exit(use_graph());
	}
	help_count(&forked);
	(void)waitpid(child, &child_status, 0);
	return arg;
}

/* Returns whether the thread sleeps in the kernel, by the third field of its stat file. */
static bool thread_sleeps(long id)
{
	char path[64], state = 'R';
	(void)snprintf(path, sizeof path, "/proc/self/task/%ld/stat", id);
	FILE *f = fopen(path, "r");
	if (f != NULL) {
		if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
			state = 'R';
		(void)fclose(f);
	}
	return state == 'S';
}

/* This thread holds the graph's lock. A fork must wait until the lock is released, because no
 * thread of the child could release it. */
static void fork_while_locked(void)
{
	pthread_t thread;
	struct patience limit = patience_of(10000);

	help_count(&may_end);               /* lets the child's tasks end */
	doze_pool_free(help_pool(1, NULL)); /* registers the fork handlers */
	doze_mutex_lock(doze_graph_lock());
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, fork_once, NULL), 0);
	while (help_read(&forker) == 0 && !patience_is_over(&limit))
		help_sleep_us(100);
	while (!thread_sleeps(help_read(&forker)) && !help_read(&forked) &&
	       !patience_is_over(&limit))
		help_sleep_us(100);
	CU_ASSERT_FALSE(help_read(&forked));
	doze_mutex_unlock(doze_graph_lock());
	pthread_join(thread, NULL);
	CU_ASSERT_TRUE(WIFEXITED(child_status) && WEXITSTATUS(child_status) == 0);
}

#endif

static const struct suite_test tests[] = {
    {"if no spare thread can be created, a wait prints the chain of waits and aborts the program",
     no_spare},
    {"freeing a pool waits for a start handler that is suspended in a wait", start_handler_waits},
    {"an exit handler may get a future with a deadline", exit_handler_waits},
#ifndef DOZE_TSAN
    {"a fork waits for a thread that is changing the graph of futures", fork_while_locked},
#endif
};
SUITE_MAIN("suspend_life", tests)
