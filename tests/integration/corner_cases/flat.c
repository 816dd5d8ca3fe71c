/* SPDX-License-Identifier: MIT
 *
 * flat.c - one job submits, gets and frees futures in a loop. The process must not use more and
 * more memory.
 */
#include "corner_cases.h"

enum { FIRST = 100000, ALL = 2000000, ALLOWED_KIB = 4096 };

static long resident_kib(void)
{
	long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	if (f == NULL || fscanf(f, "%*d %ld", &pages) != 1)
		exit(2);
	(void)fclose(f);
	return pages * 4;
}

static void *task(void *arg)
{
	return arg;
}

static void loop(void *arg)
{
	long before = 0;
	for (long i = 0; i < ALL; i++) {
		doze_future *f;
		if (i == FIRST)
			before = resident_kib();
		if (doze_submit(&f, NULL, task, arg) != 0)
			exit(2);
		(void)doze_future_get(f);
		doze_future_free(f);
	}
	*(long *)arg = resident_kib() - before;
}

int main(int argc, char **argv)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	long grown = 0;
	config.policy = argc > 1 ? argv[1] : NULL;
	config.num_threads = 1;
	doze_pool *pool = corner_pool(&config);
	doze_install(pool, loop, &grown);
	doze_pool_free(pool);
	return corner_verdict(grown < ALLOWED_KIB, "freed futures kept their memory");
}
