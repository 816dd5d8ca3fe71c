/*
 * SPDX-License-Identifier: MIT
 *
 * latch - workers that wait for each other. A chain of joins: each link offers the rest of the
 * chain to a thief, stays until it is taken, and then has nothing to do but to wait on the latch of
 * the stolen half. The last link holds the chain long enough that all who wait fall asleep; when it
 * ends, latch after latch is set and each set wakes exactly one worker: the latch's owner.
 */
#include "demo.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

enum { ROUNDS, LINKS, HOLD_MS };

struct link {
	long rest; /* links after this one */
	long hold_ms;
	_Atomic bool *taken; /* set when this link has begun; null for the first */
	_Atomic long *run;
};

static void link_run(void *arg);

/* The half that stays: until a thief began the other one, or 100 ms, should there be no thief (one
 * worker only, or all in links before). Then join runs the rest itself, which is right, too. */
static void link_wait_taken(void *arg)
{
	_Atomic bool *taken = arg;
	long long end = demo_now_ns() + 100000000LL;

	while (!atomic_load_explicit(taken, memory_order_acquire) && demo_now_ns() < end)
		sched_yield();
}

static void link_run(void *arg)
{
	struct link *link = arg;
	_Atomic bool taken = false;
	struct link next = {link->rest - 1, link->hold_ms, &taken, link->run};

	if (link->taken)
		atomic_store_explicit(link->taken, true, memory_order_release);
	atomic_fetch_add_explicit(link->run, 1, memory_order_relaxed);
	if (link->rest == 0)
		demo_sleep_us(link->hold_ms *
			      1000); /* asleep on purpose: the CPU is for the others */
	else
		doze_join(link_wait_taken, &taken, link_run, &next);
}

static bool latch_run(doze_pool *pool, const long *values)
{
	_Atomic long run = 0;
	long workers = (long)doze_num_threads(pool);
	long links = values[LINKS] ? values[LINKS] : workers;

	for (long i = 0; i < values[ROUNDS]; i++) {
		struct link first = {links - 1, values[HOLD_MS], NULL, &run};

		doze_install(pool, link_run, &first);
	}
	printf("latch: %ld chains of %ld links, each held %ld ms at its end\n", values[ROUNDS],
	       links, values[HOLD_MS]);
	return atomic_load(&run) == links * values[ROUNDS];
}

const struct demo demo_latch = {
    "latch",
    "workers waiting for each other's latches, in chains",
    {
	{"rounds", "how many chains", 20, 1, 100000},
	{"links", "workers in a chain; 0: as many as there are", 0, 0, 1023},
	{"hold-ms", "milliseconds that the last link holds the chain", 30, 0, 100000},
    },
    latch_run,
};
