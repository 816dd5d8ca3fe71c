/* SPDX-License-Identifier: MIT
 *
 * graph.c - an acyclic graph of futures. Task g gets f, which the other worker runs. Meanwhile, g's
 * worker finds j, which gets g. If the worker ran j on top of g's frame, neither could finish.
 */
#include "corner_cases.h"

static doze_future *f, *g;
static int g_begun, f_queued, f_begun, j_queued;

static void *run_f(void *arg)
{
	corner_count(&f_begun);
	corner_needs(&j_queued, 1, "j is not queued");
	for (int i = 0; i < 20; i++) /* gives g's worker time to wait for f and to find j */
		corner_pause();
	return arg;
}

static void *run_g(void *arg)
{
	corner_count(&g_begun);
	corner_needs(&f_queued, 1, "f is not queued");
	corner_needs(&f_begun, 1, "the other worker does not run f");
	(void)doze_future_get(f);
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
	/* Post f from here, and only when g's worker is busy, so that the post wakes the other
	 * worker under every policy: under `local`, g's own post into its empty queue would wake no
	 * worker. */
	corner_needs(&g_begun, 1, "no worker runs g");
	if (doze_submit(&f, pool, run_f, &config) != 0)
		return 2;
	corner_count(&f_queued);
	corner_needs(&f_begun, 1, "no worker runs f");
	if (doze_submit(&j, pool, run_j, &config) != 0)
		return 2;
	corner_count(&j_queued);
	int right = doze_future_get(j) == &config;
	doze_future_free(j);
	doze_future_free(f);
	doze_future_free(g);
	doze_pool_free(pool);
	return corner_verdict(right, "the graph did not finish");
}
