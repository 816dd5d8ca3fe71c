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
	struct doze_pool *pool;   /* not owned: where its jobs run */
	struct doze_fifo *fifos;  /* owned; one per worker of the pool; null in a LIFO scope */
	struct doze_future *root; /* the task that waits for the scope's end, or null */
	/* For any thread that holds a share. */
	struct doze_count_latch latch;
	/* The worker that runs the body. Null if an outside thread runs it, and once it has
	 * returned. */
	DOZE_ATOMIC(struct doze_worker *) spawner;
	size_t shares; /* spawner only: shares of the latch that its next spawns take */
};

#endif
