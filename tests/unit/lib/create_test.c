/*
 * SPDX-License-Identifier: MIT
 *
 * Creation of a pool: failures to create threads, and stack sizes.
 */
#include "help.h"
#include "tests/fixtures/suite.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

struct handlers {
	long started[5], ended[5];
};

static void on_start(unsigned worker, void *arg)
{
	struct handlers *h = arg;
	if (doze_worker_index() == (int)worker)
		help_count(&h->started[worker]);
}

static void on_exit_of(unsigned worker, void *arg)
{
	struct handlers *h = arg;
	if (help_read(&h->started[worker]) == 1)
		help_count(&h->ended[worker]);
}

/* ---- threads that cannot be created ---- */

static int failing_after = -1; /* number of threads that can still be created; -1: no limit */

/* Replaces the C library's function in this program. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *), void *arg)
{
	static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	if (real == NULL)
		*(void **)(void *)&real = dlsym(RTLD_NEXT, "pthread_create");
	if (failing_after == 0)
		return EAGAIN;
	if (failing_after > 0)
		failing_after--;
	return real(thread, attr, fn, arg);
}

static void thread_creation_fails(void)
{
	struct handlers h;
	doze_config config = {.num_threads = 5,
			      .start_handler = on_start,
			      .exit_handler = on_exit_of,
			      .handler_arg = &h};
	/* Creates the tracer's thread, if there is one, before the count begins. */
	doze_pool *pool = help_pool(1, NULL);
	for (int n = 0; n < 5; n++) {
		doze_pool *half = pool;
		memset(&h, 0, sizeof h);
		failing_after = n;
		CU_ASSERT_EQUAL(doze_pool_create(&half, &config), EAGAIN);
		failing_after = -1;
		CU_ASSERT_PTR_NULL(half);
		CU_ASSERT_PTR_NOT_NULL(strstr(doze_last_error(), "of 5 could not be created"));
		for (int i = 0; i < 5; i++) {
			CU_ASSERT_EQUAL(h.started[i], 0); /* no worker started */
			CU_ASSERT_EQUAL(h.ended[i], 0);
		}
	}
	doze_pool_free(pool);
}

static void no_turn(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	(void)arg;
}

static void start_with_spawn(unsigned worker, void *arg)
{
	(void)worker;
	(void)doze_spawn_broadcast(NULL, no_turn, NULL);
	help_count(arg);
}

static void start_with_wait(unsigned worker, void *arg)
{
	(void)worker;
	(void)doze_broadcast(NULL, no_turn, NULL);
	help_count(arg);
}

static void start_with_default(unsigned worker, void *arg)
{
	(void)worker;
	(void)doze_default_pool();
	help_count(arg);
}

/* Creates pools whose handlers use the pool: first two whose creation fails after some workers were
 * created, then one that is created successfully. */
static void creation_fails_under_handlers(void)
{
	static void (*const handlers[])(unsigned, void *) = {start_with_spawn, start_with_wait,
							     start_with_default};
	for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++) {
		long handled = 0;
		doze_config config = {
		    .num_threads = 4, .start_handler = handlers[i], .handler_arg = &handled};
		doze_pool *pool;
		failing_after = 2;
		CU_ASSERT_EQUAL(doze_pool_create(&pool, &config), EAGAIN);
		failing_after = 2;
		CU_ASSERT_EQUAL(doze_default_pool_init(&config), EAGAIN);
		failing_after = -1;
		CU_ASSERT_EQUAL(handled, 0);
		CU_ASSERT_EQUAL(doze_default_pool_init(&config), 0);
		/* Waits for the handlers: one that ran after the pool was freed would create
		 * another default pool. */
		CU_ASSERT_TRUE(i < 2 || help_reaches(&handled, 4, 10));
		doze_default_pool_free();
		CU_ASSERT_EQUAL(handled, 4);
	}
}

/* ---- stack size ---- */

static void note_stack(void *arg)
{
	size_t *size = arg;
	pthread_attr_t attr;
	void *base;
	if (pthread_getattr_np(pthread_self(), &attr) != 0)
		return;
	(void)pthread_attr_getstack(&attr, &base, size);
	(void)pthread_attr_destroy(&attr);
}

static void stacks_are_as_large_as_asked(void)
{
	/* Sizes above the system's default. A smaller stack would prove nothing: the C library may
	 * reuse the default-sized stack of a thread that has exited. */
	static const size_t sizes[] = {48u << 20, 96u << 20};
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		doze_config config = {.num_threads = 1, .stack_size = sizes[i]};
		doze_pool *pool;
		size_t got = 0;
		CU_ASSERT_EQUAL_FATAL(doze_pool_create(&pool, &config), 0);
		doze_install(pool, note_stack, &got);
		doze_pool_free(pool);
		CU_ASSERT_TRUE(got >= sizes[i]);
	}
}

static const struct suite_test tests[] = {
    {"nothing is left behind when a thread cannot be created", thread_creation_fails},
    {"creation fails cleanly while start handlers use the pool", creation_fails_under_handlers},
    {"a worker's stack has at least the requested stack_size", stacks_are_as_large_as_asked},
};
SUITE_MAIN("create", tests)
