/*
 * SPDX-License-Identifier: MIT
 *
 * The explorer leaves this file out: keep the steps of protocols out of it.
 *
 * fork.c - registers the handlers of fork(), which are in pool.c and create.c.
 * Lock order: the trace loader locks the list of pools while it holds its own lock (for snapshots),
 * and it holds its own lock across a fork. Prepare handlers run in the reverse order of their
 * registration, so the handlers here must be registered before the loader's.
 */
#include "pool.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void in_child(void)
{
	doze_pools_fork_child();
	doze_default_pool_fork_child();
}

static void watch(void)
{
	/* If pthread_atfork fails for lack of memory, a child forked while another thread holds a
	 * lock may hang. */
	(void)pthread_atfork(doze_pools_fork_prepare, doze_pools_fork_parent, in_child);
}

void doze_fork_watch(void)
{
	(void)pthread_once(&once, watch);
}
