/*
 * SPDX-License-Identifier: MIT
 *
 * memory.c - atomic steps under the three memory modes: sequential consistency, TSO (total store
 * order, x86), and a weak mode.
 *
 *   sc    every step takes effect in memory at once.
 *   tso   a store that is not seq_cst goes into its thread's buffer, first in, first out; the
 *         scheduler may flush the oldest entry at any time. A load returns its own thread's newest
 *         buffered store to the object, or else the value in memory. Read-modify-writes, seq_cst
 *         stores, seq_cst fences and locks first empty the buffer, like lock-prefixed
 *         instructions and mfence.
 *   weak  release/acquire views in the style of RC11, without store buffers; described below, where
 *         they are implemented.
 *
 * Plain accesses are not buffered. In a program without data races that makes no difference,
 * because atomic steps order these accesses.
 */
#include "world.h"

#include <string.h>

/* ---- sc and tso ---- */

uint64_t ex_mem_read(uintptr_t addr, unsigned size)
{
	uint64_t v = 0;
	memcpy(&v, (const void *)addr,
	       size); /* little-endian, like the machines that coro.c supports */
	return v;
}

void ex_mem_write(uintptr_t addr, unsigned size, uint64_t v)
{
	memcpy((void *)addr, &v, size);
}

uint64_t ex_rmw_value(enum ex_rmw what, uint64_t old, uint64_t v, unsigned size)
{
	uint64_t r = v;
	switch (what) {
	case EX_SWAP:
		break;
	case EX_ADD:
		r = old + v;
		break;
	case EX_SUB:
		r = old - v;
		break;
	}
	return size < 8 ? r & ((UINT64_C(1) << (8 * size)) - 1) : r;
}

/** Called by the scheduler. Writes a thread's oldest buffered store to memory. */
void ex_flush(int thread)
{
	struct ex_thread *t = &W->t[thread];
	struct ex_store s = t->buf[0];
	ex_plain_flushed(thread);
	t->nbuf--;
	memmove(&t->buf[0], &t->buf[1], t->nbuf * sizeof(s));
	memset(&t->buf[t->nbuf], 0, sizeof(s));
	if (ex_dead_frame(s.addr) && ex_stack_of(s.addr) == thread)
		return; /* the object's frame is gone, so no thread can read the object */
	ex_touch(thread, s.addr, s.size, "delayed store");
	ex_mem_write(s.addr, (unsigned)s.size, s.value);
}

/** Ends the lifetime of an object: drops the running thread's buffered stores to it. If another
 * thread still buffers a store to the object, ex_flush later fails. */
void ex_stores_forget(uintptr_t addr, size_t size)
{
	struct ex_thread *t = &W->t[E->cur];
	unsigned kept = 0;
	for (unsigned i = 0; i < t->nbuf; i++)
		if (t->buf[i].addr < addr || t->buf[i].addr >= addr + size)
			t->buf[kept++] = t->buf[i];
	memset(&t->buf[kept], 0, (size_t)(t->nbuf - kept) * sizeof(t->buf[0]));
	t->nbuf = (uint8_t)kept;
}

static uint64_t read_tso(const struct ex_thread *t, const struct ex_op *op)
{
	for (unsigned i = t->nbuf; i-- > 0;)
		if (t->buf[i].addr == op->addr)
			return t->buf[i].value;
	return ex_mem_read(op->addr, op->size);
}

static void store(int thread, const struct ex_op *op)
{
	struct ex_thread *t = &W->t[thread];
	uint64_t v = op->value;
	if (op->size < 8)
		v &= (UINT64_C(1) << (8 * op->size)) - 1;
	if (E->opt.memory == EX_MEM_TSO && op->order != SC && ex_is_shared(op->addr, thread))
		t->buf[t->nbuf++] = (struct ex_store){op->addr, v, op->size};
	else
		ex_mem_write(op->addr, op->size, v);
}

