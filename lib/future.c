/*
 * SPDX-License-Identifier: MIT
 *
 * future.c - a submitted function and its result, with helping: a worker that waits for a task that
 * has not begun runs the task itself.
 *
 * A swap of `claimed` decides which thread runs the task. A getter first takes the task out of its
 * worker's deque if it is the newest entry there. A Chase-Lev deque cannot remove an entry from its
 * middle, so any other claimed task stays queued as a tombstone: a worker that takes it runs
 * nothing. A full deque is swept of tombstones before it grows. Queues that can remove an entry
 * (preset forkjoin) remove the task instead.
 *
 * A getter that has to wait must not run just any job that it finds: see suspend/README.md.
 *
 * `waiters` is a list of getters, or DONE. Each getter pushes itself and sleeps on its own latch,
 * so every latch has a single owner even if several getters wait. The completing thread swaps in
 * DONE and sets the latches of the list.
 *
 * An entry cannot be removed from the middle of that lock-free list. Getters with a deadline
 * therefore have their own list, protected by the graph's lock. One mark in the lock-free list
 * represents all of them: the thread that completes the future finds the mark and takes the lock.
 *
 * A future has two references: its owner's, and the queue's, which is dropped when the job or
 * tombstone leaves the queue. The pool's end waits until the queue's reference is dropped.
 */
#include <errno.h>
#include <stdlib.h>

#include "deadlock.h"
#include "future.h"
#include "guard.h"
#include "os.h"
#include "pool.h"
#include "queues.h"
#include "suspend/suspend.h"
#include "suspend/wait_graph.h"

/* Before it suspends, a getter polls a running task at most LOOKS times and for at most LOOKS_NS
 * nanoseconds, about as long as it takes to hand the worker to another thread. The time limit
 * matters on a busy machine, where a single yield may take many milliseconds. */
#define LOOKS    32
#define LOOKS_NS 20000

static struct doze_waiter done_mark;
#define DONE (&done_mark)

struct doze_timed_get {
	/* Protected by the graph's lock. */
	struct doze_timed_get *next, **link;
	bool done;
	doze_cond changed;
};

static void drop(struct doze_future *f)
{
	da_edge_out(&f->references);
	/* Acquire and acquire-release: the last accesses of both reference holders happen before
	 * the free. If only one reference is left, the load saves its holder the write. */
	if (da_load(&f->references, ACQ) != 1 && da_sub(&f->references, 1, AR) != 1)
		return;
	da_edge_in(&f->references);
	doze_slab_free(f, f->from, doze_self);
}

/* Returns true to exactly one caller, which must then run the task. */
static bool claim(struct doze_future *f)
{
	/* Load first (relaxed), so that a tombstone costs no write. Acquire on the swap: orders the
	 * submitter's writes before the reads of a getter that did not get the task from a queue.
	 */
	return da_load(&f->claimed, RLX) == 0 && da_swap(&f->claimed, 1, ACQ) == 0;
}

/* Notifies the getters with a deadline. Called by the thread that completed the future. */
static void notify_timed(struct doze_future *f)
{
	doze_mutex_lock(doze_graph_lock());
	for (struct doze_timed_get *t = f->timed; t != NULL; t = t->next) {
		t->done = true;
		doze_cond_signal(&t->changed);
	}
	doze_mutex_unlock(doze_graph_lock());
}

static void set_waiter(struct doze_future *f, struct doze_waiter *w, struct doze_worker *worker)
{
	if (w->outside != NULL)
		doze_lock_latch_set(w->outside);
	else if (w->inside != NULL)
		doze_spin_latch_set(w->inside, worker);
	else
		notify_timed(f);
}

/* Runs the task and wakes its getters. The caller has claimed f and holds a reference. */
static void complete(struct doze_future *f, struct doze_worker *worker, enum doze_source source)
{
	uint64_t id = f->job.id;
	struct doze_future *outer = worker->root;

	da_edge_in(&f->job); /* needed if this thread did not take the task out of a queue */
	worker->root = f;
	doze_job_begin(worker, id, source);
	DOZE_GUARDED(f->result = f->fn(f->arg));
	doze_job_end(worker, id);
	worker->root = outer;
	/* Acquire-release: orders the result before DONE, and the waiters' fields before the reads
	 * below. */
	da_edge_out(&f->waiters);
	struct doze_waiter *w = da_swap(&f->waiters, DONE, AR);
	while (w != NULL) {
		/* Read `next` first: the set may free the getter's frame, which contains *w. */
		struct doze_waiter *next = w->next;
		set_waiter(f, w, worker);
		w = next;
	}
}

/* Drops the queue's reference to the future, and the task's share of the pool's terminate_count. */
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

