/*
 * SPDX-License-Identifier: MIT
 *
 * join.c - runs two functions, possibly in parallel. The fast path is in doze_inline.h.
 *
 * The joiner offers b to thieves, runs a, then pops its own jobs, newest first, until it reaches b
 * or b is done. The jobs above b were spawned by a; running them first keeps the deque a stack.
 */
#include "join.h"

#include "pool.h"

static void run(struct doze_join_job *b, struct doze_worker *worker, enum doze_source source)
{
	uint64_t id = b->job.id;

	doze_job_begin(worker, id, source);
	DOZE_GUARDED(b->fn(b->arg));
	doze_job_end(worker, id);
}

void doze_join_run(struct doze_job *job, struct doze_worker *worker, enum doze_source source)
{
	struct doze_join_job *b = (struct doze_join_job *)job;

	run(b, worker, source);
	doze_spin_latch_set(&b->done, worker); /* last access to the joiner's frame */
}

/* Runs jobs until the half is done. `taken` is the first of them, or null. */
static void wait_for(struct doze_worker *worker, struct doze_join_job *b, struct doze_job *taken,
		     enum doze_source source)
{
	while (taken != NULL) {
		bool found = taken == &b->job;
		if (!found && !doze_may_run(worker, taken)) {
			doze_suspend_wait(worker, &b->done, NULL, taken, source);
			break;
		}
		doze_worker_execute(worker, taken, source);
		if (found)
			return;
		/* Acquire: orders b's effects before the return. */
		if (doze_core_latch_probe(&b->done, ACQ))
			return;
		if (doze_has_ready(worker))
			break; /* doze_worker_wait_until serves the suspended wait that is ready */
		taken = doze_worker_take_next(worker, &source);
	}
	doze_worker_wait_until(worker, &b->done);
}

void doze_join_finish(struct doze_join_job *half, int why)
{
	struct doze_worker *worker = half->done.owner;
	struct doze_job *taken = &half->job;
	enum doze_source source = DOZE_SOURCE_local;

	/* Check before popping: if b was stolen and is done, the remaining entries of the deque do
	 * not belong to this join. Acquire: orders b's effects before the return. */
	if (why == DOZE_INLINE_SHARED && doze_core_latch_probe(&half->done, ACQ))
		return;
	if (why == DOZE_INLINE_SHARED)
		taken = doze_worker_pop(worker); /* a worker with other queues always comes here */
	else if (why == DOZE_INLINE_REQUEST)
		taken = doze_deque_pop_asked(&worker->deque);
	if (doze_likely(taken == &half->job)) {
		run(half, worker, DOZE_SOURCE_local);
		return;
	}
	if (taken == NULL)
		taken = doze_worker_take_turn(worker, &source);
	wait_for(worker, half, taken, source);
	doze_worker_settle(worker);
}

void doze_join_heed(struct doze_join_job *half, const void *caller)
{
	struct doze_worker *worker = half->done.owner;

	/* Relaxed: a request that is seen late is answered late. */
	if ((da_load(&worker->deque.asked, RLX) & DOZE_DEQUE_ASKED) != 0)
		doze_deque_answer(&worker->deque);
	if (!doze_fast_is_quiet(worker))
		doze_worker_posted(worker, half->job.id, caller,
				   doze_deque_length(&worker->deque) <= 1);
}

/* The arguments of a join. */
struct join_call {
	doze_fn a, b;
	void *arg_a, *arg_b;
	const void *caller;
};

/* The general case of a join, for a worker whose deque has no room or that does not use a deque. */
static void join_slowly(struct doze_worker *worker, const struct join_call *call)
{
	struct doze_join_job offered;

	if (doze_worker_reserve(worker, 1) != 0) {
		/* Out of memory: b cannot be offered, so run both functions here. */
		DOZE_GUARDED(call->a(call->arg_a));
		DOZE_GUARDED(call->b(call->arg_b));
		return;
	}
	/* Relaxed: only the owner writes bottom. */
	int64_t bottom = da_load(&worker->deque.bottom, RLX);
	doze_inline_prepare(worker, &offered, call->b, call->arg_b, bottom);
	offered.job.caller = call->caller;
	doze_worker_push(worker, &offered.job);
	DOZE_GUARDED(call->a(call->arg_a));
	doze_inline_take_back(&offered, call->b);
}

static void join_from_outside(void *arg)
{
	join_slowly(doze_self, arg);
}

static __attribute__((noinline, cold)) void install_join(doze_fn a, void *arg_a, doze_fn b,
							 void *arg_b, const void *caller)
{
	struct join_call call = {a, b, arg_a, arg_b, caller};
	doze_install_for(NULL, join_from_outside, &call, call.caller);
}

