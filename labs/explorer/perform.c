/*
 * SPDX-License-Identifier: MIT
 *
 * perform.c - the effects of steps: whether a step is enabled, its alternatives, and its execution.
 *
 * This code runs on the scheduler's stack, or on the thread's own stack for a step that no other
 * thread can notice.
 */
#include "world.h"

#include <stdlib.h>
#include <string.h>

static bool mutex_free(uintptr_t m)
{
	return ((const doze_mutex *)m)->owner == 0;
}

/** Returns whether the thread can take its next step. Does not handle QUIET steps: only
 * ex_enumerate knows whether all is quiet. */
bool ex_enabled(int thread)
{
	const struct ex_thread *t = &W->t[thread];
	if (t->status != EX_READY)
		return false;
	const struct ex_op *op = &t->op;
	switch ((enum ex_kind)op->kind) {
	case EX_OP_LOCK:
		return mutex_free(op->addr);
	case EX_OP_JOIN:
		return W->t[op->n].status == EX_ENDED;
	case EX_OP_QUIET:
		return false;
	default:
		return true;
	}
}

static unsigned waiters(uintptr_t cond)
{
	unsigned n = 0;
	for (unsigned i = 0; i < W->nthreads; i++)
		n += W->t[i].status == EX_WAITING && W->t[i].cond == cond;
	return n;
}

/** Returns the number of alternatives of an enabled thread's step. */
unsigned ex_choices(int thread)
{
	const struct ex_op *op = &W->t[thread].op;
	switch ((enum ex_kind)op->kind) {
	case EX_OP_LOAD:
	case EX_OP_CAS:
		return E->opt.memory == EX_MEM_WEAK ? ex_views_choices(thread, op) : 1;
	case EX_OP_NOTIFY: {
		unsigned n = op->sub ? 1 : waiters(op->addr);
		return n ? n : 1;
	}
	case EX_OP_CHOOSE:
		return op->n;
	default:
		return 1;
	}
}

/** Ends a thread's wait on a condition variable. The thread must then reacquire the mutex. */
static void wake(int thread)
{
	struct ex_thread *t = &W->t[thread];
	uintptr_t mutex = t->op.mutex, cond = t->op.addr;
	struct ex_site at = t->op.at;
	memset(&t->op, 0, sizeof(t->op));
	t->op =
	    (struct ex_op){.kind = EX_OP_LOCK, .addr = mutex, .value = cond, .at = at, .sub = 1};
	t->status = EX_READY;
	t->cond = 0;
}

/** Reports a superfluous notification. Called when no thread waits on the condition: a thread that
 * has been woken may not have reacquired its mutex yet. */
static void look_for_second(const struct ex_op *op)
{
	for (unsigned i = 0; i < W->nthreads; i++)
		if (W->t[i].op.sub && W->t[i].op.kind == EX_OP_LOCK && W->t[i].op.value == op->addr)
			ex_event("two notifications during one sleep");
}

static void notify(const struct ex_op *op, unsigned choice)
{
	E->woken = 0;
	if (!op->sub && waiters(op->addr) == 0)
		look_for_second(op);
	for (unsigned i = 0; i < W->nthreads; i++) {
		if (W->t[i].status != EX_WAITING || W->t[i].cond != op->addr)
			continue;
		if (op->sub || choice-- == 0) {
			wake((int)i);
			E->woken |= 1u << i;
			if (!op->sub)
				return;
		}
	}
}

/** Fails if the mutex has been destroyed since the step was requested. */
static void check_mutex(int thread, uintptr_t mutex, const char *how)
{
	ex_place_note_step(thread, mutex);
	ex_touch(thread, mutex, sizeof(doze_mutex), how);
	ex_order_access(thread, mutex, sizeof(doze_mutex), EX_ATOMIC | EX_WRITES);
	if (((const doze_mutex *)mutex)->magic != EX_MUTEX_MAGIC)
		ex_fail("use after free: %s of mutex %#lx, which was destroyed", how,
			(unsigned long)mutex);
}

static void unlock(int thread, uintptr_t mutex)
{
	((doze_mutex *)mutex)->owner = 0;
	if (E->opt.memory == EX_MEM_WEAK)
		ex_views_unlock(thread, mutex);
}

static void lock(int thread, uintptr_t mutex)
{
	ex_plain_locked(thread, mutex);
	ex_lock_taken((const void *)mutex);
	((doze_mutex *)mutex)->owner = (uint32_t)thread + 1;
	if (E->opt.memory == EX_MEM_WEAK)
		ex_views_lock(thread, mutex);
}

static void *body_of_main(void *arg)
{
	(void)arg;
	E->scenario->body();
	return NULL;
}

/* The first function on a coroutine's stack. Runs the thread's function, and then switches to the
 * scheduler for the last time. */
static void entry(void)
{
	struct ex_thread *t = &W->t[E->cur];
	(void)t->fn(t->arg);
	ex_tls_end(E->cur);
	W->t[E->cur].status = EX_ENDED;
	memset(&W->t[E->cur].op, 0, sizeof(struct ex_op));
	ex_coro_suspend();
	abort(); /* a thread that has ended is never resumed */
}

static void create(int parent, const struct ex_op *op)
{
	int child = (int)op->n;
	W->nthreads = (uint32_t)child + 1;
	struct ex_thread *t = &W->t[child];
	memset(t, 0, sizeof(*t));
	t->status = EX_READY;
	t->op.kind = EX_OP_START;
	t->op.at = (struct ex_site){"start", "thread", NULL, 0};
	t->fn = (void *(*)(void *))op->value;
	t->arg = (void *)op->expected;
	ex_heap_reset(child);
	ex_coro_prepare(child, entry);
	if (E->opt.memory == EX_MEM_WEAK && parent >= 0)
		ex_views_inherit(child, parent);
}

