/* SPDX-License-Identifier: MIT
 *
 * nest.c - 100,000 queued jobs that all wait for another pool. The stack depth must stay bounded.
 */
#include "corner_cases.h"

#include <stdint.h>

enum { JOBS = 100000, ALLOWED_KIB = 4096 + 64 }; /* ALLOWED_KIB: half of a stack of 8 MiB */

static doze_pool *there;
static long done, deepest;
static _Thread_local uintptr_t top; /* address of the first job's frame on this stack */

static void nothing(void *arg)
{
	(void)arg;
}

static void wait_there(void *arg)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	(void)arg;
	if (top == 0)
		top = here;
	long depth = (long)(top - here);
	for (long seen = __atomic_load_n(&deepest, __ATOMIC_RELAXED); depth > seen;)
		if (__atomic_compare_exchange_n(&deepest, &seen, depth, 0, __ATOMIC_RELAXED,
						__ATOMIC_RELAXED))
			break;
	doze_install(there, nothing, NULL);
	(void)__atomic_add_fetch(&done, 1, __ATOMIC_RELAXED);
}

int main(int argc, char **argv)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	config.policy = argc > 1 ? argv[1] : NULL;
	config.num_threads = 1;
	config.stack_size = 8 << 20;
	doze_pool *here = corner_pool(&config);
	there = corner_pool(&config);
	for (int i = 0; i < JOBS; i++)
		(void)doze_spawn(here, wait_there, NULL);
	doze_pool_free(here);
	doze_pool_free(there);
	return corner_verdict(done == JOBS, "a job was lost") |
	       corner_verdict(deepest < ALLOWED_KIB * 1024L, "the stack grew without bound");
}
