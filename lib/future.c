/*
 * SPDX-License-Identifier: MIT
 *
 * future.c - a submitted function and its result, with work helping: whoever wants the result of a
 * task that nobody has begun runs it right there (as fork-join pools of course work do).
 *
 * Who runs it is decided by `claimed`, one swap. A Chase-Lev deque cannot give up an entry from its
 * middle, so a task that its getter claimed stays queued as a tombstone; whoever takes that out
 * runs nothing. Queues that can remove (preset forkjoin) are asked to.
 *
 * `waiters` is a list of getters, or DONE. A getter pushes itself and sleeps on its own latch, so
 * that each latch still has one owner, however many wait; the one who completes swaps in DONE and
 * sets the latches that were there.
 *
 * References: the holder of the future, and the queue (until job or tombstone has come out of it;
 * the pool's end waits for that).
 */
#include <errno.h>
#include <stdlib.h>

#include "deadlock.h"
#include "pool.h"
#include "queues.h"

struct waiter {
	struct waiter *next;
	struct doze_lock_latch *outside; /* the thread's own; or null: `inside` */
	struct doze_spin_latch inside;
};

struct doze_future {
	struct doze_job job;
	/* Constant once submitted. */
	struct doze_pool *pool; /* weak */
	int32_t submitter;      /* worker whose queue it went to; -1: the injector */
	doze_task_fn fn;
	void *arg;
	/* Written by the one who runs it, before it swaps DONE in. */
	void *result;
	/* Any thread. */
	DOZE_ATOMIC(uint32_t) claimed;
	DOZE_ATOMIC(struct waiter *) waiters;
	DOZE_ATOMIC(uint32_t) references;
};

static struct waiter done_mark;
#define DONE (&done_mark)

static void drop(struct doze_future *f)
{
	/* Acquire-release: everybody's last touch before the free. */
	if (da_sub(&f->references, 1, AR) == 1)
		free(f);
}

/* True for one caller: the one that is to run it. */
static bool claim(struct doze_future *f)
{
	/* Relaxed look first, so that tombstones cost no write. Acquire on the swap: the
	 * submitter's fields, for a getter that got the future by other means than the queue. */
	return da_load(&f->claimed, RLX) == 0 && da_swap(&f->claimed, 1, ACQ) == 0;
}

static void set_waiter(struct waiter *w, struct doze_worker *worker)
{
	if (w->outside != NULL)
		doze_lock_latch_set(w->outside);
	else
		doze_spin_latch_set(&w->inside, worker);
}

/* The caller has claimed it and holds a reference. */
static void complete(struct doze_future *f, struct doze_worker *worker, enum doze_source source)
{
	uint64_t id = f->job.id;

	doze_job_begin(worker, id, source);
	f->result = f->fn(f->arg);
	doze_job_end(worker, id);
	/* Acquire-release: the result before DONE; the waiters' fields before our reading them. */
	struct waiter *w = da_swap(&f->waiters, DONE, AR);
	while (w != NULL) {
		struct waiter *next = w->next; /* before the set: it lives in the getter's frame */
		set_waiter(w, worker);
		w = next;
	}
}

/* The queue's reference and its hold on the pool's end. */
static void leave_queue(struct doze_future *f, struct doze_worker *worker)
{
	struct doze_pool *pool = f->pool;
	drop(f);
	doze_pool_terminate_drop(pool, worker);
}

static void future_run(struct doze_job *job, struct doze_worker *worker, enum doze_source source)
{
	struct doze_future *f = (struct doze_future *)job;
	if (claim(f))
		complete(f, worker, source);
	leave_queue(f, worker);
}

int doze_submit(doze_future **out, doze_pool *pool, doze_task_fn fn, void *arg)
{
	struct doze_worker *worker = doze_self;
	struct doze_future *f = calloc(1, sizeof *f);

	*out = f;
	if (f == NULL)
		return doze_error_set(ENOMEM, "doze_submit: no memory for a future");
	f->pool = pool = doze_pool_or_default(pool);
	f->submitter = doze_acting_index(worker, pool);
	f->fn = fn;
	f->arg = arg;
	f->job.run = future_run;
	f->job.id = doze_pool_next_job(pool, worker);
	f->job.caller = DOZE_CALLER;
	da_init(&f->references, 2);
	doze_pool_terminate_hold(pool);
	if (f->submitter >= 0)
		doze_worker_push(worker, &f->job);
	else
		doze_pool_inject(pool, worker, &f->job);
	return 0;
}

bool doze_future_ready(const doze_future *f)
{
	return da_load(&f->waiters, ACQ) == DONE; /* acquire: the result */
}

/* On a worker of the future's pool, which has claimed it. */
static void help(struct doze_future *f, struct doze_worker *worker)
{
	const struct doze_queue_ops *ops = worker->queues;
	bool removed = ops != NULL && ops->remove != NULL && f->submitter == worker->index &&
		       ops->remove(worker, &f->job);

	complete(f, worker, DOZE_SOURCE_helped);
	if (removed)
		leave_queue(f, worker);
}

/* True: the waiter is in the list and its latch will be set. False: it is done. */
static bool enlist(struct doze_future *f, struct waiter *w)
{
	struct waiter *first = da_load(&f->waiters, ACQ); /* acquire: the result, if DONE */
	do {
		if (first == DONE)
			return false;
		w->next = first;
		/* Release: the waiter's fields before it is seen; acquire on failure: as above. */
	} while (!da_cas(&f->waiters, &first, w, AR, ACQ));
	return true;
}

static void wait_inside(struct doze_future *f, struct doze_worker *worker)
{
	struct waiter w = {.outside = NULL};
	doze_spin_latch_init(&w.inside, worker, true);
	w.inside.core.kind = DOZE_LATCH_KIND_future;
	w.inside.core.elsewhere = f->pool != worker->pool;
	if (enlist(f, &w))
		doze_worker_wait_until(worker, &w.inside.core);
}

static void wait_outside(struct doze_future *f)
{
	doze_handler_must_not_wait(f->pool, "doze_future_get");
	struct waiter w = {.outside = doze_thread_latch()};
	if (enlist(f, &w))
		doze_lock_latch_wait_and_reset(w.outside);
}

void *doze_future_get(doze_future *f)
{
	struct doze_worker *worker = doze_self;

	if (!doze_future_ready(f)) {
		if (doze_acting_index(worker, f->pool) >= 0 && claim(f))
			help(f, worker);
		else if (worker != NULL)
			wait_inside(f, worker);
		else
			wait_outside(f);
	}
	/* The caller's own reference is still there, which the analyser cannot know. */
	return f->result; // NOLINT(clang-analyzer-unix.Malloc)
}

void doze_future_free(doze_future *f)
{
	if (f != NULL)
		drop(f);
}
