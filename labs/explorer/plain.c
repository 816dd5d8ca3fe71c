/*
 * SPDX-License-Identifier: MIT
 *
 * plain.c - checks plain (non-atomic) accesses for use after free and for data races.
 *
 * Explored code is compiled with -fsanitize=thread, but ThreadSanitizer is not linked: this
 * file defines its callbacks, which the compiler calls at each plain access.
 *
 * A plain access is not a choice point: it happens right after its thread's last step. This alone
 * would hide interleavings, so each thread has a list of the plain accesses that it made since its
 * last step. Until its next step nothing can order them before other threads' accesses. The access
 * is a race if, before that step, another thread frees the memory, returns from the frame that
 * contains it, or makes a plain access to it, and at least one of the two is a write. The order in
 * which this execution makes the two accesses does not matter. Conversely, any two accesses that
 * race meet in this way in some execution.
 *
 * The same applies to steps that are taken without a choice point (ops.c, ex_is_silent): an unlock,
 * or a step on an object that no other thread touches, could also come after another thread's free.
 * Two kinds of such steps order the accesses before them: an unlock orders them before the next
 * lock of that mutex, and a buffered store before its flush to memory. The list contains these
 * steps as marks; the lock or flush drops the mark and all entries before it.
 *
 * Two accesses with a relaxed step between them never meet in this way, although nothing orders
 * them in the weak mode; order.c finds those.
 *
 * Accesses of a thread to its own frames are not listed, because another thread's access to them is
 * in that thread's list.
 */
#include "world.h"

#include <string.h>

extern char __data_start[], _end[]; /* defined by the linker */

static bool own_stack(uintptr_t addr, int thread)
{
	uintptr_t base = (uintptr_t)ex_stack_base(thread);
	return addr >= base && addr < base + EX_STACK_SIZE;
}

/** Returns whether threads can share the memory: the program's data, heaps and stacks, but not the
 * C library's memory. */
static bool common(uintptr_t addr)
{
	return (addr >= (uintptr_t)__data_start && addr < (uintptr_t)_end) ||
	       (addr >= EX_HEAP_AT &&
		addr < EX_STACK_AT + (uintptr_t)EX_STACK_SIZE * EX_MAX_THREADS);
}

static bool overlap(const struct ex_touched *t, uintptr_t addr, size_t size)
{
	return t->addr < addr + size && addr < t->addr + t->size;
}

/** Removes the list's entries with indices from `from` to `to` - 1. */
static void drop(struct ex_thread *t, unsigned from, unsigned to)
{
	unsigned left = t->ntouched - to;
	memmove(&t->touched[from], &t->touched[to], left * sizeof(t->touched[0]));
	memset(&t->touched[from + left], 0, (to - from) * sizeof(t->touched[0]));
	t->ntouched = (uint8_t)(from + left);
}

/** Clears the thread's list of accesses. Called when the thread takes a step that other threads can
 * see, because that step orders the earlier accesses. */
void ex_plain_close(int thread)
{
	drop(&W->t[thread], 0, W->t[thread].ntouched);
}

static bool is_mark(const struct ex_touched *e)
{
	return e->kind == EX_TOUCH_UNLOCK || e->kind == EX_TOUCH_STORE;
}

static void append(struct ex_thread *t, struct ex_touched e)
{
	if (W->nthreads == 1)
		return; /* no other thread has started yet, so the access happens before all theirs
			 */
	if (t->ntouched == EX_MAX_TOUCHED)
		ex_give_up("gave up: a thread made more than %d plain accesses between two steps: "
			   "does it loop for ever?",
			   EX_MAX_TOUCHED);
	t->touched[t->ntouched++] = e;
}

static void remember(int thread, uintptr_t addr, size_t size, bool write, enum ex_touch_kind kind)
{
	struct ex_thread *t = &W->t[thread];
	for (unsigned i = t->ntouched; i-- > 0 && !is_mark(&t->touched[i]);)
		if (t->touched[i].addr == addr && t->touched[i].size == size &&
		    t->touched[i].kind == kind) {
			t->touched[i].write |= write;
			return;
		}
	append(t, (struct ex_touched){addr, (uint32_t)size, write, (uint16_t)kind});
}

