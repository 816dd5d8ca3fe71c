/*
 * SPDX-License-Identifier: MIT
 *
 * future_timed.c - getting a future with a deadline.
 *
 * The list of getters (future.c) is lock-free, so an entry cannot be removed from its middle.
 * Getters with a deadline therefore have their own list, protected by the graph's lock. One mark in
 * the lock-free list represents all of them: the thread that completes the future finds the mark
 * and takes the lock.
 *
 * A worker always suspends this wait, even if there are jobs to run, because the sleep policies
 * support no deadline, and a job could outlast the deadline.
 */
#include <errno.h>

#include "future.h"
#include "os.h"
#include "pool.h"
#include "suspend/suspend.h"
#include "suspend/wait_graph.h"

struct doze_timed_get {
	/* Protected by the graph's lock. */
	struct doze_timed_get *next, **link;
	bool done;
	doze_cond changed;
};

void doze_future_notify_timed(struct doze_future *f)
{
	doze_mutex_lock(doze_graph_lock());
	for (struct doze_timed_get *t = f->timed; t != NULL; t = t->next) {
		t->done = true;
		doze_cond_signal(&t->changed);
	}
	doze_mutex_unlock(doze_graph_lock());
}

/* Called with the graph's lock held. Returns false if the future is done. */
static bool join_list(struct doze_future *f, struct doze_timed_get *t)
{
	if (!f->timed_marked && !doze_future_enlist(f, &f->timed_mark))
		return false;
	f->timed_marked = true;
	/* The thread that completes the future may already have found timed_mark and notified the
	 * getters in the list. A getter that joined the list now could miss the notification, and
	 * need not wait. */
	if (doze_future_ready(f))
		return false;
	t->next = f->timed;
	t->link = &f->timed;
	if (t->next != NULL)
		t->next->link = &t->next;
	f->timed = t;
	return true;
}

static void leave_list(struct doze_timed_get *t)
{
	*t->link = t->next;
	if (t->next != NULL)
		t->next->link = t->link;
}

/* Blocks the thread until the future is done or the deadline has passed. */
static void block(struct doze_future *f, uint64_t deadline)
{
	struct doze_timed_get t = {.done = false};
	bool in_time = true;

	doze_cond_init(&t.changed);
	doze_mutex_lock(doze_graph_lock());
	if (join_list(f, &t)) {
		while (!t.done && in_time)
			in_time = doze_cond_wait_until(&t.changed, doze_graph_lock(), deadline);
		leave_list(&t);
	}
	doze_mutex_unlock(doze_graph_lock());
	doze_cond_destroy(&t.changed);
}

int doze_future_get_timed(doze_future *f, uint64_t timeout_ns, void **result)
{
	struct doze_worker *worker = doze_self;
	struct doze_suspended s;
	uint64_t now = (uint64_t)doze_os_now_ns();
	uint64_t deadline = timeout_ns < UINT64_MAX - now ? now + timeout_ns : UINT64_MAX;

	if (!doze_future_ready(f) && timeout_ns != 0) {
		doze_pool_must_not_be_inherited(f->pool_id);
		/* If max_suspended waits are already suspended, the worker blocks its thread until
		 * the deadline. */
		bool suspended = worker != NULL && doze_suspend_begin(&s, worker, f);
		block(f, deadline);
		if (suspended)
			doze_suspend_end(&s);
	}
	if (!doze_future_ready(f))
		return ETIMEDOUT;
	if (result != NULL)
		*result = f->result;
	return 0;
}
