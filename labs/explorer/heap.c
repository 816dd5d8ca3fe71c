/*
 * SPDX-License-Identifier: MIT
 *
 * heap.c - the memory of the explored code: an arena for each thread, and which blocks are freed.
 *
 * Each thread has its own arena. So an address depends only on the thread's own history, and
 * interleavings that differ only in the order of allocations lead to the same state. Freed memory
 * is filled with 0xdd, marked in the arena's bitmap and never reused: any later step or plain
 * access that touches it fails the execution.
 */
#include "world.h"

#include <stdio.h>
#include <string.h>

#define GRAIN       16u
#define BITMAP_SIZE (EX_HEAP_SIZE / GRAIN / 8)
#define HEADER      16u /* bytes before each block, which hold its size */

char *ex_heap_base(int thread)
{
	return (char *)EX_HEAP_AT + (size_t)thread * EX_HEAP_SIZE;
}

/** Empties the arena. The bitmap is part of the arena and is saved with it. */
void ex_heap_reset(int thread)
{
	memset(ex_heap_base(thread), 0, EX_HEAP_SIZE);
	W->t[thread].heap_used = BITMAP_SIZE;
}

void *ex_heap_alloc(size_t align, size_t size)
{
	struct ex_thread *t = &W->t[E->cur];
	if (align < GRAIN)
		align = GRAIN;
	size_t at = (t->heap_used + HEADER + align - 1) / align * align;
	size_t end = (at + size + GRAIN - 1) / GRAIN * GRAIN;
	if (end > EX_HEAP_SIZE)
		ex_give_up("gave up: the scenario needs more than %u bytes of heap", EX_HEAP_SIZE);
	char *p = ex_heap_base(E->cur) + at;
	/* Clear the memory, which an abandoned execution may have used. */
	memset(ex_heap_base(E->cur) + t->heap_used, 0, end - t->heap_used);
	memcpy(p - HEADER, &size, sizeof(size));
	t->heap_used = (uint32_t)end;
	return p;
}

static bool in_heap(uintptr_t a)
{
	return a >= EX_HEAP_AT && a < EX_HEAP_AT + (uintptr_t)EX_HEAP_SIZE * EX_MAX_THREADS;
}

static bool freed(uintptr_t a)
{
	uintptr_t off = (a - EX_HEAP_AT) % EX_HEAP_SIZE;
	const unsigned char *bitmap = (unsigned char *)(a - off);
	return (bitmap[off / GRAIN / 8] >> (off / GRAIN % 8)) & 1;
}

/** Returns false if the address is in a part of the heap that the program has not allocated yet. */
bool ex_heap_reached(uintptr_t addr)
{
	uintptr_t arena = (addr - EX_HEAP_AT) / EX_HEAP_SIZE;
	return !in_heap(addr) || (addr - EX_HEAP_AT) % EX_HEAP_SIZE < W->t[arena].heap_used;
}

/** Returns the size of the block that begins at the address, or 0 if it is not in the heap. */
size_t ex_heap_size(uintptr_t addr)
{
	size_t size = 0;
	if (in_heap(addr))
		memcpy(&size, (char *)addr - HEADER, sizeof(size));
	return size;
}

/* Finds the block that contains the address. The memory between two blocks is zero, and so is never
 * mistaken for a header. */
static uintptr_t block_of(uintptr_t addr, size_t *size)
{
	int thread = (int)((addr - EX_HEAP_AT) / EX_HEAP_SIZE);
	uintptr_t base = (uintptr_t)ex_heap_base(thread);
	uintptr_t at = base + BITMAP_SIZE + HEADER;
	while (at <= addr) {
		*size = ex_heap_size(at);
		if (*size != 0 && addr < at + *size)
			return at;
		at += *size == 0 ? GRAIN : (*size + GRAIN - 1) / GRAIN * GRAIN + HEADER;
	}
	return 0;
}

const char *ex_name_memory(uintptr_t addr)
{
	static char text[120];
	int stack = ex_stack_of(addr);
	size_t size = 0;
	uintptr_t block = in_heap(addr) ? block_of(addr, &size) : 0;
	struct ex_symbol symbol;

	if (ex_given_memory(addr))
		return ex_given_memory(addr);
	if (block != 0)
		snprintf(text, sizeof(text), "byte %zu of %s's %zu-byte block",
			 (size_t)(addr - block),
			 ex_thread_name((int)((addr - EX_HEAP_AT) / EX_HEAP_SIZE)), size);
	else if (stack >= 0)
		snprintf(text, sizeof(text), "a local variable of %s", ex_thread_name(stack));
	else if (ex_symbol_at(addr, &symbol) && symbol.offset == 0)
		snprintf(text, sizeof(text), "the global variable %.80s", symbol.name);
	else if (ex_symbol_at(addr, &symbol))
		snprintf(text, sizeof(text), "byte %zu of the global variable %.60s",
			 (size_t)symbol.offset, symbol.name);
	else
		snprintf(text, sizeof(text), "a global variable (%#lx)", (unsigned long)addr);
	return text;
}

/** Returns whether the address belongs to memory that the program has freed. */
bool ex_is_freed(uintptr_t addr)
{
	return in_heap(addr) && freed(addr);
}

/** Marks the block as freed, and returns its size. Fails if it is not an allocated block. */
size_t ex_heap_mark_freed(const void *p)
{
	uintptr_t a = (uintptr_t)p;
	if (!in_heap(a))
		ex_fail("free of %p, which was not allocated from the heap", p);
	if (freed(a))
		ex_fail("double free of %p", p);
	size_t size;
	memcpy(&size, (const char *)p - HEADER, sizeof(size));
	uintptr_t off = (a - EX_HEAP_AT) % EX_HEAP_SIZE;
	unsigned char *bitmap = (unsigned char *)(a - off);
	for (uintptr_t g = off / GRAIN; g * GRAIN < off + size; g++)
		bitmap[g / 8] |= (unsigned char)(1u << (g % 8));
	return size;
}

/** Fails if the memory, which the thread accesses, has been freed or is in a dead frame. Called for
 * every access of explored code. */
void ex_touch(int thread, uintptr_t addr, size_t size, const char *how)
{
	if (in_heap(addr)) {
		if (freed(addr) || freed(addr + size - 1)) {
			ex_place_show(EX_USE, thread, addr);
			ex_fail("use after free: %s of %s", how, ex_name_memory(addr));
		}
	} else if (ex_dead_frame(addr)) {
		ex_place_show(EX_USE, thread, addr);
		ex_fail("use after free: %s of %s, in a frame that its thread has left", how,
			ex_name_memory(addr));
	}
}
