/*
 * SPDX-License-Identifier: MIT
 *
 * fork.c - see fork.h.
 *
 * Order of locks: the trace loader holds its own around a fork, too, and takes the list of pools
 * under it for snapshots. Handlers that prepare run in the reverse order of their registration, so
 * ours is registered first.
 */
#include "fork.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void watch(void)
{
	/* Without memory for it, a child of a fork at a bad moment may hang: as without this file.
	 */
	(void)pthread_atfork(doze_pools_fork_prepare, doze_pools_fork_parent,
			     doze_pools_fork_child);
}

void doze_fork_watch(void)
{
	(void)pthread_once(&once, watch);
}
