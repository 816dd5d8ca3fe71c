/*
 * SPDX-License-Identifier: MIT
 *
 * Worker stacks have the requested size, and an overflow ends the program instead of overwriting
 * the memory below the stack. Each test runs in a child process.
 */
#include "help.h"
#include "tests/fixtures/suite.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FRAME = 4096, DEEP = 12 << 20, SMALL = 1 << 20, LARGE = 64 << 20 };

/* Uses at least `bytes` of the stack; the compiler cannot turn the recursion into a loop. */
static long __attribute__((noinline)) descend(long bytes)
{
	volatile char frame[FRAME];
	frame[0] = (char)bytes;
	frame[FRAME - 1] = 1;
	if (bytes <= FRAME)
		return frame[0];
	return descend(bytes - FRAME) + frame[FRAME - 1];
}

static void descend_in_job(void *bytes)
{
	(void)descend(*(long *)bytes);
}

static void descend_in_turn(unsigned worker, unsigned workers, void *bytes)
{
	if (worker == workers - 1)
		descend_in_job(bytes);
}

/* Suppresses core files and sanitizer reports, because only the signal matters. */
static void die_plainly(void)
{
	const struct rlimit none = {0, 0};
	(void)signal(SIGSEGV, SIG_DFL);
	(void)setrlimit(RLIMIT_CORE, &none);
}

/* Uses DEEP bytes of each worker's stack in the start handler, a job and a broadcast turn. */
static void on_start(unsigned worker, void *bytes)
{
	(void)worker;
	descend_in_job(bytes);
}

static void deep_on(size_t stack)
{
	long deep = DEEP;
	doze_config config = {
	    .num_threads = 2, .stack_size = stack, .start_handler = on_start, .handler_arg = &deep};
	doze_pool *pool;

	die_plainly();
	if (doze_pool_create(&pool, &config) != 0) {
		fprintf(stderr, "%s\n", doze_last_error());
		_exit(3);
	}
	doze_install(pool, descend_in_job, &deep);
	(void)doze_broadcast(pool, descend_in_turn, &deep);
	doze_pool_free(pool);
	fputs("came through\n", stderr);
}

static void on_large(void)
{
	deep_on(LARGE);
}

static void on_small(void)
{
	deep_on(SMALL);
}

/* The default of about 8 MiB is far less than DEEP; the environment variable requests enough. */
static void on_large_by_variable(void)
{
	(void)setenv("DOZE_STACK_SIZE", "67108864", 1);
	deep_on(0);
}

static void for_ever(void)
{
	long far = 1L << 40;
	die_plainly();
	doze_install(doze_default_pool(), descend_in_job, &far);
	fputs("came through\n", stderr);
}

static bool came_through(int status, const char *text)
{
	return status == 0 && strstr(text, "came through") != NULL;
}

static bool ended_by_overflow(int status, const char *text)
{
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV &&
	       strstr(text, "came through") == NULL;
}

static void size_is_honoured(void)
{
	char text[4000];
	int status = help_in_child(on_large, text, sizeof text);
	CU_ASSERT_TRUE(came_through(status, text));
	status = help_in_child(on_large_by_variable, text, sizeof text);
	CU_ASSERT_TRUE(came_through(status, text));
	status = help_in_child(on_small, text, sizeof text);
	CU_ASSERT_TRUE(ended_by_overflow(status, text));
}

static void overflow_ends_the_program(void)
{
	char text[4000];
	int status = help_in_child(for_ever, text, sizeof text);
	CU_ASSERT_TRUE(ended_by_overflow(status, text));
}

static const struct suite_test tests[] = {
    {"a worker's stack has the size set by stack_size or by the environment variable",
     size_is_honoured},
    {"endless recursion in a job terminates the program", overflow_ends_the_program},
};
SUITE_MAIN("stack", tests)