/* Removes the tombstones from the worker's deque if the next push would make it grow: takes all
 * entries out and puts the live ones back. If more than half are live, the deque grows as well, so
 * that many pushes share the cost of a sweep. */
static void sweep(struct doze_worker *worker)
{
	struct doze_deque *d = &worker->deque;
	size_t kept = 0, room;
	struct doze_job *job, **keep;

	if (worker->queues != NULL || !doze_deque_full(d))
		return;
	room = (size_t)doze_deque_length(d);
	keep = malloc((room + 1) * sizeof(struct doze_job *));
	if (keep == NULL)
		return;
	while ((job = doze_deque_pop(d)) != NULL) {
		if (doze_future_is_tombstone(job))
			leave_queue((struct doze_future *)job, worker);
		else
			keep[kept++] = job;
	}
	if (kept > room / 2)
		/* A failure is harmless: the deque keeps its size. */
		(void)doze_deque_reserve(d, (uint32_t)room + 1);
	for (size_t i = kept; i-- > 0;)
		doze_deque_push(d, keep[i]);
	free(keep);
}

/* Returns a future that is not queued yet, or null if out of memory. */
static struct doze_future *future_new(struct doze_pool *pool, struct doze_worker *worker,
				      doze_task_fn fn, void *arg, const void *caller)
{
	struct doze_slab *from;
	struct doze_future *f = doze_slab_alloc(worker, sizeof *f, &from);

	if (f == NULL)
		return NULL;
	*f = (struct doze_future){.pool = pool, .pool_id = pool->id, .from = from};
	f->submitter = doze_pool_own_deque(pool, worker) ? worker->index : -1;
	f->fn = fn;
	f->arg = arg;
	f->job.run = future_run;
	f->job.id = doze_pool_next_job(pool, worker);
	f->job.caller = caller;
	f->job.root = f;
	da_init(&f->claimed, 0);
	da_init(&f->waiters, NULL);
	da_init(&f->inline_in, NULL);
	da_init(&f->references, 2);
	return f;
}

int doze_submit(doze_future **out, doze_pool *pool, doze_task_fn fn, void *arg)
{
	struct doze_worker *worker = doze_self;

	pool = doze_pool_or_default(pool);
	struct doze_future *f = *out = future_new(pool, worker, fn, arg, DOZE_CALLER);
	if (f == NULL)
		return doze_error_set(ENOMEM, "doze_submit: no memory for a future");
	doze_pool_terminate_hold(pool, worker);
	if (f->submitter >= 0)
		sweep(worker);
	int error = doze_pool_queue(pool, worker, NULL, &f->job);
	if (error == 0)
		return 0;
	doze_pool_terminate_unhold(pool, 1);
	doze_slab_free(f, f->from, worker);
	*out = NULL;
	return doze_error_set(error, "doze_submit: no memory to queue a task");
}

/* Queues a batch of futures. Returns 0, or ENOMEM with none queued. */
static int queue_many(struct doze_pool *pool, struct doze_worker *worker,
		      const struct doze_batch *batch)
{
	doze_pool_terminate_hold_many(pool, batch->count);
	if (doze_pool_own_deque(pool, worker))
		sweep(worker);
	int error = doze_pool_queue_many(pool, worker, NULL, batch);
	if (error != 0)
		doze_pool_terminate_unhold(pool, batch->count);
	return error;
}

int doze_submit_many(doze_future **out, doze_pool *pool, doze_task_fn fn, void *args, size_t count,
		     size_t size)
{
	struct doze_worker *worker = doze_self;
	struct doze_batch batch = {.count = 0};
	size_t made = 0;

	if (count == 0)
		return 0;
	pool = doze_pool_or_default(pool);
	for (; made < count && made < DOZE_BATCH_MAX; made++) {
		out[made] = future_new(pool, worker, fn, (char *)args + made * size, DOZE_CALLER);
		if (out[made] == NULL)
			break;
		doze_batch_add(&batch, &out[made]->job);
	}
	if (made == count && queue_many(pool, worker, &batch) == 0)
		return 0;
	while (made-- > 0)
		doze_slab_free(out[made], out[made]->from, worker);
	*out = NULL;
	return doze_error_set(ENOMEM, "doze_submit_many: no memory for %zu tasks", count);
}

bool doze_future_ready(const doze_future *f)
{
	/* Acquire: orders DONE before the read of the result. */
	if (da_load(&f->waiters, ACQ) != DONE)
		return false;
	da_edge_in(&f->waiters);
	return true;
}

