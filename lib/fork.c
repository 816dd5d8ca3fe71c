/*
 * SPDX-License-Identifier: MIT
 *
 * fork.c - see fork.h.
 * Lock order: the trace loader locks the list of pools while it holds its own lock (for snapshots),
 * and it holds its own lock across a fork. Prepare handlers run in the reverse order of their
 * registration, so the handlers here must be registered before the loader's.
 */
#include "fork.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void watch(void)
{
	/* If pthread_atfork fails for lack of memory, a child forked while another thread holds a
	 * lock may hang. */
	(void)pthread_atfork(doze_pools_fork_prepare, doze_pools_fork_parent,
			     doze_pools_fork_child);
}

void doze_fork_watch(void)
{
	(void)pthread_once(&once, watch);
}