/** Sets up the world with thread 0 about to start. */
void ex_world_reset(void)
{
	memset(W, 0, sizeof(*W));
	W->spurious_left = E->opt.spurious;
	struct ex_op op = {.n = 0, .value = (uintptr_t)body_of_main};
	create(-1, &op);
	W->t[0].name = "main";
}

/** Flushes the thread's oldest stores until `left` stores remain in its buffer. */
static void drain_to(int thread, unsigned left)
{
	while (W->t[thread].nbuf > left) {
		if (E->listing && E->drains)
			ex_describe_flush(thread);
		ex_flush(thread);
	}
}

/** Flushes the stores that reach memory together with the step (actions.c explains why they are not
 * flushed earlier). */
static void drain(int thread, const struct ex_op *op)
{
	struct ex_thread *t = &W->t[thread];
	unsigned left = op->kind == EX_OP_STORE ? EX_MAX_BUF - 1 : t->nbuf;
	if (ex_drains(op))
		left = 0;
	drain_to(thread, left);
	for (unsigned i = 0; op->kind == EX_OP_FENCE_ALL && i < W->nthreads; i++)
		drain_to((int)i, 0);
	if (op->kind == EX_OP_JOIN)
		drain_to((int)op->n, 0);
}

static void perform_mutex(int thread, struct ex_op *op)
{
	switch ((enum ex_kind)op->kind) {
	case EX_OP_LOCK:
		check_mutex(thread, op->addr, "lock");
		lock(thread, op->addr);
		break;
	case EX_OP_TRYLOCK:
		check_mutex(thread, op->addr, "trylock");
		op->ok = mutex_free(op->addr);
		if (op->ok)
			lock(thread, op->addr);
		break;
	case EX_OP_UNLOCK:
		check_mutex(thread, op->addr, "unlock");
		unlock(thread, op->addr);
		break;
	default: /* EX_OP_WAIT */
		check_mutex(thread, op->mutex, "wait");
		unlock(thread, op->mutex);
		W->t[thread].status = EX_WAITING;
		W->t[thread].cond = op->addr;
		break;
	}
}

static void join(int thread, const struct ex_op *op)
{
	W->t[op->n].joined = 1;
	ex_plain_close((int)op->n);
	if (E->opt.memory == EX_MEM_WEAK)
		ex_views_join(thread, (int)op->n);
}

static void perform(int thread, struct ex_op *op, unsigned choice)
{
	switch ((enum ex_kind)op->kind) {
	case EX_OP_LOAD:
	case EX_OP_STORE:
	case EX_OP_RMW:
	case EX_OP_CAS:
	case EX_OP_FENCE:
		ex_memory_perform(thread, op, choice);
		break;
	case EX_OP_FENCE_ALL:
		if (E->opt.memory == EX_MEM_WEAK)
			ex_views_fence_all(thread);
		break;
	case EX_OP_LOCK:
	case EX_OP_TRYLOCK:
	case EX_OP_UNLOCK:
	case EX_OP_WAIT:
		perform_mutex(thread, op);
		break;
	case EX_OP_NOTIFY:
		ex_place_note_step(thread, op->addr);
		ex_touch(thread, op->addr, sizeof(doze_cond), "notify");
		ex_order_access(thread, op->addr, sizeof(doze_cond), EX_ATOMIC | EX_WRITES);
		notify(op, choice);
		break;
	case EX_OP_CREATE:
		create(thread, op);
		break;
	case EX_OP_JOIN:
		join(thread, op);
		break;
	case EX_OP_CHOOSE:
		op->result = choice;
		break;
	case EX_OP_QUIET:
		W->spurious_left = 0; /* a spurious wake must not end the quiet period */
		break;
	default:
		break;
	}
}

/** Executes the thread's step; the caller resumes its coroutine. */
void ex_perform(int thread, unsigned choice)
{
	struct ex_op *op = &W->t[thread].op;

	if (E->made)
		E->made(thread, choice);
	E->clock++;
	if (E->opt.memory == EX_MEM_TSO)
		drain(thread, op);
	perform(thread, op, choice);
	if (E->listing)
		ex_describe(thread, choice);
}

/** Returns whether the thread's step commutes with everything that other threads can do before it.
 * Such a step is explored alone. */
bool ex_is_mover(int thread)
{
	const struct ex_op *op = &W->t[thread].op;
	return op->kind == EX_OP_START || (op->kind == EX_OP_JOIN && W->t[op->n].nbuf == 0);
}

static void resume(int thread)
{
	ex_coro_resume(thread);
	ex_plain_left(thread);
}

/** Executes one action of a schedule, and runs the thread up to its next step. */
void ex_apply(struct ex_action a)
{
	W->preemptions += a.preempts;
	switch ((enum ex_act)a.kind) {
	case EX_FLUSH:
		E->clock++;
		if (E->listing)
			ex_describe_flush(a.thread);
		ex_flush(a.thread);
		if (a.choice != a.thread) {
			W->last = a.choice;
			W->turn = a.choice + 1u;
		}
		return;
	case EX_SPURIOUS:
		E->clock++;
		W->spurious_left--;
		if (E->listing)
			fprintf(E->listing, "%-10s wakes spuriously\n", ex_thread_name(a.thread));
		wake(a.thread);
		return;
	case EX_RUN:
		/* Neither switching to the new thread nor continuing its creator is a preemption.
		 */
		if (W->t[a.thread].op.kind == EX_OP_START)
			W->last = -1;
		else if (!ex_is_mover(a.thread))
			W->last = a.thread;
		W->turn = 0;
		ex_plain_close(a.thread);
		ex_perform(a.thread, a.choice);
		if (W->t[a.thread].status == EX_READY)
			resume(a.thread);
	}
}
