/*
 * SPDX-License-Identifier: MIT
 *
 * scope.h - the data of a scope; see scope.c.
 */
#ifndef DOZE_SCOPE_H
#define DOZE_SCOPE_H

#include "doze.h"
#include "fifo.h"
#include "latch.h"

struct doze_scope {
	/* Constant while the scope lives. */
	struct doze_pool *pool;   /* not owned; runs the scope's jobs */
	struct doze_fifo *fifos;  /* owned; one per worker of the pool; null in a LIFO scope */
	struct doze_future *root; /* the task that waits for the scope's end, or null */
	/* Used by any thread that holds a share. */
	struct doze_count_latch latch;
	/* The worker that runs the body; null if an outside thread runs it, and after the body has
	 * returned. */
	DOZE_ATOMIC(struct doze_worker *) spawner;
	size_t shares; /* spawner only: shares of the latch reserved for its next spawns */
};

#endif
