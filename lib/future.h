/*
 * SPDX-License-Identifier: MIT
 *
 * future.h - the data of a future; see future.c. suspend/wait_graph.h has the graph of tasks that
 * wait for each other.
 */
#ifndef DOZE_FUTURE_H
#define DOZE_FUTURE_H

#include "doze.h"
#include "job.h"

struct doze_edge;
struct doze_timed_get;

/** An entry in a future's list of getters, stored in the getter's frame. If both latches are null,
 * it represents all getters with a deadline. */
struct doze_waiter {
	struct doze_waiter *next;
	/* the latch of a getter that is not a worker; otherwise null */
	struct doze_lock_latch *outside;
	struct doze_core_latch *inside;
};

struct doze_future {
	struct doze_job job; /* the task's job; its root is this future */
	/* Constant after submission. */
	struct doze_pool *pool; /* not owned */
	uint32_t pool_id;
	int32_t submitter; /* index of the worker whose queue got the task; -1 for the injector */
	struct doze_slab *from;
	doze_task_fn fn;
	void *arg;
	/* Written by the thread that runs the task, before it swaps in DONE. */
	void *result;
	/* Written by any thread. */
	DOZE_ATOMIC(uint32_t) claimed;
	DOZE_ATOMIC(struct doze_waiter *) waiters;
	DOZE_ATOMIC(uint32_t) references;
	/* The task in which a getter runs this task inline. Written by the getter before it does
	 * so. */
	DOZE_ATOMIC(struct doze_future *) inline_in;
	/* Protected by the graph's lock (suspend/wait_graph.c). */
	struct doze_edge *in; /* the tasks that wait for this one */
	struct doze_future *via, *todo;
	uint64_t visit;
	struct doze_timed_get *timed;  /* getters with a deadline */
	struct doze_waiter timed_mark; /* the entry in `waiters` that represents the list `timed` */
	bool timed_marked;
};

/** Called by the thread that took the job out of a queue. Returns whether the job is a future that
 * a thread has already claimed. */
static inline bool doze_future_is_tombstone(const struct doze_job *job)
{
	const struct doze_future *f = (const struct doze_future *)job;
	/* Relaxed: a claimed future stays claimed. */
	return job->root == f && da_load(&f->claimed, RLX) != 0;
}

#endif
