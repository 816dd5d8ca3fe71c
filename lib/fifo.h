/*
 * SPDX-License-Identifier: MIT
 *
 * fifo.h - implements spawn_fifo with a deque that is LIFO for its owner.
 *
 * The job goes into a FIFO, and a token goes into the deque. The worker that takes the token, owner
 * or thief, runs the oldest job of the token's FIFO. Each FIFO has one constant token, which is
 * pushed once per job, so tokens cost no memory and are never freed.
 *
 * Key invariant: tokens in deques <= jobs in the FIFO, because the job goes in first.
 */
#ifndef DOZE_FIFO_H
#define DOZE_FIFO_H

#include "injector.h"

struct doze_fifo {
	struct doze_injector jobs;
	struct doze_job token; /* constant after init */
};

/** `root` is the root of all jobs in the FIFO; see job.h. */
void doze_fifo_init(struct doze_fifo *fifo, struct doze_future *root);
void doze_fifo_fini(struct doze_fifo *fifo);
/** Owner of the deque only. Queues the job and pushes a token onto the worker's deque. Returns 0,
 * or ENOMEM with nothing queued. */
int doze_fifo_push(struct doze_fifo *fifo, struct doze_worker *worker, struct doze_job *job);
/** Owner of the deque only. Queues a batch, and pushes a token per job, all in one push. Returns 0,
 * or ENOMEM with nothing queued. */
int doze_fifo_push_many(struct doze_fifo *fifo, struct doze_worker *worker,
			const struct doze_batch *batch);

#endif
