/* SPDX-License-Identifier: MIT
 *
 * jumps.c - jobs that call longjmp inside themselves, over frames of their own, before and after
 * waits. All jobs must run, and return what they would return without a jump.
 */
#include "corner_cases.h"

#include <setjmp.h>

enum { JOBS = 200, DEPTH = 20 };

static int ran, wrong;

/* Jumps from a frame DEPTH calls below the caller's. Does not return. */
static int leave(jmp_buf *back, int depth)
{
	volatile int below = depth > 0 ? leave(back, depth - 1) : 0;
	if (depth == 0)
		longjmp(*back, 1);
	return below + 1;
}

static void small(void *arg)
{
	corner_count(arg);
}

static void part(doze_scope *scope, void *arg)
{
	(void)scope;
	corner_count(arg);
}

static void body(doze_scope *scope, void *arg)
{
	for (int i = 0; i < 4; i++)
		if (doze_scope_spawn(scope, part, arg) != 0)
			corner_count(&wrong);
}

/* The calls of the library have returned when the job jumps. */
static void jumping(void *arg)
{
	int *done = arg;
	jmp_buf back;
	if (setjmp(back) == 0) {
		doze_join(small, done, small, done);
		if (doze_scope_run(NULL, body, done) != 0)
			corner_count(&wrong);
		(void)leave(&back, DEPTH);
		corner_count(&wrong);
	}
	doze_join(small, done, small, done);
	if (__atomic_load_n(done, __ATOMIC_SEQ_CST) != 8)
		corner_count(&wrong);
	corner_count(&ran);
}

int main(int argc, char **argv)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	config.policy = argc > 1 ? argv[1] : NULL;
	static int done[JOBS];
	config.num_threads = 3;
	doze_pool *pool = corner_pool(&config);
	for (int i = 0; i < JOBS; i++)
		if (doze_spawn(pool, jumping, &done[i]) != 0)
			corner_count(&wrong);
	doze_pool_free(pool);
	return corner_verdict(ran == JOBS, "a job was lost") |
	       corner_verdict(wrong == 0, "a job that jumped has a wrong result");
}
