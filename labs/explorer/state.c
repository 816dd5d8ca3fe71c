/*
 * SPDX-License-Identifier: MIT
 *
 * state.c - saves, restores and hashes a state of the explored program, which is plain memory.
 *
 * A state consists of the program's data and bss (the library's globals), the world, and each
 * thread's used heap and stack above sp. It does not include libc's data, which is in a shared
 * object; explored code must not depend on that.
 */
#include "engine.h"

#include <stddef.h>
#include <string.h>

extern char __data_start[], _end[]; /* defined by the linker: first byte of data, end of bss */

struct region {
	char *at;
	size_t size;
	unsigned number; /* region's number for hash.c: WORLD, …, or STACKS + the thread */
};
enum {
	WORLD,
	THREADS,
	VIEWS,
	SC_VIEW,
	LOCS,
	MSGS,
	ACCESSES,
	DATA,
	HEAPS,
	STACKS = HEAPS + EX_MAX_THREADS
};
#define MAX_REGIONS (STACKS + EX_MAX_THREADS)

/* Lists only the used parts of the world, so that a small scenario has small states. The first part
 * contains the sizes. */
static unsigned world_regions(struct region *r)
{
	unsigned n = 0;
	r[n++] = (struct region){(char *)W, offsetof(struct ex_world, t), WORLD};
	r[n++] = (struct region){(char *)W->t, W->nthreads * sizeof(W->t[0]), THREADS};
	if (E->opt.memory != EX_MEM_WEAK)
		return n;
	struct ex_views *v = &W->v;
	r[n++] = (struct region){(char *)v->cur, sizeof(v->cur) + sizeof(v->acq) + sizeof(v->rel),
				 VIEWS};
	r[n++] = (struct region){(char *)&v->sc, sizeof(v->sc), SC_VIEW};
	r[n++] = (struct region){(char *)v->loc, W->nlocs * sizeof(v->loc[0]), LOCS};
	r[n++] = (struct region){(char *)v->msg, W->nmsgs * sizeof(v->msg[0]), MSGS};
	r[n++] = (struct region){(char *)v->access, W->naccesses * sizeof(v->access[0]), ACCESSES};
	return n;
}

static unsigned regions(struct region *r)
{
	unsigned n = world_regions(r);
	/* Both symbols belong to one object, which the linker defines. */
	// cppcheck-suppress comparePointers
	r[n++] = (struct region){__data_start, (size_t)(_end - __data_start), DATA};
	for (unsigned i = 0; i < W->nthreads; i++) {
		r[n++] = (struct region){ex_heap_base((int)i), W->t[i].heap_used, HEAPS + i};
		char *sp = W->t[i].sp;
		char *top = ex_stack_base((int)i) + EX_STACK_SIZE;
		if (W->t[i].status != EX_ENDED)
			r[n++] = (struct region){sp, (size_t)(top - sp), STACKS + i};
	}
	return n;
}

/* Returns the memory within which a region may grow and shrink. */
static struct region room_of(const struct region *r)
{
	if (r->number >= STACKS)
		return (struct region){ex_stack_base((int)(r->number - STACKS)), EX_STACK_SIZE, 0};
	if (r->number >= HEAPS)
		return (struct region){r->at, EX_HEAP_SIZE, 0};
	if (r->number == DATA)
		return *r;
	return (struct region){r->at, (size_t)((char *)(W + 1) - r->at), 0};
}

size_t ex_state_size(void)
{
	struct region r[MAX_REGIONS];
	size_t size = 0;
	unsigned n = regions(r);
	for (unsigned i = 0; i < n; i++)
		size += r[i].size;
	return size;
}

void ex_state_save(char *to)
{
	struct region r[MAX_REGIONS];
	unsigned n = regions(r);
	for (unsigned i = 0; i < n; i++) {
		memcpy(to, r[i].at, r[i].size);
		to += r[i].size;
	}
}

void ex_state_restore(const char *from)
{
	struct region r[MAX_REGIONS];
	/* First restore the parts that determine the sizes of the others. */
	const char *p = from;
	memcpy(W, p, offsetof(struct ex_world, t));
	p += offsetof(struct ex_world, t);
	memcpy(W->t, p, W->nthreads * sizeof(W->t[0]));
	unsigned n = regions(r);
	for (unsigned i = 0; i < n; i++) {
		memcpy(r[i].at, from, r[i].size);
		from += r[i].size;
	}
}

/* Swaps `size` bytes of an ignored range. The common size 8 has a fast path. */
static void swap_bytes(char *a, char *b, uint64_t size)
{
	char x[EX_MAX_IGNORED_SIZE];
	if (size == 8) {
		memcpy(x, a, 8);
		memcpy(a, b, 8);
		memcpy(b, x, 8);
		return;
	}
	memcpy(x, a, size);
	memcpy(a, b, size);
	memcpy(b, x, size);
}

/* Writes to `kept` the bytes that are hashed in place of the ignored ones: zeros or, for an id,
 * whether it is 0. */
static void stand_ins(char *kept)
{
	static const char zeros[EX_MAX_IGNORED_SIZE];
	memset(kept, 0, W->nignored * EX_MAX_IGNORED_SIZE);
	for (unsigned i = 0; i < W->nignored; i++)
		if (W->ignored[i].zero_counts)
			kept[i * EX_MAX_IGNORED_SIZE] =
			    memcmp((char *)W->ignored[i].addr, zeros, W->ignored[i].size) != 0;
}

/* Swaps the ignored bytes with those in `kept`. Called before hashing, and again to swap them
 * back. */
static void swap_ignored(char *kept)
{
	for (unsigned i = 0; i < W->nignored; i++)
		swap_bytes((char *)W->ignored[i].addr, kept + i * EX_MAX_IGNORED_SIZE,
			   W->ignored[i].size);
}

/** Hashes the state. While it does so, replaces the bytes that do not belong to the state: ignored
 * ranges, and data that visited.c handles itself (the number of preemptions and, except in a search
 * for the shortest failure, the thread of the last step). */
struct ex_hash ex_state_hash(void)
{
	struct region r[MAX_REGIONS];
	char kept[EX_MAX_IGNORED * EX_MAX_IGNORED_SIZE];
	uint32_t preemptions = W->preemptions;
	int32_t last = W->last;

	W->preemptions = 0;
	if (!E->opt.shortest)
		W->last = 0;
	stand_ins(kept);
	swap_ignored(kept);
	ex_hash_begin();
	unsigned n = regions(r);
	for (unsigned i = 0; i < n; i++) {
		struct region room = room_of(&r[i]);
		ex_hash_region(r[i].number, room.at, room.size, r[i].at, r[i].size);
	}
	swap_ignored(kept);
	W->preemptions = preemptions;
	W->last = last;
	return ex_hash_end();
}