/** Returns the position in the list just after the last unlock of the mutex, or 0 if there is none.
 */
static unsigned behind_unlock(const struct ex_thread *t, uintptr_t mutex)
{
	unsigned i = t->ntouched;
	while (i > 0 &&
	       (t->touched[i - 1].kind != EX_TOUCH_UNLOCK || t->touched[i - 1].addr != mutex))
		i--;
	return i;
}

/** Records a step that the thread has taken without a choice point. */
void ex_plain_local(int thread, uintptr_t addr, size_t size, enum ex_touch_kind kind)
{
	struct ex_thread *t = &W->t[thread];
	if (kind == EX_TOUCH_ATOMIC) {
		if (common(addr) && !own_stack(addr, thread))
			remember(thread, addr, size, false, kind);
		ex_place_note_step(thread, addr);
		return;
	}
	unsigned before = kind == EX_TOUCH_UNLOCK ? behind_unlock(t, addr) : 0;
	if (before) /* drop the earlier unlock: the next lock is ordered after both */
		drop(t, before - 1, before);
	append(t, (struct ex_touched){addr, (uint32_t)size, false, (uint16_t)kind});
}

/** Drops the accesses that other threads made before they last unlocked the mutex, which this
 * thread now locks.
 */
void ex_plain_locked(int thread, uintptr_t mutex)
{
	for (unsigned i = 0; i < W->nthreads; i++)
		if ((int)i != thread)
			drop(&W->t[i], 0, behind_unlock(&W->t[i], mutex));
}

/** Drops the accesses before the thread's oldest buffered store, which is about to reach memory.
 * The last marks in the list belong to the stores in the buffer. */
void ex_plain_flushed(int thread)
{
	struct ex_thread *t = &W->t[thread];
	unsigned marks = 0;
	for (unsigned i = t->ntouched; i-- > 0;)
		if (t->touched[i].kind == EX_TOUCH_STORE && ++marks == t->nbuf) {
			drop(t, 0, i + 1);
			return;
		}
}

static void plain(uintptr_t addr, size_t size, bool write)
{
	int me = E->cur;
	if (me < 0 || !common(addr))
		return;
	const char *how = write ? "plain write" : "plain read";
	ex_touch(me, addr, size, how);
	ex_order_access(me, addr, size, write ? EX_WRITES : 0);
	for (unsigned i = 0; i < W->nthreads; i++) {
		const struct ex_thread *t = &W->t[i];
		for (unsigned k = 0; (int)i != me && k < t->ntouched; k++)
			if (overlap(&t->touched[k], addr, size) && (write || t->touched[k].write)) {
				ex_place_show(EX_RACE, (int)i, t->touched[k].addr);
				ex_place_show(EX_RACE, me, addr);
				ex_fail("data race: %s of %s by %s, concurrent with a plain "
					"access by %s",
					how, ex_name_memory(addr), ex_thread_name(me),
					ex_thread_name((int)i));
			}
	}
	if (!own_stack(addr, me))
		remember(me, addr, size, write, EX_TOUCH_PLAIN);
}

/** Fails if an atomic step touches memory that another thread accesses plainly. */
void ex_plain_atomic(int thread, uintptr_t addr, size_t size, bool write)
{
	ex_order_access(thread, addr, size, EX_ATOMIC | (write ? EX_WRITES : 0));
	ex_place_note_step(thread, addr);
	for (unsigned i = 0; i < W->nthreads; i++) {
		const struct ex_thread *t = &W->t[i];
		for (unsigned k = 0; (int)i != thread && k < t->ntouched; k++)
			if (t->touched[k].kind == EX_TOUCH_PLAIN &&
			    overlap(&t->touched[k], addr, size) && (write || t->touched[k].write)) {
				ex_place_show(EX_RACE, (int)i, t->touched[k].addr);
				ex_place_show_step(EX_RACE, thread);
				ex_fail("data race: atomic step on %s by %s, concurrent with a "
					"plain access by %s",
					ex_name_memory(addr), ex_thread_name(thread),
					ex_thread_name((int)i));
			}
	}
}

