/*
 * SPDX-License-Identifier: MIT
 *
 * shapes.c - shapes NAME: programs for which the effect of more workers is known. Work is measured
 * in CPU time.
 */
#include <stdio.h>
#include <string.h>

#include "lib/doze.h"
#include "tests/integration/catalogue/work.h"

enum { JOB_US = 1000, JOBS = 64, LINKS = 80, DEPTH = 6, ROUNDS = 20 };

static void scope_job(doze_scope *scope, void *arg)
{
	(void)scope, (void)arg;
	work_us(JOB_US);
}

/* Independent jobs: on n CPUs, n workers take 1/n of the time. */
static void fan(doze_scope *scope, void *arg)
{
	(void)arg;
	for (int i = 0; i < JOBS; i++)
		doze_scope_spawn(scope, scope_job, NULL);
}

/* Each job publishes the next one, so no number of workers changes the time. */
static void link_job(doze_scope *scope, void *arg)
{
	int *left = arg;

	work_us(JOB_US);
	if (--*left > 0)
		doze_scope_spawn(scope, link_job, arg);
}

static void chain(doze_scope *scope, void *arg)
{
	static int left = LINKS;

	(void)arg;
	doze_scope_spawn(scope, link_job, &left);
}

/* A tree of joins with 2^DEPTH leaves. */
static void tree(void *depth)
{
	long n = *(long *)depth - 1;

	if (n < 0)
		work_us(JOB_US);
	else
		doze_join(tree, &n, tree, &n);
}

static void *task(void *arg)
{
	work_us(2 * JOB_US);
	return arg;
}

/* Two jobs at a time, and the caller waits for both, so a third worker is of no use. */
static void pairs(doze_pool *pool)
{
	for (int i = 0; i < ROUNDS; i++) {
		doze_future *f[2] = {NULL, NULL};

		for (int k = 0; k < 2; k++)
			doze_submit(&f[k], pool, task, NULL);
		for (int k = 0; k < 2; k++) {
			doze_future_get(f[k]);
			doze_future_free(f[k]);
		}
	}
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	doze_config config = DOZE_CONFIG_DEFAULT;
	long depth = DEPTH;
	doze_pool *pool;

	if (doze_pool_create(&pool, &config))
		return 1;
	if (!strcmp(name, "fan"))
		doze_scope_run(pool, fan, NULL);
	else if (!strcmp(name, "chain"))
		doze_scope_run(pool, chain, NULL);
	else if (!strcmp(name, "tree"))
		doze_install(pool, tree, &depth);
	else if (!strcmp(name, "pairs"))
		pairs(pool);
	else
		return fprintf(stderr, "usage: shapes fan|chain|tree|pairs\n"), 2;
	doze_pool_free(pool);
	return 0;
}
