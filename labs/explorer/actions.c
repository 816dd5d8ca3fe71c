/*
 * SPDX-License-Identifier: MIT
 *
 * actions.c - enumerates the actions of the current state, the branches of the search.
 *
 * It applies the preemption bound and two reductions that keep every deadlock and every failed
 * check reachable: movers are explored alone, and stores are flushed only when the order matters.
 */
#include "search.h"

/** Returns whether a step of this thread would be a preemption, that is, whether the last thread
 * could continue. After a yield or the start of a thread, a switch is free. */
static bool is_preemption(int thread)
{
	int last = W->last;
	return last >= 0 && thread != last && ex_enabled(last) && W->t[last].op.kind != EX_OP_YIELD;
}

/** Returns the thread that took the last step if a switch to another thread would cost a
 * preemption, now or after a spurious wake of that thread; otherwise -1. */
int ex_last_that_can_go_on(void)
{
	if (E->opt.bound < 0 || W->last < 0)
		return -1;
	const struct ex_thread *last = &W->t[W->last];
	if (last->status == EX_WAITING && W->spurious_left)
		return W->last;
	return ex_enabled(W->last) && last->op.kind != EX_OP_YIELD ? W->last : -1;
}

static bool affordable(bool preempts)
{
	return E->opt.bound < 0 || !preempts || W->preemptions < (unsigned)E->opt.bound;
}

/** The addresses of the objects that a thread's next step touches, directly or by flushing stores.
 */
struct addresses {
	unsigned n;
	uintptr_t at[EX_MAX_THREADS * EX_MAX_BUF + 1];
};

static void add_buffer(struct addresses *a, unsigned thread)
{
	const struct ex_thread *t = &W->t[thread];
	for (unsigned k = 0; k < t->nbuf; k++)
		a->at[a->n++] = t->buf[k].addr;
}

static bool touches_buffer(const struct addresses *a, unsigned thread)
{
	const struct ex_thread *t = &W->t[thread];
	for (unsigned k = 0; k < t->nbuf; k++)
		for (unsigned i = 0; i < a->n; i++)
			if (a->at[i] == t->buf[k].addr)
				return true;
	return false;
}

/** Returns the threads, one bit each, whose oldest store the search must also try to flush before
 * this thread's step: those that buffer a store to an object that the step touches. Buffers are
 * flushed in order, so a thread that buffers a store to any object in such a buffer counts too. */
static unsigned flushes_before(unsigned thread)
{
	const struct ex_op *op = &W->t[thread].op;
	struct addresses a = {1, {op->addr}};
	/* The thread whose buffer the step itself drains. A join drains the joined thread's buffer;
	 * the joiner's own stores may reach memory before or after those stores. */
	unsigned emptied = op->kind == EX_OP_JOIN ? op->n : thread;
	unsigned found = 1u << emptied, before;

	/* A heavy fence drains all buffers, in any order. */
	for (unsigned i = 0; op->kind == EX_OP_FENCE_ALL && i < W->nthreads; i++)
		if (W->t[i].nbuf)
			found |= 1u << i;
	if (op->kind == EX_OP_FENCE_ALL)
		return found & ~(1u << thread);
	if (emptied != thread || ex_drains(op) || W->t[thread].nbuf == EX_MAX_BUF)
		add_buffer(&a, emptied);
	do {
		before = found;
		for (unsigned i = 0; i < W->nthreads; i++)
			if (!(found >> i & 1) && touches_buffer(&a, i)) {
				found |= 1u << i;
				add_buffer(&a, i);
			}
	} while (found != before);
	return found & ~(1u << emptied);
}

static unsigned add_thread(struct ex_action *out, unsigned n, unsigned thread, unsigned max)
{
	bool preempts = is_preemption((int)thread);
	if (!ex_enabled((int)thread) || !affordable(preempts))
		return n;
	unsigned choices = ex_choices((int)thread);
	for (unsigned c = 0; c < choices && n < max; c++)
		out[n++] = (struct ex_action){EX_RUN, (uint8_t)thread, (uint8_t)c, preempts};
	if (E->opt.memory != EX_MEM_TSO)
		return n;
	unsigned flushes = flushes_before(thread);
	for (unsigned i = 0; i < W->nthreads && n < max; i++)
		if (flushes >> i & 1)
			out[n++] =
			    (struct ex_action){EX_FLUSH, (uint8_t)i, (uint8_t)thread, preempts};
	return n;
}

static int find_mover(void)
{
	for (int i = 0; i < (int)W->nthreads; i++)
		if (ex_is_mover(i) && ex_enabled(i))
			return i;
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

/** Adds a flush of each buffer when no thread can continue, because stores reach memory
 * eventually. */
static unsigned add_last_flushes(struct ex_action *out, unsigned n, unsigned max)
{
	for (unsigned i = 0; i < W->nthreads && n < max; i++)
		if (W->t[i].nbuf)
			out[n++] = (struct ex_action){EX_FLUSH, (uint8_t)i, (uint8_t)i, 0};
	return n;
}

/** Lists all actions that are possible in the current state, beginning with those of the last
 * thread. Returns their number. */
unsigned ex_enumerate(struct ex_action *out, unsigned max)
{
	unsigned n = 0;
	if (W->turn)
		return add_thread(out, n, W->turn - 1, max);
	int mover = find_mover();
	if (mover >= 0) {
		out[0] = (struct ex_action){EX_RUN, (uint8_t)mover, 0, 0};
		return 1;
	}
	if (W->last >= 0)
		n = add_thread(out, n, (unsigned)W->last, max);
	for (int i = 0; i < (int)W->nthreads; i++)
		if (i != W->last)
			n = add_thread(out, n, (unsigned)i, max);
	if (n == 0)
		n = add_last_flushes(out, n, max);
	if (n == 0)
		n = add_quiet(out);
	for (unsigned i = 0; i < W->nthreads && n < max; i++)
		if (W->spurious_left && W->t[i].status == EX_WAITING)
			out[n++] = (struct ex_action){EX_SPURIOUS, (uint8_t)i, 0, 0};
	return n;
}

/* Writes which thread holds the lock that a thread waits for: " on a lock that worker 1 holds". */
static const char *holder_of(const struct ex_thread *t, char *out, size_t size)
{
	uint32_t owner = t->op.kind == EX_OP_LOCK && t->status == EX_READY
			     ? ((const doze_mutex *)t->op.addr)->owner
			     : 0;

	out[0] = '\0';
	if (owner > W->nthreads) /* the mutex was freed and has no valid owner */
		return out;
	if (owner && t == &W->t[owner - 1])
		snprintf(out, size, " on a lock that it holds itself");
	else if (owner)
		snprintf(out, size, " on a lock that %s holds", ex_thread_name((int)owner - 1));
	return out;
}

/** Returns whether a state without actions is a hang rather than the end of the program. Describes
 * a hang in the message. */
bool ex_is_hang(char *message, size_t size)
{
	size_t at = 0;
	char holder[64];
	for (unsigned i = 0; i < W->nthreads; i++) {
		const struct ex_thread *t = &W->t[i];
		if (t->status == EX_ENDED)
			continue;
		at += (size_t)snprintf(
		    message + at, size - at, "%s%s %s in %s%s%s%s", at ? ", " : "",
		    ex_thread_name((int)i), t->status == EX_WAITING ? "sleeps" : "blocks",
		    t->op.at.func, t->expects ? " waiting for " : "", t->expects ? t->expects : "",
		    holder_of(t, holder, sizeof holder));
		if (at >= size)
			break;
	}
	return at > 0;
}