static void perform_cas(struct ex_op *op)
{
	op->result = ex_mem_read(op->addr, op->size);
	op->ok = op->result == op->expected;
	if (op->ok)
		ex_mem_write(op->addr, op->size, op->value);
}

void ex_memory_perform(int thread, struct ex_op *op, unsigned choice)
{
	if (op->kind != EX_OP_FENCE) {
		ex_place_note_step(thread, op->addr);
		ex_touch(thread, op->addr, op->size, "atomic step");
		ex_plain_atomic(thread, op->addr, op->size, op->kind != EX_OP_LOAD);
		if (E->opt.memory == EX_MEM_WEAK && ex_is_shared(op->addr, thread)) {
			ex_views_perform(thread, op, choice);
			return;
		}
	} else if (E->opt.memory == EX_MEM_WEAK) {
		ex_views_perform(thread, op, choice);
		return;
	}
	switch ((enum ex_kind)op->kind) {
	case EX_OP_LOAD:
		op->result = read_tso(&W->t[thread], op);
		break;
	case EX_OP_STORE:
		store(thread, op);
		break;
	case EX_OP_RMW:
		op->result = ex_mem_read(op->addr, op->size);
		ex_mem_write(op->addr, op->size,
			     ex_rmw_value(op->sub, op->result, op->value, op->size));
		break;
	case EX_OP_CAS:
		perform_cas(op);
		break;
	default:
		break;
	}
}

static bool refused; /* the same in all states, because it is set before the pool is created */

void ex_refuse_heavy_fences(void)
{
	refused = true;
}

bool ex_kernel_fences(void)
{
	return !refused;
}

/* ---- weak ----
 *
 * For each shared object the explorer keeps the last writes, in order. A thread's view contains,
 * for each object, the oldest write that the thread may still read. A load may return that write or
 * any later one; the explorer tries all of them. These rules order the accesses:
 *
 * - Release store: the write carries the writer's view. Relaxed store: the write carries the
 *   writer's view at its last release fence.
 * - Acquire load: the reader joins the view that the write carries into its own. Relaxed load: the
 *   reader saves that view for its next acquire fence.
 * - Read-modify-write: reads the newest write (atomicity) and passes on the view that it carries (a
 *   release sequence). It has no other effect: unlike on x86, it does not drain a buffer.
 * - seq_cst fence: joins the thread's view with that of all earlier seq_cst fences, in both
 *   directions.
 * - seq_cst access: a store becomes the object's write in the seq_cst view; a load may not return
 *   an older write than that.
 * - Mutex: an unlock passes the holder's view to the next lock.
 *
 * The mode is weaker than any machine that doze runs on, with two exceptions: a load never returns
 * a write that has not been made yet (no load buffering), and the writes of an object are ordered
 * as they are made. It is weaker than C11 in one respect: seq_cst loads of relaxed stores.
 *
 * Writes that no thread can read any more are dropped and the others renumbered, so that equal
 * states are equal memory. */

#define V (&W->v)

static bool acquires(unsigned mo)
{
	return mo == ACQ || mo == AR || mo == SC;
}
static bool releases(unsigned mo)
{
	return mo == REL || mo == AR || mo == SC;
}

static void join(ex_view *to, const ex_view *from)
{
	for (unsigned i = 0; i < EX_MAX_LOCS; i++)
		if (from->ts[i] > to->ts[i])
			to->ts[i] = from->ts[i];
	for (unsigned i = 0; i < sizeof(to->known); i++)
		if (from->known[i] > to->known[i])
			to->known[i] = from->known[i];
}

/** Calls f for each view. */
static void each_view(void (*f)(ex_view *, unsigned, unsigned), unsigned a, unsigned b)
{
	for (unsigned i = 0; i < W->nthreads; i++) {
		f(&V->cur[i], a, b);
		f(&V->acq[i], a, b);
		f(&V->rel[i], a, b);
	}
	f(&V->sc, a, b);
	for (unsigned i = 0; i < W->nmsgs; i++)
		f(&V->msg[i].view, a, b);
}

