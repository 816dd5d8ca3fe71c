/*
 * SPDX-License-Identifier: MIT
 *
 * constructs_edges.c - the contract's constructs, continued: what comes from outside beside jobs
 * that never leave a worker idle.
 */
#include "constructs.h"
#include "constructs_int.h"

#include <stddef.h>

#include "lib/atomic.h"

/* ---- jobs that spawn one like themselves, until they are told to end ---- */

struct chains {
	DOZE_ATOMIC(int) stop, ended;
};

static void chain(void *arg)
{
	struct chains *c = arg;
	if (da_load(&c->stop, SC) || doze_spawn(NULL, chain, c) != 0)
		da_add(&c->ended, 1, SC);
}

static void take_turn(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	constructs_add_one(arg);
}

/* They must not keep what comes from outside waiting for ever. */
const char *construct_chains(doze_pool *pool)
{
	static _Thread_local struct chains c; /* outlives a failure */
	DOZE_ATOMIC(int) n = 0;
	int all = (int)doze_num_threads(pool);
	c.stop = c.ended = 0;
	for (int i = 0; i < all; i++)
		if (doze_spawn(pool, chain, &c) != 0)
			return doze_last_error();
	doze_install(pool, constructs_add_one, &n);
	doze_broadcast(pool, take_turn, &n);
	c.stop = 1;
	if (n != 1 + all)
		return "a job beside chains of jobs was lost";
	return constructs_wait(&c.ended, all, "a chain of jobs was lost");
}
