/* SPDX-License-Identifier: MIT
 *
 * graph.c - an acyclic graph of futures whose waits meet on one stack: g gets f, which the other
 * worker runs, and the waiting worker finds j, which gets g.
 */
#include "corner_cases.h"

static doze_future *g;
static int f_begun, j_queued;

static void *run_f(void *arg)
{
	corner_count(&f_begun);
	(void)corner_reaches(&j_queued, 1);
	for (int i = 0; i < 20; i++) /* gives g's worker time to wait for f and to find j */
		corner_pause();
	return arg;
}

static void *run_g(void *arg)
{
	doze_future *f;
	if (doze_submit(&f, NULL, run_f, arg) != 0)
		exit(2);
	(void)corner_reaches(&f_begun, 1);
	(void)doze_future_get(f);
	doze_future_free(f);
	return arg;
}

static void *run_j(void *arg)
{
	(void)arg;
	return doze_future_get(g);
}

int main(int argc, char **argv)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	doze_future *j;
	config.policy = argc > 1 ? argv[1] : NULL;
	config.num_threads = 2;
	doze_pool *pool = corner_pool(&config);
	if (doze_submit(&g, pool, run_g, &config) != 0)
		return 2;
	int right = corner_reaches(&f_begun, 1);
	if (doze_submit(&j, pool, run_j, &config) != 0)
		return 2;
	corner_count(&j_queued);
	right &= doze_future_get(j) == &config;
	doze_future_free(j);
	doze_future_free(g);
	doze_pool_free(pool);
	return corner_verdict(right, "the graph did not finish");
}
