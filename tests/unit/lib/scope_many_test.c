/*
 * SPDX-License-Identifier: MIT
 *
 * A million jobs in one scope: all run, and the next million reuses the memory.
 */
#include "help.h"
#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static void empty_body(doze_scope *scope, void *arg)
{
	(void)scope;
	help_count(arg);
}

/* Returns the number of jobs. Under valgrind it is a tenth, because four million jobs would take
 * minutes of CPU time. */
static int many(void)
{
	return suite_slow() < 20 ? 1000000 : 100000;
}

static void spawn_many(doze_scope *scope, void *arg)
{
	for (int i = 0, n = many(); i < n; i++)
		if (doze_scope_spawn(scope, empty_body, arg) != 0)
			return;
}

static long most_memory_kb(void)
{
	struct rusage usage;
	(void)getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

/* Returns whether the size of the process can reveal a leak. Returns false under sanitizers and
 * valgrind, which delay the reuse of freed memory, and under clang, where C code cannot tell which
 * sanitizer is active. */
static bool memory_tells(void)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || defined __clang__
	return false;
#else
	const char *preload = getenv("LD_PRELOAD");
	return preload == NULL || strstr(preload, "vgpreload") == NULL;
#endif
}

static void a_million_jobs(void)
{
	long done = 0;
	doze_pool *pool = help_pool(2, NULL);
	suite_allow_seconds(170);
	(void)doze_scope_run(pool, spawn_many, &done);
	CU_ASSERT_EQUAL(done, many());
	for (int i = 0; i < 3; i++)
		(void)doze_scope_run(pool, spawn_many, &done);
	CU_ASSERT_EQUAL(done, 4L * many());
	/* A waiting job takes about 56 bytes, and the next million reuses the memory of the
	 * first. */
	if (memory_tells())
		CU_ASSERT_TRUE(most_memory_kb() < 200 * 1024);
	doze_pool_free(pool);
}

static const struct suite_test tests[] = {
    {"a million jobs in one scope run in bounded memory", a_million_jobs},
};
SUITE_MAIN("scope_many", tests)
