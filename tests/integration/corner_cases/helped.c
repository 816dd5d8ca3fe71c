/* SPDX-License-Identifier: MIT
 *
 * helped.c - a getter runs a task in its own get while another getter of the same future sleeps.
 * The sleeper must wake at once, because the helper's job waits for it. With argv[2] "graph", that
 * job gets a future that the sleeper's task completes; otherwise the job checks whether the sleeper
 * is awake.
 */
#include "corner_cases.h"

static doze_pool *pool;
static doze_future *f, *g;
static int sleeper_begun, f_begun, sleeper_gets, awake, in_time;

static void *run_f(void *arg)
{
	doze_stats stats;
	corner_count(&f_begun);
	corner_needs(&sleeper_gets, 1, "the sleeper does not reach its get");
	for (int i = 0; i < 200; i++) { /* under `spin`, no worker ever sleeps */
		doze_pool_stats(pool, &stats);
		if (stats.sleeping > 0)
			break;
		corner_pause();
	}
	return arg;
}

static void *sleeper(void *arg)
{
	corner_count(&sleeper_begun);
	corner_needs(&f_begun, 1, "the helper does not run the task");
	corner_count(&sleeper_gets);
	(void)doze_future_get(f);
	corner_count(&awake);
	return arg;
}

static void helper(void *arg)
{
	if (doze_submit(&f, NULL, run_f, arg) != 0)
		exit(2);
	(void)doze_future_get(f);
	if (strcmp(arg, "graph") == 0)
		in_time = doze_future_get(g) == arg;
	else
		in_time = corner_reaches(&awake, 1);
}

int main(int argc, char **argv)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	void *how = argc > 2 ? argv[2] : argv[0];
	config.policy = argc > 1 ? argv[1] : NULL;
	config.num_threads = 2;
	pool = corner_pool(&config);
	if (doze_submit(&g, pool, sleeper, how) != 0)
		return 2;
	/* Under `rfc`, two posts in a row may notify the same worker, so that the other one keeps
	 * sleeping. Therefore, post the helper only when the first worker is busy. */
	corner_needs(&sleeper_begun, 1, "the sleeping job does not start");
	doze_install(pool, helper, how);
	doze_future_free(g);
	doze_future_free(f);
	doze_pool_free(pool);
	return corner_verdict(in_time, "the getter was not woken");
}
