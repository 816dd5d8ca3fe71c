/*
 * SPDX-License-Identifier: MIT
 *
 * fifo.h - spawn_fifo on top of a deque that is LIFO for its owner.
 *
 * The job waits in a FIFO; the deque gets a token instead. The worker that takes a token, owner or
 * thief, runs the oldest job of the FIFO that the token names. The token is one constant job
 * header, pushed once per job, so it costs no memory and is never freed.
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

/** `root`: the root of all its jobs, see job.h. */
void doze_fifo_init(struct doze_fifo *fifo, struct doze_future *root);
void doze_fifo_fini(struct doze_fifo *fifo);
/** Owner of the deque only. Queues the job and pushes a token on the worker's deque. Returns 0, or
 * ENOMEM, and then nothing is queued. */
int doze_fifo_push(struct doze_fifo *fifo, struct doze_worker *worker, struct doze_job *job);
/** Owner of the deque only. Queues a batch, and as many tokens in one push. Returns 0, or ENOMEM,
 * and then nothing is queued. */
int doze_fifo_push_many(struct doze_fifo *fifo, struct doze_worker *worker,
			const struct doze_batch *batch);

#endif
