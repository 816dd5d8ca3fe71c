/*
 * SPDX-License-Identifier: MIT
 *
 * state.c - saves, restores and hashes a state of the explored program, which is plain memory.
 *
 * A state consists of the program's data and bss (the library's globals), the world, and each
 * thread's used heap and stack above sp. It does not include libc's data, which is in a shared
 * object; explored code must not depend on that.
 *
 * A state is hashed incrementally, from what has changed since the last hash. Memory is hashed in
 * chunks of 64 bytes. The hash of a state is the sum of one strong hash per chunk, computed from
 * the chunk's position and bytes. For each chunk this file keeps a copy of the bytes that were
 * hashed last, and their part of the sum. To hash a state, it compares memory with the copy and
 * hashes only the chunks that differ, no matter whether a step or a restored state changed them.
 */
#include "search.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- the hash of regions of memory ---- */

#define CHUNK     64u
#define ROW       8u /* number of chunks compared at once */
#define MAX_AREAS 32

/* A region of a state. It can grow and shrink at both ends. */
struct area {
	uintptr_t base; /* address of chunk 0; 0 = unused */
	size_t chunks;
	char *copy;
	struct ex_hash *part;
	size_t from, to; /* chunks from … to - 1 are part of the sum */
};
static struct hashes {
	struct area area[MAX_AREAS];
	bool seen[MAX_AREAS]; /* whether the current state contains the area */
	struct ex_hash sum;
} * H; /* allocated by the first reset, and never freed */

static uint64_t mix(uint64_t a, uint64_t b)
{
	__extension__ unsigned __int128 p = (unsigned __int128)a * b;
	return (uint64_t)p ^ (uint64_t)(p >> 64);
}

static struct ex_hash hash_chunk(uint64_t place, const char *p)
{
	struct ex_hash h = {mix(place + 1, UINT64_C(0x243f6a8885a308d3)),
			    mix(place + 1, UINT64_C(0x13198a2e03707345))};
	for (unsigned i = 0; i < CHUNK; i += 16) {
		uint64_t x, y;
		memcpy(&x, p + i, 8);
		memcpy(&y, p + i + 8, 8);
		h.a = mix(h.a ^ x, y ^ UINT64_C(0x9e3779b97f4a7c15));
		h.b = mix(h.b + y, x ^ UINT64_C(0xc2b2ae3d27d4eb4f)) + h.a;
	}
	return h;
}

static void leave(struct area *a, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		H->sum.a -= a->part[i].a;
		H->sum.b -= a->part[i].b;
	}
}

static void enter(struct area *a, size_t i, const char *p)
{
	memcpy(a->copy + i * CHUNK, p, CHUNK);
	a->part[i] = hash_chunk((uint64_t)(a - H->area) << 32 | i, p);
	H->sum.a += a->part[i].a;
	H->sum.b += a->part[i].b;
}

/* Returns the chunk's bytes. If only part of the chunk belongs to the region, returns a copy in
 * `room` with zeros for the rest. */
static const char *whole_chunk(char *room, uintptr_t chunk, uintptr_t from, uintptr_t to)
{
	if (from <= chunk && chunk + CHUNK <= to)
		return (const char *)chunk;
	uintptr_t lo = from > chunk ? from : chunk;
	uintptr_t hi = to < chunk + CHUNK ? to : chunk + CHUNK;
	memset(room, 0, CHUNK);
	memcpy(room + (lo - chunk), (const char *)lo, hi - lo);
	return room;
}

static void look_at(struct area *a, size_t i, uintptr_t from, uintptr_t to)
{
	char room[CHUNK];
	const char *p = whole_chunk(room, a->base + i * CHUNK, from, to);
	bool counted = i >= a->from && i < a->to;
	if (counted && !memcmp(p, a->copy + i * CHUNK, CHUNK))
		return;
	if (counted)
		leave(a, i, i + 1);
	enter(a, i, p);
}

static void *need(void *p)
{
	if (!p) {
		fprintf(stderr, "explore: out of memory for hashes\n");
		exit(2);
	}
	return p;
}

/** Forgets all areas. */
void ex_hash_reset(void)
{
	if (!H)
		H = need(calloc(1, sizeof(*H)));
	for (unsigned i = 0; i < MAX_AREAS; i++) {
		free(H->area[i].copy);
		free(H->area[i].part);
	}
	memset(H, 0, sizeof(*H));
}

static void hash_begin(void)
{
	memset(H->seen, 0, sizeof(H->seen));
}

/** Adds the `size` bytes from `at` to the state. They must be located within the `room` bytes from
 * `base`, which must be the same in every call with the same region number. */
static void hash_region(unsigned number, const char *base, size_t room, const char *at, size_t size)
{
	struct area *a = &H->area[number];
	uintptr_t from = (uintptr_t)at, to = from + size;

	if (!a->base) {
		a->base = (uintptr_t)base / CHUNK * CHUNK;
		a->chunks = ((uintptr_t)base + room - a->base + CHUNK - 1) / CHUNK;
		a->copy = need(malloc(a->chunks * CHUNK));
		a->part = need(malloc(a->chunks * sizeof(*a->part)));
	}
	H->seen[number] = true;
	size_t first = (from - a->base) / CHUNK;
	size_t end = size ? (to - a->base + CHUNK - 1) / CHUNK : first;

	if (a->from < first)
		leave(a, a->from, a->to < first ? a->to : first);
	if (a->to > end)
		leave(a, a->from > end ? a->from : end, a->to);
	for (size_t i = first; i < end; i++) {
		uintptr_t chunk = a->base + i * CHUNK;
		bool row =
		    i >= a->from && i + ROW <= a->to && chunk >= from && chunk + ROW * CHUNK <= to;
		if (row && !memcmp((const char *)chunk, a->copy + i * CHUNK, ROW * CHUNK))
			i += ROW - 1;
		else
			look_at(a, i, from, to);
	}
	a->from = first;
	a->to = end;
}

static struct ex_hash hash_end(void)
{
	for (unsigned i = 0; i < MAX_AREAS; i++) {
		struct area *a = &H->area[i];
		if (H->seen[i] || a->from == a->to)
			continue;
		leave(a, a->from, a->to);
		a->from = a->to = 0;
	}
	return H->sum;
}

/* ---- states ---- */

extern char __data_start[], _end[]; /* defined by the linker: first byte of data, end of bss */

struct region {
	char *at;
	size_t size;
	unsigned number; /* region's number for the hash: WORLD, …, or STACKS + the thread */
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
	hash_begin();
	unsigned n = regions(r);
	for (unsigned i = 0; i < n; i++) {
		struct region room = room_of(&r[i]);
		hash_region(r[i].number, room.at, room.size, r[i].at, r[i].size);
	}
	swap_ignored(kept);
	W->preemptions = preemptions;
	W->last = last;
	return hash_end();
}
