/*
 * SPDX-License-Identifier: MIT
 *
 * memory.c - atomic steps under sequential consistency and under TSO (total store order, x86).
 *
 *   sc    every step takes effect in memory at once.
 *   tso   a store that is not seq_cst goes into its thread's buffer, first in, first out; the
 *         scheduler may flush the oldest entry at any time. A load returns its own thread's newest
 *         buffered store to the object, or else the value in memory. Read-modify-writes, seq_cst
 *         stores, seq_cst fences and locks first empty the buffer, like lock-prefixed
 *         instructions and mfence.
 *   weak  see views.c.
 *
 * Plain accesses are not buffered. In a program without data races that makes no difference,
 * because atomic steps order these accesses.
 */
#include "engine.h"
#include "places.h"

#include <string.h>

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
