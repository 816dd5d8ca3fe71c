/*
 * SPDX-License-Identifier: MIT
 *
 * future.h - the data of a future; see future.c. suspend/ has the graph of futures that wait for
 * each other.
 */
#ifndef DOZE_FUTURE_H
#define DOZE_FUTURE_H

#include "doze.h"
#include "job.h"

struct doze_edge;
struct doze_timed_get;

/** A getter in a future's list, part of the getter's frame. If both latches are null, it represents
 * the getters with a deadline. */
struct doze_waiter {
	struct doze_waiter *next;
	struct doze_lock_latch *outside; /* the thread's own */
	struct doze_core_latch *inside;
};

struct doze_future {
	struct doze_job job; /* its root is this future */
	/* Constant once submitted. */
	struct doze_pool *pool; /* not owned */
	uint32_t pool_id;
	int32_t submitter; /* the worker whose queue the task went to; -1 for the injector */
	struct doze_slab *from;
	doze_task_fn fn;
	void *arg;
	/* Written by the thread that runs the task, before it swaps DONE in. */
	void *result;
	/* Any thread. */
	DOZE_ATOMIC(uint32_t) claimed;
	DOZE_ATOMIC(struct doze_waiter *) waiters;
	DOZE_ATOMIC(uint32_t) references;
	/* Written by a getter before it runs this task inline: the task that the getter belongs
	 * to. */
	DOZE_ATOMIC(struct doze_future *) inline_in;
	/* Protected by the graph's lock (suspend/wait_graph.c). */
	struct doze_edge *in; /* the tasks that wait for this one */
	struct doze_future *via, *todo;
	uint64_t visit;
	struct doze_timed_get *timed;  /* getters with a deadline */
	struct doze_waiter timed_mark; /* represents the timed getters in `waiters` */
	bool timed_marked;
};

/** For the thread that took the job out of a queue: returns whether it is a future that another
 * thread has claimed. */
bool doze_future_is_tombstone(const struct doze_job *job);

/** Any thread: adds the waiter to the list. Returns false if the future is done. */
bool doze_future_enlist(struct doze_future *f, struct doze_waiter *w);
/** Called by the thread that completed the future: notifies the getters with a deadline. */
void doze_future_notify_timed(struct doze_future *f);

#endif
