/*
 * SPDX-License-Identifier: MIT
 *
 * future.h - what a future is made of; see future.c. The graph of those that wait for each other is
 * in suspend/.
 */
#ifndef DOZE_FUTURE_H
#define DOZE_FUTURE_H

#include "doze.h"
#include "job.h"

struct doze_edge;
struct doze_timed_get;

/** A getter in the list of a future, in its frame. Neither latch: the getters with a deadline. */
struct doze_waiter {
	struct doze_waiter *next;
	struct doze_lock_latch *outside; /* the thread's own */
	struct doze_spin_latch *inside;
};

struct doze_future {
	struct doze_job job; /* its root is the future itself */
	/* Constant once submitted. */
	struct doze_pool *pool; /* weak */
	uint32_t pool_id;
	int32_t submitter; /* worker whose queue it went to; -1: the injector */
	doze_task_fn fn;
	void *arg;
	/* Written by the one who runs it, before it swaps DONE in. */
	void *result;
	/* Any thread. */
	DOZE_ATOMIC(uint32_t) claimed;
	DOZE_ATOMIC(struct doze_waiter *) waiters;
	DOZE_ATOMIC(uint32_t) references;
	/* Written by a getter that runs the task inline, before it does: in whose task. */
	DOZE_ATOMIC(struct doze_future *) inline_in;
	/* By the graph's lock (suspend/edges.c). */
	struct doze_edge *in; /* who waits for it */
	struct doze_future *via, *todo;
	uint64_t visit;
	struct doze_timed_get *timed;  /* getters with a deadline */
	struct doze_waiter timed_mark; /* stands for them in `waiters` */
	bool timed_marked;
};

/** Whoever took that job out of a queue: whether it is a future that somebody else has claimed. */
bool doze_future_is_tombstone(const struct doze_job *job);

/** Any thread: adds the waiter to the list. False: the future is done. */
bool doze_future_enlist(struct doze_future *f, struct doze_waiter *w);
/** The one who completed it: notifies the getters with a deadline. */
void doze_future_notify_timed(struct doze_future *f);

#endif
