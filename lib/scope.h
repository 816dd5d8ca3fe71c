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
	struct doze_pool *pool;   /* weak: where its jobs run */
	struct doze_fifo *fifos;  /* owned; one per worker of the pool; null: a LIFO scope */
	struct doze_future *root; /* the task that waits for its end; or null */
	/* Any thread that holds a share. */
	struct doze_count_latch latch;
	/* The worker that runs the body, until the body has returned; null then, and outside. */
	DOZE_ATOMIC(struct doze_worker *) spawner;
	size_t shares; /* spawner only: shares of the latch that its next spawns take */
};

#endif
