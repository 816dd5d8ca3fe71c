/* SPDX-License-Identifier: MIT
 *
 * starve.c - jobs that spawn themselves keep every worker busy forever. A job from outside and the
 * turns of a broadcast must still run, each after at most fair_every links on its worker. With
 * argv[2] "never", none of them may run, as in Rayon.
 */
#include "corner_cases.h"

/* EVERY is the default of fair_every. A link may be running when the job is queued, and one more
 * may begin before the call returns. */
enum { WORKERS = 2, CHAINS = 4, ROUNDS = 20, EVERY = 61, BOUND = EVERY + 2 };

static doze_pool *pool;
static int stop, ran, turns, late;
static long links[WORKERS];  /* number of links that each worker has run */
static long queued[WORKERS]; /* value of links when the job was queued */

static long read_links(int worker)
{
	return __atomic_load_n(&links[worker], __ATOMIC_SEQ_CST);
}

static void chain(void *arg)
{
	(void)__atomic_add_fetch(&links[doze_worker_index()], 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&stop, __ATOMIC_SEQ_CST) == 0)
		(void)doze_spawn(NULL, chain, arg);
}

/* Starts a worker's share of the chains. A broadcast starts them, because it wakes every worker;
 * after single posts under `local`, one worker may run all chains while the other sleeps. */
static void start_chains(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	for (unsigned i = 0; i < CHAINS / workers; i++)
		(void)doze_spawn(NULL, chain, arg);
}

/* Stores the current numbers of links in `queued`. Links may have run since the job was queued, so
 * `queued` may be too large, but is never too small. */
static void note_queued(void)
{
	for (int i = 0; i < WORKERS; i++)
		__atomic_store_n(&queued[i], read_links(i), __ATOMIC_SEQ_CST);
}

static void check_late(void)
{
	int worker = doze_worker_index();
	if (read_links(worker) - __atomic_load_n(&queued[worker], __ATOMIC_SEQ_CST) > BOUND)
		corner_count(&late);
}

static void job(void *arg)
{
	check_late();
	corner_count(arg);
}

static void turn(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	job(arg);
}

/* Returns whether the jobs and the turns run. Sets `queued` to a large number before it queues a
 * job, so that a job that runs at once does not count as late. */
static int served(void)
{
	for (int i = 1; i <= ROUNDS; i++) {
		for (int k = 0; k < WORKERS; k++)
			__atomic_store_n(&queued[k], 1L << 62, __ATOMIC_SEQ_CST);
		(void)doze_spawn(pool, job, &ran);
		note_queued();
		if (!corner_reaches(&ran, i))
			return 0;
		for (int k = 0; k < WORKERS; k++)
			__atomic_store_n(&queued[k], 1L << 62, __ATOMIC_SEQ_CST);
		(void)doze_spawn_broadcast(pool, turn, &turns);
		note_queued();
		if (!corner_reaches(&turns, i * WORKERS))
			return 0;
	}
	return 1;
}

static int no_job_served(void)
{
	(void)doze_spawn(pool, job, &ran);
	(void)doze_spawn_broadcast(pool, turn, &turns);
	long before = read_links(0) + read_links(1);
	while (read_links(0) + read_links(1) < before + 100000)
		corner_pause();
	return ran + turns == 0;
}

/* Waits until both workers have run links for a while without stealing. After that, each worker's
 * own queue has enough jobs, and neither worker searches again. */
static void settle(void)
{
	doze_stats before, after;
	do {
		doze_pool_stats(pool, &before);
		long first = read_links(0), second = read_links(1);
		while (read_links(0) < first + 1000 || read_links(1) < second + 1000)
			corner_pause();
		doze_pool_stats(pool, &after);
	} while (before.jobs_stolen != after.jobs_stolen);
}

int main(int argc, char **argv)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	int faithful = argc > 2 && strcmp(argv[2], "never") == 0;
	config.policy = argc > 1 ? argv[1] : NULL;
	config.num_threads = WORKERS;
	config.fair_every = faithful ? DOZE_FAIR_NEVER : 0;
	pool = corner_pool(&config);
	(void)doze_spawn_broadcast(pool, start_chains, NULL);
	settle();
	int right = faithful ? no_job_served() : served();
	corner_count(&stop);
	doze_pool_free(pool);
	return corner_verdict(right, faithful ? "a waiting job ran" : "a waiting job did not run") |
	       corner_verdict(faithful || late == 0,
			      "a waiting job ran after too many jobs of the chain");
}
