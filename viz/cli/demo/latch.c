/*
 * SPDX-License-Identifier: MIT
 *
 * latch.c - workers that wait for each other, in a chain of joins. Each job of the chain (a link)
 * offers the rest of the chain to a thief as one half of a join, waits until that half is stolen,
 * and then has to wait on its latch. The last link holds the chain until all waiting workers sleep.
 * When it ends, one latch after the other is set, and each set wakes exactly one worker: the
 * latch's owner.
 */
#include "demo.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

enum { ROUNDS, LINKS, HOLD_MS };

struct link {
	long rest; /* number of links after this one */
	long hold_ms;
	_Atomic bool *taken; /* set when this link starts to run; null for the first link */
	_Atomic long *run;
};

static void link_run(void *arg);

/* The half of a join that the joining worker runs itself: waits until a thief runs the other half,
 * but at most 100 ms. There is no thief if the pool has one worker, or if all workers are in
 * earlier links. In that case the joining worker runs the other half itself, which is also
 * correct. */
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
		/* sleeps rather than spins, so that the other workers get the CPU */
		demo_sleep_us(link->hold_ms * 1000);
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
	printf("latch: %ld chains of %ld links; the last lets the others wait for %ld ms\n",
	       values[ROUNDS], links, values[HOLD_MS]);
	return atomic_load(&run) == links * values[ROUNDS];
}

const struct demo demo_latch = {
    "latch",
    "workers waiting for each other's latches, in chains",
    {
	{"rounds", "number of chains", 20, 1, 100000},
	{"links", "workers per chain; 0: all", 0, 0, 1023},
	{"hold-ms", "how long the last worker of a chain lets the others wait, in milliseconds", 30,
	 0, 100000},
    },
    latch_run,
};
