/*
 * SPDX-License-Identifier: MIT
 *
 * fifo.c - see fifo.h.
 */
#include "fifo.h"

#include "worker.h"

static void token_run(struct doze_job *token, struct doze_worker *worker, enum doze_source source)
{
	struct doze_fifo *fifo =
	    (struct doze_fifo *)((char *)token - offsetof(struct doze_fifo, token));
	/* Not null: each token is pushed after its job, and a push is a single atomic step. */
	struct doze_job *job = doze_injector_pop(&fifo->jobs);
	/* Last access to the FIFO: its scope may end as soon as the job has run. */
	da_edge_in(job);
	job->run(job, worker, source);
}

void doze_fifo_init(struct doze_fifo *fifo, struct doze_future *root)
{
	doze_injector_init(&fifo->jobs);
	fifo->token.run = token_run;
	fifo->token.root = root;
	fifo->token.id = 0; /* no id: the trace names the job that the token represents */
	fifo->token.caller = NULL;
	/* The token is its own successor, so that this one token can form a batch of any length. No
	 * queue writes the link. */
	da_init(&fifo->token.next, &fifo->token);
}

void doze_fifo_fini(struct doze_fifo *fifo)
{
	doze_injector_fini(&fifo->jobs);
}

int doze_fifo_push(struct doze_fifo *fifo, struct doze_worker *worker, struct doze_job *job)
{
	uint64_t id = job->id;
	const void *caller = job->caller;

	/* Reserve first: if the push of the token failed, the job would have to be removed from the
	 * FIFO. */
	int error = doze_worker_reserve(worker, 1);
	if (error != 0)
		return error;

	da_edge_out(job);
	doze_injector_push(&fifo->jobs, job); /* last access to the job: a thief may run it */
	doze_worker_push_for(worker, &fifo->token, id, caller);
	return 0;
}

int doze_fifo_push_many(struct doze_fifo *fifo, struct doze_worker *worker,
			const struct doze_batch *batch)
{
	const struct doze_batch tokens = {&fifo->token, &fifo->token, batch->count, batch->id,
					  batch->caller};

	/* Reserve first, as in doze_fifo_push. */
	int error = doze_worker_reserve(worker, batch->count);
	if (error != 0)
		return error;
	doze_batch_edges(batch);
	doze_injector_push_many(&fifo->jobs, batch);
	doze_worker_push_many(worker, &tokens);
	return 0;
}
