/* SPDX-License-Identifier: MIT
 *
 * starve.c - jobs that spawn themselves keep every worker busy for ever. A function installed from
 * outside and a broadcast must be served all the same, within a bounded number of jobs. argv[2]
 * "never": the faithful behaviour (fair_every), under which neither is.
 */
#include "corner_cases.h"

#include <pthread.h>

/* Per worker about fair_every links pass before each is served; other threads of the machine may
 * delay the two callers themselves. */
enum { CHAINS = 4, BOUND = 200000 };

static doze_pool *pool;
static int stop, installed, turns;
static long links, links_at_install, links_at_broadcast;

static void chain(void *arg)
{
	(void)__atomic_add_fetch(&links, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&stop, __ATOMIC_SEQ_CST) == 0)
		(void)doze_spawn(NULL, chain, arg);
}

static void count(void *arg)
{
	corner_count(arg);
}

static void turn(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	corner_count(arg);
}

static void *install(void *arg)
{
	long before = __atomic_load_n(&links, __ATOMIC_SEQ_CST);
	doze_install(pool, count, &installed);
	links_at_install = __atomic_load_n(&links, __ATOMIC_SEQ_CST) - before;
	return arg;
}

static void *broadcast(void *arg)
{
	long before = __atomic_load_n(&links, __ATOMIC_SEQ_CST);
	(void)doze_broadcast(pool, turn, &turns);
	links_at_broadcast = __atomic_load_n(&links, __ATOMIC_SEQ_CST) - before;
	return arg;
}

int main(int argc, char **argv)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	pthread_t caller[2];
	int faithful = argc > 2 && strcmp(argv[2], "never") == 0;
	config.policy = argc > 1 ? argv[1] : NULL;
	config.num_threads = 2;
	config.fair_every = faithful ? DOZE_FAIR_NEVER : 0;
	pool = corner_pool(&config);
	for (int i = 0; i < CHAINS; i++)
		(void)doze_spawn(pool, chain, NULL);
	while (__atomic_load_n(&links, __ATOMIC_SEQ_CST) < 1000)
		corner_pause();
	if (pthread_create(&caller[0], NULL, install, NULL) != 0 ||
	    pthread_create(&caller[1], NULL, broadcast, NULL) != 0)
		return 2;
	int served;
	if (faithful) {
		for (int i = 0; i < 100; i++)
			corner_pause();
		served = turns == 2 && installed == 1;
	} else {
		served = corner_reaches(&installed, 1) && corner_reaches(&turns, 2);
	}
	corner_count(&stop);
	(void)pthread_join(caller[0], NULL);
	(void)pthread_join(caller[1], NULL);
	doze_pool_free(pool);
	if (faithful)
		return corner_verdict(!served, "somebody was served");
	return corner_verdict(served, "not served") |
	       corner_verdict(links_at_install < BOUND && links_at_broadcast < BOUND,
			      "served after too many jobs");
}
