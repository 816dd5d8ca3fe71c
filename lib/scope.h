/*
 * SPDX-License-Identifier: MIT
 *
 * scope.h - the data of a scope; see scope.c.
 */
#ifndef DOZE_SCOPE_H
#define DOZE_SCOPE_H

#include "doze.h"
#include "latch.h"

struct doze_fifo;

struct doze_scope {
	/* Constant while the scope lives. */
	struct doze_pool *pool;   /* not owned; runs the scope's jobs */
	struct doze_fifo *fifos;  /* owned; one per worker of the pool; null in a LIFO scope */
	struct doze_future *root; /* the task that waits for the scope's end, or null */
	/* Used by any thread that holds a share. On a line of its own: the fields around it are
	 * used in each spawn. */
	DOZE_CACHE_ALIGNED struct doze_count_latch latch;
	/* The worker that runs the body; null if the thread that runs it is not a worker, and after
	 * the body has returned. */
	DOZE_CACHE_ALIGNED DOZE_ATOMIC(struct doze_worker *) spawner;
	/* number of shares of the latch that the spawner has reserved for its next spawns */
	size_t shares;
};

#endif
