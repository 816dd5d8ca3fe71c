/*
 * SPDX-License-Identifier: MIT
 *
 * guarded.h - the memory that the student's file allocates, for many.c. framework/threads.py
 * compiles the file with malloc=lab_malloc and so on.
 *
 * Each block ends just before a page that cannot be accessed, and its pages cannot be accessed
 * after it is freed. So an access beyond its end or after the free is a fault. (Because of
 * the alignment, up to 15 bytes beyond the end are accessible.)
 */
#ifndef DOZE_LAB10_GUARDED_H
#define DOZE_LAB10_GUARDED_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/atomic.h"

void *lab_malloc(size_t size);
void *lab_calloc(size_t n, size_t size);
void *lab_realloc(void *p, size_t size);
void *lab_aligned_alloc(size_t align, size_t size);
int lab_posix_memalign(void **out, size_t align, size_t size);
void lab_free(void *p);

#define BLOCK_MAGIC UINT64_C(0x646f7a65206c6162)

/* Header of a block, stored just before the block. */
struct block {
	uint64_t magic;
	size_t size, pages; /* in bytes: the block, and its pages without the guard page */
	char *at;           /* the first of these pages */
};

static DOZE_ATOMIC(uint32_t) live_blocks;

static size_t rounded_up(size_t size, size_t to)
{
	return (size + to - 1) / to * to;
}

void *lab_aligned_alloc(size_t align, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t used = rounded_up(size, align < 16 ? 16 : align);
	size_t pages = rounded_up(used + sizeof(struct block), page);
	char *at = mmap(NULL, pages + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED || mprotect(at, pages, PROT_READ | PROT_WRITE) != 0)
		return NULL;
	char *p = at + pages - used;
	((struct block *)(void *)p)[-1] = (struct block){BLOCK_MAGIC, size, pages, at};
	da_add(&live_blocks, 1, RLX);
	return p;
}

void *lab_malloc(size_t size)
{
	return lab_aligned_alloc(16, size);
}

void *lab_calloc(size_t n, size_t size)
{
	if (size != 0 && n > SIZE_MAX / 2 / size)
		return NULL;
	return lab_malloc(n * size); /* new pages are zero */
}

int lab_posix_memalign(void **out, size_t align, size_t size)
{
	*out = lab_aligned_alloc(align, size);
	return *out != NULL ? 0 : ENOMEM;
}

void lab_free(void *p)
{
	if (p == NULL)
		return;
	struct block block = ((struct block *)p)[-1];
	if (block.magic != BLOCK_MAGIC) {
		free(p); /* allocated by the library */
		return;
	}
	madvise(block.at, block.pages, MADV_DONTNEED);
	mprotect(block.at, block.pages, PROT_NONE);
	da_sub(&live_blocks, 1, RLX);
}

void *lab_realloc(void *p, size_t size)
{
	void *new = lab_malloc(size);
	if (p == NULL || new == NULL)
		return new;
	size_t old = ((struct block *)p)[-1].size;
	memcpy(new, p, old < size ? old : size);
	lab_free(p);
	return new;
}

#endif