static __attribute__((noinline, cold)) void join_general(doze_fn a, void *arg_a, doze_fn b,
							 void *arg_b, const void *caller)
{
	const struct join_call call = {a, b, arg_a, arg_b, caller};
	join_slowly(doze_self, &call);
}

void doze_join(doze_fn a, void *arg_a, doze_fn b, void *arg_b)
{
	struct doze_worker *worker = doze_self;
	struct doze_join_job half;

	if (doze_unlikely(worker == NULL)) {
		install_join(a, arg_a, b, arg_b, DOZE_CALLER);
		return;
	}
	/* For ThreadSanitizer, doze_worker_push declares the edge. */
	if (doze_unlikely(!doze_deque_has_room(&worker->deque) || da_edges_wanted())) {
		join_general(a, arg_a, b, arg_b, DOZE_CALLER);
		return;
	}
	/* Relaxed: only the owner writes bottom. */
	int64_t bottom = da_load(&worker->deque.bottom, RLX);
	doze_inline_prepare(worker, &half, b, arg_b, bottom);
	if (doze_unlikely(doze_inline_push(worker, &half, bottom) == DOZE_INLINE_HEED))
		doze_join_heed(&half, DOZE_CALLER);
	DOZE_GUARDED(a(arg_a));
	doze_inline_take_back(&half, DOZE_INLINE_AGAIN(half.fn));
}

/* ---- for doze_inline.h in the functions of users ---- */

/* What doze_inline.h stores as job.run. */
extern __typeof__(doze_join_run) doze_inline_run
    __attribute__((alias("doze_join_run"), visibility("default")));

void doze_inline_heed(struct doze_inline_half *half)
{
	doze_join_heed((struct doze_join_job *)half, DOZE_CALLER);
}

void doze_inline_finish(struct doze_inline_half *half, enum doze_inline_why why)
{
	doze_join_finish((struct doze_join_job *)half, (int)why);
}

/* The layout that doze_inline.h describes. A change here needs a new DOZE_INLINE_LAYOUT. */
#define SAME_PLACE(ours, theirs, member)                                                           \
	_Static_assert(offsetof(struct ours, member) == offsetof(struct theirs, member),           \
		       "another place");                                                           \
	_Static_assert(sizeof(((struct ours *)0)->member) == sizeof(((struct theirs *)0)->member), \
		       "another size")
#define SAME_IN_WORKER(member) SAME_PLACE(doze_worker, doze_inline_worker, member)
#define SAME_IN_HALF(member)   SAME_PLACE(doze_join_job, doze_inline_half, member)
#define SAME_IN_BUFFER(member) SAME_PLACE(doze_deque_buffer, doze_inline_buffer, member)
SAME_IN_WORKER(layout);
SAME_IN_WORKER(job_ids);
SAME_IN_WORKER(root);
SAME_IN_WORKER(word);
SAME_IN_WORKER(quiet_mask);
SAME_IN_WORKER(quiet_value);
SAME_IN_WORKER(jobs_run);
SAME_IN_WORKER(jobs_published);
SAME_IN_WORKER(starts_on);
SAME_IN_WORKER(deque.asked);
SAME_IN_WORKER(deque.bottom);
SAME_IN_WORKER(deque.split);
SAME_IN_WORKER(deque.buffer);
SAME_IN_WORKER(deque.room);
SAME_IN_HALF(job);
SAME_IN_HALF(job.run);
SAME_IN_HALF(job.id);
SAME_IN_HALF(job.root);
SAME_IN_HALF(fn);
SAME_IN_HALF(arg);
SAME_IN_HALF(at);
SAME_IN_HALF(done);
SAME_IN_HALF(done.state);
SAME_IN_HALF(done.kind);
SAME_IN_HALF(done.cross);
SAME_IN_HALF(done.elsewhere);
SAME_IN_HALF(done.unused);
SAME_IN_HALF(done.owner);
SAME_IN_HALF(done.id);
SAME_IN_BUFFER(capacity);
_Static_assert(offsetof(struct doze_deque_buffer, slot) ==
		   offsetof(struct doze_inline_buffer, slot),
	       "slot");
_Static_assert(DOZE_INLINE_LAYOUT == DOZE_WORKER_LAYOUT &&
		   DOZE_INLINE_SPIN == DOZE_LATCH_KIND_spin && DOZE_LATCH_unset == 0 &&
		   DOZE_INLINE_ASKED == DOZE_DEQUE_ASKED,
	       "constants");
