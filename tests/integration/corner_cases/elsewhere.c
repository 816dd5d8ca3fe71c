/* SPDX-License-Identifier: MIT
 *
 * elsewhere.c - one worker is blocked, and the other worker waits for another pool before it
 * unblocks the first one. This is not a deadlock.
 */
#include "corner_cases.h"

static doze_pool *here, *there;
static int calls, blocked, worker, let_go, done;

static void handler(void *arg)
{
	(void)arg;
	corner_count(&calls);
}

/* Runs until the waiting worker sleeps or, under `spin`, until it has searched as often as a worker
 * does under other policies before it sleeps. */
static void slow(void *arg)
{
	doze_stats stats;
	(void)arg;
	for (int i = 0; i < 50; i++) {
		doze_pool_stats(here, &stats);
		if (stats.sleeping == 1)
			return;
		corner_pause();
	}
}

static void turn(unsigned index, unsigned workers, void *arg)
{
	(void)workers;
	if (index == 0) {
		(void)corner_reaches(&blocked, 1);
		doze_install(there, slow, arg);
		doze_mark_unblocked(here, worker);
		corner_count(&let_go);
		return;
	}
	worker = (int)index;
	corner_count(&blocked);
	doze_mark_blocked();
	if (corner_reaches(&let_go, 1))
		corner_count(&done);
}

int main(int argc, char **argv)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	config.policy = argc > 1 ? argv[1] : NULL;
	config.num_threads = 2;
	config.deadlock_handler = handler;
	here = corner_pool(&config);
	config.num_threads = 1;
	config.deadlock_handler = NULL;
	there = corner_pool(&config);
	(void)doze_spawn_broadcast(here, turn, NULL);
	doze_pool_free(here);
	doze_pool_free(there);
	return corner_verdict(done == 1 && calls == 0, "a deadlock was reported");
}
