/*
 * SPDX-License-Identifier: MIT
 *
 * heap.c - malloc and free for the explored code; freed memory is poisoned.
 *
 * Each thread has its own arena. So an address depends only on the thread's own history, and
 * interleavings that differ only in the order of allocations lead to the same state. Freed memory
 * is filled with 0xdd, marked in the arena's bitmap and never reused: any later step or plain
 * access that touches it fails the execution.
 *
 * The library's files are compiled with malloc=ex_malloc and so on.
 */
#include "engine.h"

#include <errno.h>
#include <string.h>

#define GRAIN       16u
#define BITMAP_SIZE (EX_HEAP_SIZE / GRAIN / 8)
#define HEADER      16u /* holds the block's size */

void *ex_malloc(size_t size);
void *ex_calloc(size_t n, size_t size);
void *ex_aligned_alloc(size_t align, size_t size);
int ex_posix_memalign(void **out, size_t align, size_t size);
void *ex_realloc(void *p, size_t size);
char *ex_strdup(const char *s);
void ex_free(void *p);

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

void *ex_aligned_alloc(size_t align, size_t size)
{
	return ex_heap_alloc(align, size);
}

void *ex_malloc(size_t size)
{
	return ex_aligned_alloc(GRAIN, size);
}

void *ex_calloc(size_t n, size_t size)
{
	return ex_aligned_alloc(GRAIN, n * size); /* already zeroed */
}

int ex_posix_memalign(void **out, size_t align, size_t size)
{
	*out = ex_aligned_alloc(align, size);
	return 0;
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

/** Returns whether the address belongs to memory that the program has freed. */
bool ex_is_freed(uintptr_t addr)
{
	return in_heap(addr) && freed(addr);
}

void *ex_realloc(void *p, size_t size)
{
	void *q = ex_malloc(size);
	if (p) {
		size_t old;
		memcpy(&old, (char *)p - HEADER, sizeof(old));
		memcpy(q, p, old < size ? old : size);
		ex_free(p);
	}
	return q;
}

char *ex_strdup(const char *s)
{
	size_t n = strlen(s) + 1;
	return memcpy(ex_malloc(n), s, n);
}

void ex_free(void *p)
{
	ex_heap_free(p);
}

void ex_heap_free(void *p)
{
	uintptr_t a = (uintptr_t)p;
	if (!p)
		return;
	if (!in_heap(a))
		ex_fail("free of %p, which was not allocated from the heap", p);
	if (freed(a))
		ex_fail("double free of %p", p);
	size_t size;
	memcpy(&size, (char *)p - HEADER, sizeof(size));
	uintptr_t off = (a - EX_HEAP_AT) % EX_HEAP_SIZE;
	unsigned char *bitmap = (unsigned char *)(a - off);
	for (uintptr_t g = off / GRAIN; g * GRAIN < off + size; g++)
		bitmap[g / 8] |= (unsigned char)(1u << (g % 8));
	ex_plain_freed(a, size);
	ex_stores_forget(a, size);
	memset(p, 0xdd, size);
	ex_views_forget(a, size);
}

/** Fails if the memory has been freed or is in a dead frame. Called for every access of explored
 * code. */
void ex_touch(uintptr_t addr, size_t size, const char *how)
{
	if (in_heap(addr)) {
		if (freed(addr) || freed(addr + size - 1))
			ex_fail("use after free: %s of %#lx", how, (unsigned long)addr);
	} else if (ex_dead_frame(addr)) {
		ex_fail("use after free: %s of %#lx, in a frame that its thread has left", how,
			(unsigned long)addr);
	}
}