/* Takes the task out of the worker's own deque. Returns false if it is not the newest entry. */
static bool take_newest(struct doze_future *f, struct doze_worker *worker)
{
	struct doze_deque *d = &worker->deque;

	if (worker->queues != NULL || f->submitter != worker->index ||
	    doze_deque_newest(d) != &f->job)
		return false;
	struct doze_job *job = doze_deque_pop(d);
	/* a thief took the task, and pop returned another entry */
	if (job != NULL && job != &f->job) {
		doze_deque_push(d, job);
		return false;
	}
	return job != NULL;
}

/* Takes the task out of a queue that can remove an entry from its middle. */
static bool take_out(struct doze_future *f, struct doze_worker *worker)
{
	const struct doze_queue_ops *ops = worker->queues;
	return ops != NULL && ops->remove != NULL && f->submitter == worker->index &&
	       ops->remove(worker, &f->job);
}

/* Runs the task inline. Returns false if another thread has claimed the task, the worker belongs to
 * another pool, or the worker's stack is deep. */
static bool help(struct doze_future *f, struct doze_worker *worker)
{
	if (doze_acting_index(worker, f->pool) < 0 || doze_stack_is_deep(worker))
		return false;
	bool taken = take_newest(f, worker);
	bool mine = claim(f);
	if (mine) {
		taken = taken || take_out(f, worker);
		/* Relaxed: only the search for cycles reads it; wait_graph.c explains the
		 * ordering. */
		da_store(&f->inline_in, worker->root, RLX);
		complete(f, worker, DOZE_SOURCE_helped);
	}
	if (taken)
		leave_queue(f, worker);
	return mine;
}

/* Adds the waiter to the list, or returns false if the future is done. */
static bool enlist(struct doze_future *f, struct doze_waiter *w)
{
	struct doze_waiter *first =
	    da_load(&f->waiters, ACQ); /* acquire: orders DONE before the read of the result */
	do {
		if (first == DONE) {
			da_edge_in(&f->waiters);
			return false;
		}
		w->next = first;
		/* Release: orders the waiter's fields before its publication. Acquire on failure:
		 * orders DONE before the read of the result. */
	} while (!da_cas(&f->waiters, &first, w, AR, ACQ));
	return true;
}

static void wait_inside(struct doze_future *f, struct doze_worker *worker)
{
	struct doze_core_latch latch;
	struct doze_waiter w = {.inside = &latch};
	doze_spin_latch_init(&latch, worker, true);
	latch.kind = DOZE_LATCH_KIND_future;
	latch.elsewhere = f->pool != worker->pool;
	if (enlist(f, &w))
		doze_worker_wait_for(worker, &latch, f);
}

/* Called in a task that waits for another task. Few of the queued jobs may run on this stack while
 * the getter waits, so it polls the other task briefly before it hands its worker over. */
static void wait_in_task(struct doze_future *f, struct doze_worker *worker)
{
	struct doze_edge edge;
	int64_t end = doze_os_now_ns() + LOOKS_NS;

	for (int i = 0; i < LOOKS && !doze_future_ready(f) && doze_os_now_ns() < end; i++)
		doze_thread_yield();
	if (doze_future_ready(f))
		return;
	doze_edge_publish(&edge, worker->root, f);
	wait_inside(f, worker);
	doze_edge_withdraw(&edge);
}

static void wait_on_worker(struct doze_future *f, struct doze_worker *worker)
{
	if (worker->root != NULL)
		wait_in_task(f, worker);
	else
		wait_inside(f, worker);
}

static void wait_outside(struct doze_future *f)
{
	doze_handler_must_not_wait(f->pool, "doze_future_get");
	struct doze_waiter w = {.outside = doze_thread_latch()};
	if (enlist(f, &w))
		doze_lock_latch_wait_and_reset(w.outside);
}

void *doze_future_get(doze_future *f)
{
	struct doze_worker *worker = doze_self;

	if (!doze_future_ready(f)) {
		doze_pool_must_not_be_inherited(f->pool_id);
		if (worker == NULL)
			wait_outside(f);
		else if (!help(f, worker))
			wait_on_worker(f, worker); // NOLINT(clang-analyzer-unix.Malloc)
	}
	/* The analyser cannot know that the caller still holds its reference. */
	return f->result; // NOLINT(clang-analyzer-unix.Malloc)
}

/* ---- getting with a deadline ---- */

/* Called with the graph's lock held. Returns false if the future is done. */
static bool join_list(struct doze_future *f, struct doze_timed_get *t)
{
	if (!f->timed_marked && !enlist(f, &f->timed_mark))
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

/* A worker always suspends this wait, even if there are jobs to run, because the sleep policies
 * support no deadline, and a job could outlast the deadline. */
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

void doze_future_free(doze_future *f)
{
	if (f != NULL)
		drop(f);
}