static void insert_column(ex_view *v, unsigned at, unsigned unused)
{
	(void)unused;
	memmove(&v->ts[at + 1], &v->ts[at], EX_MAX_LOCS - 1 - at);
	v->ts[at] = 0;
}

static void remove_column(ex_view *v, unsigned at, unsigned unused)
{
	(void)unused;
	memmove(&v->ts[at], &v->ts[at + 1], EX_MAX_LOCS - 1 - at);
	v->ts[EX_MAX_LOCS - 1] = 0;
}

static void lower_column(ex_view *v, unsigned at, unsigned by)
{
	v->ts[at] = (uint8_t)(v->ts[at] > by ? v->ts[at] - by : 0);
}

/** Returns the position of the first location at or above addr. */
static unsigned position(uintptr_t addr)
{
	unsigned lo = 0, hi = W->nlocs;
	while (lo < hi) {
		unsigned mid = (lo + hi) / 2;
		if (V->loc[mid].addr < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static struct ex_msg *insert_msg(unsigned loc, unsigned at)
{
	if (W->nmsgs == EX_MAX_MSGS)
		ex_give_up("gave up: the weak mode needs more than %d writes", EX_MAX_MSGS);
	memmove(&V->msg[at + 1], &V->msg[at], (W->nmsgs - at) * sizeof(V->msg[0]));
	W->nmsgs++;
	V->loc[loc].n++;
	for (unsigned i = loc + 1; i < W->nlocs; i++)
		V->loc[i].first++;
	memset(&V->msg[at], 0, sizeof(V->msg[0]));
	return &V->msg[at];
}

static void remove_msgs(unsigned loc, unsigned n)
{
	unsigned at = V->loc[loc].first;
	memmove(&V->msg[at], &V->msg[at + n], (W->nmsgs - at - n) * sizeof(V->msg[0]));
	W->nmsgs -= n;
	V->loc[loc].n = (uint8_t)(V->loc[loc].n - n);
	for (unsigned i = loc + 1; i < W->nlocs; i++)
		V->loc[i].first = (uint16_t)(V->loc[i].first - n);
}

static void drop_oldest(unsigned loc, unsigned n)
{
	remove_msgs(loc, n);
	each_view(lower_column, loc, n);
}

static void remove_loc(unsigned loc)
{
	remove_msgs(loc, V->loc[loc].n);
	each_view(remove_column, loc, 0);
	W->nlocs--;
	memmove(&V->loc[loc], &V->loc[loc + 1], (W->nlocs - loc) * sizeof(V->loc[0]));
	memset(&V->loc[W->nlocs], 0, sizeof(V->loc[0]));
}

/** Returns the number of writes to keep for an object with this name in the source. */
static uint32_t history_of(const char *what)
{
	return !E->opt.old_of || strstr(what, E->opt.old_of) ? EX_MAX_HISTORY : 1;
}

static unsigned find(uintptr_t addr, unsigned size, const char *what)
{
	unsigned at = position(addr);
	if (at < W->nlocs && V->loc[at].addr == addr)
		return at;
	if (W->nlocs == EX_MAX_LOCS)
		ex_give_up("gave up: the weak mode needs more than %d objects", EX_MAX_LOCS);
	uint16_t first = (uint16_t)(at < W->nlocs ? V->loc[at].first : W->nmsgs);
	memmove(&V->loc[at + 1], &V->loc[at], (W->nlocs - at) * sizeof(V->loc[0]));
	W->nlocs++;
	V->loc[at] = (struct ex_loc){.addr = addr,
				     .first = first,
				     .n = 0,
				     .size = (uint8_t)size,
				     .history = history_of(what)};
	each_view(insert_column, at, 0);
	struct ex_msg *m = insert_msg(at, first);
	m->value = size ? ex_mem_read(addr, size) : 0;
	return at;
}

static struct ex_msg *newest(unsigned loc)
{
	return &V->msg[V->loc[loc].first + V->loc[loc].n - 1];
}

/** Returns the location of a step's object. If memory was written plainly since the last step (a
 * new object at an old address), starts a new history. */
static unsigned loc_of(const struct ex_op *op)
{
	unsigned l = find(op->addr, op->size, op->at.what);
	uint64_t now = ex_mem_read(op->addr, op->size);
	if (newest(l)->value != now) {
		drop_oldest(l, V->loc[l].n - 1u);
		newest(l)->value = now;
		memset(&newest(l)->view, 0, sizeof(ex_view));
	}
	return l;
}

void ex_views_forget(uintptr_t addr, size_t size)
{
	if (E->opt.memory != EX_MEM_WEAK)
		return;
	for (unsigned at = position(addr); at < W->nlocs && V->loc[at].addr < addr + size;)
		remove_loc(at);
}

static unsigned oldest_readable(int thread, unsigned loc, unsigned mo)
{
	unsigned ts = V->cur[thread].ts[loc];
	return mo == SC && V->sc.ts[loc] > ts ? V->sc.ts[loc] : ts;
}

/** Returns the number of writes that a load could return; for a CAS, the newest write and the older
 * writes that a failing CAS could read. */
unsigned ex_views_choices(int thread, const struct ex_op *op)
{
	if (!ex_is_shared(op->addr, thread))
		return 1;
	ex_place_note_step(thread, op->addr);
	ex_touch(thread, op->addr, op->size, "atomic step");
	unsigned l = loc_of(op);
	unsigned mo = op->kind == EX_OP_CAS ? op->order_fail : op->order;
	return V->loc[l].n - oldest_readable(thread, l, mo);
}

static void read_msg(int thread, unsigned loc, unsigned ts, unsigned mo)
{
	V->cur[thread].ts[loc] = (uint8_t)ts;
	const ex_view *carried = &V->msg[V->loc[loc].first + ts].view;
	join(acquires(mo) ? &V->cur[thread] : &V->acq[thread], carried);
}

static void append(int thread, unsigned loc, uint64_t value, unsigned mo, const ex_view *also)
{
	ex_view passed = {.ts = {0}};
	if (also)
		passed = *also; /* copy the view, because the writes are about to move */
	if (V->loc[loc].n == V->loc[loc].history) {
		E->res->capped |= V->loc[loc].history > 1; /* unless a history of 1 was requested */
		drop_oldest(loc, 1);
		lower_column(&passed, loc, 1);
	}
	unsigned ts = V->loc[loc].n;
	struct ex_msg *m = insert_msg(loc, V->loc[loc].first + ts);
	m->value = value;
	V->cur[thread].ts[loc] = (uint8_t)ts;
	m->view = passed;
	join(&m->view, releases(mo) ? &V->cur[thread] : &V->rel[thread]);
	m->view.ts[loc] = (uint8_t)ts;
	if (mo == SC)
		V->sc.ts[loc] = (uint8_t)ts;
	ex_mem_write(V->loc[loc].addr, V->loc[loc].size, value);
}

static void fence(int thread, unsigned mo)
{
	if (acquires(mo))
		join(&V->cur[thread], &V->acq[thread]);
	if (mo == SC) {
		join(&V->cur[thread], &V->sc);
		V->sc = V->cur[thread];
		memset(V->sc.known, 0, sizeof(V->sc.known)); /* seq_cst fences order only atomics */
	}
	if (releases(mo))
		V->rel[thread] = V->cur[thread];
}

static void rmw(int thread, unsigned l, struct ex_op *op, uint64_t value)
{
	read_msg(thread, l, V->loc[l].n - 1u, op->order);
	append(thread, l, value, op->order, &newest(l)->view);
}

static void cas(int thread, unsigned l, struct ex_op *op, unsigned choice)
{
	unsigned ts = V->loc[l].n - 1u - choice;
	op->result = V->msg[V->loc[l].first + ts].value;
	if (choice == 0 && op->result == op->expected) {
		op->ok = 1;
		rmw(thread, l, op, op->value);
		return;
	}
	/* An older write with the expected value cannot make the CAS fail, so read the newest write
	 * instead. */
	if (op->result == op->expected) {
		cas(thread, l, op, 0);
		return;
	}
	read_msg(thread, l, ts, op->order_fail);
}

/** Executes a heavy fence: first a fence of the caller, then one on every thread, wherever that
 * thread is in its program, and then another of the caller, whose view then includes the views of
 * the others. */
void ex_views_fence_all(int thread)
{
	fence(thread, SC);
	for (unsigned i = 0; i < W->nthreads; i++)
		fence((int)i, SC);
	fence(thread, SC);
	ex_views_tidy();
}

void ex_views_perform(int thread, struct ex_op *op, unsigned choice)
{
	if (op->kind == EX_OP_FENCE) {
		fence(thread, op->order);
		ex_views_tidy();
		return;
	}
	unsigned l = loc_of(op);
	unsigned mask_bits = 8u * op->size;
	uint64_t v = mask_bits < 64 ? op->value & ((UINT64_C(1) << mask_bits) - 1) : op->value;
	switch ((enum ex_kind)op->kind) {
	case EX_OP_LOAD: {
		unsigned ts = V->loc[l].n - 1u - choice;
		op->result = V->msg[V->loc[l].first + ts].value;
		read_msg(thread, l, ts, op->order);
		break;
	}
	case EX_OP_STORE:
		append(thread, l, v, op->order, NULL);
		break;
	case EX_OP_RMW:
		op->result = newest(l)->value;
		rmw(thread, l, op, ex_rmw_value(op->sub, op->result, op->value, op->size));
		break;
	case EX_OP_CAS:
		op->value = v;
		cas(thread, l, op, choice);
		break;
	default:
		break;
	}
	ex_views_tidy();
}

void ex_views_lock(int thread, uintptr_t mutex)
{
	join(&V->cur[thread], &newest(find(mutex, 0, "mutex"))->view);
	ex_views_tidy();
}

void ex_views_unlock(int thread, uintptr_t mutex)
{
	unsigned l = find(mutex, 0, "mutex");
	newest(l)->view = V->cur[thread];
}

void ex_views_inherit(int child, int parent)
{
	V->cur[child] = V->cur[parent];
	memset(&V->acq[child], 0, sizeof(ex_view));
	memset(&V->rel[child], 0, sizeof(ex_view));
}

void ex_views_join(int thread, int child)
{
	join(&V->cur[thread], &V->cur[child]);
	memset(&V->cur[child], 0, sizeof(ex_view));
	memset(&V->acq[child], 0, sizeof(ex_view));
	memset(&V->rel[child], 0, sizeof(ex_view));
	ex_views_tidy();
}

/** Drops writes that no thread can read any more, and objects in frames that are gone. */
void ex_views_tidy(void)
{
	for (unsigned l = 0; l < W->nlocs; l++) {
		if (V->loc[l].n < 2)
			continue;
		unsigned base = V->loc[l].n;
		for (unsigned i = 0; i < W->nthreads; i++)
			if (W->t[i].status != EX_ENDED && V->cur[i].ts[l] < base)
				base = V->cur[i].ts[l];
		if (base > 0 && base < V->loc[l].n)
			drop_oldest(l, base);
	}
	for (unsigned i = 0; i < W->nthreads; i++)
		for (unsigned l = 0; l < W->nlocs; l++)
			if (V->acq[i].ts[l] <= V->cur[i].ts[l])
				V->acq[i].ts[l] = 0;
	for (unsigned i = 0; i < W->nthreads; i++)
		for (unsigned k = 0; k < EX_MAX_THREADS; k++)
			if (V->acq[i].known[k] <= V->cur[i].known[k])
				V->acq[i].known[k] = 0;
	for (unsigned l = W->nlocs; l-- > 0;)
		if (ex_dead_frame(V->loc[l].addr))
			remove_loc(l);
}
