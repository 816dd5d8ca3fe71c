/*
 * SPDX-License-Identifier: MIT
 *
 * actions.c - what can be done in the present state: the branches of the search.
 *
 * Here are the preemption bound, and two reductions that keep every deadlock and every failed check
 * reachable: movers are explored alone, and stores are flushed only when it matters.
 */
#include "engine.h"

/** Another thread acts although the last one could go on (a yield gives the turn away for free). */
static bool is_preemption(int thread)
{
	int last = W->last;
	return thread != last && ex_enabled(last) && W->t[last].op.kind != EX_OP_YIELD;
}

static bool affordable(bool preempts)
{
	return E->opt.bound < 0 || !preempts || W->preemptions < (unsigned)E->opt.bound;
}

static unsigned add_thread(struct ex_action *out, unsigned n, int thread, unsigned max)
{
	bool preempts = is_preemption(thread);
	if (!ex_enabled(thread) || !affordable(preempts))
		return n;
	unsigned choices = ex_choices(thread);
	for (unsigned c = 0; c < choices && n < max; c++)
		out[n++] = (struct ex_action){EX_RUN, (uint8_t)thread, (uint8_t)c, preempts};
	return n;
}

/** A thread whose step commutes with everything that the others can do from here on; -1 = none. */
static int find_mover(void)
{
	for (unsigned i = 0; i < W->nthreads; i++) {
		unsigned kind = W->t[i].op.kind;
		if ((kind == EX_OP_START || kind == EX_OP_JOIN) && ex_enabled((int)i))
			return (int)i;
	}
	return -1;
}

static unsigned add_quiet(struct ex_action *out)
{
	for (unsigned i = 0; i < W->nthreads; i++)
		if (W->t[i].status == EX_READY && W->t[i].op.kind == EX_OP_QUIET) {
			out[0] = (struct ex_action){EX_RUN, (uint8_t)i, 0, 0};
			return 1;
		}
	return 0;
}

/** Does it matter whether the thread's oldest store reaches memory before or after what comes next?
 * It does when somebody is about to touch an object of its buffer, or waits for the buffer to run
 * empty. Any other time the flush can as well be made later. */
static bool flush_matters(unsigned thread)
{
	const struct ex_thread *t = &W->t[thread];
	if (t->nbuf == 0)
		return false;
	if (t->status == EX_READY && !ex_enabled((int)thread))
		return true;
	for (unsigned i = 0; i < W->nthreads; i++) {
		const struct ex_op *op = &W->t[i].op;
		if (i == thread || W->t[i].status != EX_READY)
			continue;
		if (op->kind == EX_OP_JOIN && op->n == thread)
			return true;
		for (unsigned k = 0; k < t->nbuf; k++)
			if (op->addr == t->buf[k].addr)
				return true;
	}
	return false;
}

static unsigned add_flushes(struct ex_action *out, unsigned n, unsigned max, bool all)
{
	for (unsigned i = 0; i < W->nthreads && n < max; i++) {
		bool preempts = is_preemption((int)i);
		if (W->t[i].nbuf && (all || flush_matters(i)) && affordable(preempts))
			out[n++] = (struct ex_action){EX_FLUSH, (uint8_t)i, 0, preempts};
	}
	return n;
}

/** All actions of the present state, the one that goes on with the last thread first. */
unsigned ex_enumerate(struct ex_action *out, unsigned max)
{
	unsigned n = 0;
	int mover = find_mover();
	if (mover >= 0) {
		out[0] = (struct ex_action){EX_RUN, (uint8_t)mover, 0, 0};
		return 1;
	}
	n = add_thread(out, n, W->last, max);
	for (int i = 0; i < (int)W->nthreads; i++)
		if (i != W->last)
			n = add_thread(out, n, i, max);
	n = add_flushes(out, n, max, false);
	if (n == 0)
		n = add_flushes(out, n, max, true);
	if (n == 0)
		n = add_quiet(out);
	for (unsigned i = 0; i < W->nthreads && n < max; i++)
		if (W->spurious_left && W->t[i].status == EX_WAITING)
			out[n++] = (struct ex_action){EX_SPURIOUS, (uint8_t)i, 0, 0};
	return n;
}
