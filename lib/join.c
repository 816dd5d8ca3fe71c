/*
 * SPDX-License-Identifier: MIT
 *
 * join.c - runs two functions, possibly in parallel. Most of the fast path is in join.h.
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

void doze_join_run_here(struct doze_worker *worker, struct doze_join_job *b)
{
	run(b, worker, DOZE_SOURCE_local);
}

void doze_join_run(struct doze_job *job, struct doze_worker *worker, enum doze_source source)
{
	struct doze_join_job *b = (struct doze_join_job *)job;

	run(b, worker, source);
	doze_spin_latch_set(&b->done, worker); /* last access to the joiner's frame */
}

void doze_join_wait(struct doze_worker *worker, struct doze_join_job *b, struct doze_job *taken,
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
	doze_join_prepare(worker, &offered, call->b, call->arg_b, call->caller);
	doze_worker_push(worker, &offered.job);
	DOZE_GUARDED(call->a(call->arg_a));
	doze_join_take_back(worker, &offered, call->b, call->arg_b);
}

/* Worker only. `caller` is the address of the user's call, for the trace. */
static void join_here(struct doze_worker *worker, doze_fn a, void *arg_a, doze_fn b, void *arg_b,
		      const void *caller)
{
	struct doze_join_job offered;

	if (doze_unlikely(!doze_deque_has_room(&worker->deque))) {
		const struct join_call call = {a, b, arg_a, arg_b, caller};
		join_slowly(worker, &call);
		return;
	}
	doze_join_prepare(worker, &offered, b, arg_b, caller);
	doze_fast_push(worker, &offered.job);
	DOZE_GUARDED(a(arg_a));
	doze_join_take_back(worker, &offered, b, arg_b);
}

static void join_from_outside(void *arg)
{
	const struct join_call *call = arg;
	join_here(doze_self, call->a, call->arg_a, call->b, call->arg_b, call->caller);
}

static __attribute__((noinline, cold)) void install_join(doze_fn a, void *arg_a, doze_fn b,
							 void *arg_b, const void *caller)
{
	struct join_call call = {a, b, arg_a, arg_b, caller};
	doze_install_for(NULL, join_from_outside, &call, call.caller);
}

void doze_join(doze_fn a, void *arg_a, doze_fn b, void *arg_b)
{
	struct doze_worker *worker = doze_self;

	if (doze_likely(worker != NULL))
		join_here(worker, a, arg_a, b, arg_b, DOZE_CALLER);
	else
		install_join(a, arg_a, b, arg_b, DOZE_CALLER);
}