/** Fails if another thread has just accessed memory that the running thread frees. */
void ex_plain_freed(uintptr_t addr, size_t size)
{
	ex_order_freed(E->cur, addr, size);
	for (unsigned i = 0; i < W->nthreads; i++) {
		const struct ex_thread *t = &W->t[i];
		for (unsigned k = 0; (int)i != E->cur && k < t->ntouched; k++)
			if (overlap(&t->touched[k], addr, size)) {
				ex_place_show(EX_USE, (int)i, t->touched[k].addr);
				ex_fail("use after free: %s may free %s before %s has accessed it",
					ex_thread_name(E->cur), ex_name_memory(t->touched[k].addr),
					ex_thread_name((int)i));
			}
	}
}

/** Fails if another thread has just accessed a frame that this thread, now suspended, has left. */
void ex_plain_left(int thread)
{
	uintptr_t base = (uintptr_t)ex_stack_base(thread);
	uintptr_t sp = (uintptr_t)W->t[thread].sp;
	ex_order_left(thread);
	for (unsigned i = 0; i < W->nthreads; i++) {
		const struct ex_thread *t = &W->t[i];
		for (unsigned k = 0; (int)i != thread && k < t->ntouched; k++)
			if (t->touched[k].addr >= base && t->touched[k].addr < sp) {
				ex_place_show(EX_USE, (int)i, t->touched[k].addr);
				ex_fail("use after free: %s may leave a frame before %s has "
					"accessed it",
					ex_thread_name(thread), ex_thread_name((int)i));
			}
	}
}

/* The callbacks of -fsanitize=thread. */
#define PLAIN(name, size, write)                                                                   \
	void __tsan_##name(void *p);                                                               \
	void __tsan_##name(void *p)                                                                \
	{                                                                                          \
		ex_place_note((uintptr_t)p, __builtin_return_address(0));                          \
		plain((uintptr_t)p, size, write);                                                  \
	}
PLAIN(read1, 1, false)
PLAIN(read2, 2, false)
PLAIN(read4, 4, false)
PLAIN(read8, 8, false)
PLAIN(read16, 16, false)
PLAIN(write1, 1, true)
PLAIN(write2, 2, true)
PLAIN(write4, 4, true)
PLAIN(write8, 8, true)
PLAIN(write16, 16, true)
PLAIN(unaligned_read2, 2, false)
PLAIN(unaligned_read4, 4, false)
PLAIN(unaligned_read8, 8, false)
PLAIN(unaligned_write2, 2, true)
PLAIN(unaligned_write4, 4, true)
PLAIN(unaligned_write8, 8, true)

#define IGNORED(name, args)                                                                        \
	void __tsan_##name args;                                                                   \
	void __tsan_##name args                                                                    \
	{                                                                                          \
	}
IGNORED(init, (void))
void __tsan_func_entry(void *p);
void __tsan_func_entry(void *p)
{
	(void)p; /* address of the call; the recorded address is inside the called function */
	ex_call_enter(__builtin_return_address(0));
}
void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
	ex_call_leave();
}
void __tsan_read_range(void *p, size_t n);
void __tsan_read_range(void *p, size_t n)
{
	plain((uintptr_t)p, n, false);
}
void __tsan_write_range(void *p, size_t n);
void __tsan_write_range(void *p, size_t n)
{
	plain((uintptr_t)p, n, true);
}

/* Newer versions of clang call these instead of memset, memcpy and memmove. */
void *__tsan_memset(void *to, int byte, size_t n);
void *__tsan_memset(void *to, int byte, size_t n)
{
	ex_place_note((uintptr_t)to, __builtin_return_address(0));
	plain((uintptr_t)to, n, true);
	return memset(to, byte, n);
}

#define COPY(name)                                                                                 \
	void *__tsan_##name(void *to, const void *from, size_t n);                                 \
	void *__tsan_##name(void *to, const void *from, size_t n)                                  \
	{                                                                                          \
		ex_place_note((uintptr_t)from, __builtin_return_address(0));                       \
		plain((uintptr_t)from, n, false);                                                  \
		ex_place_note((uintptr_t)to, __builtin_return_address(0));                         \
		plain((uintptr_t)to, n, true);                                                     \
		return name(to, from, n);                                                          \
	}
COPY(memcpy)
COPY(memmove)
