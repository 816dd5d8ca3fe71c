/*
 * SPDX-License-Identifier: MIT
 *
 * hash.c - hashes a state incrementally, from what has changed since the last hash.
 *
 * Memory is hashed in chunks of 64 bytes. The hash of a state is the sum of one strong hash per
 * chunk, computed from the chunk's position and bytes. For each chunk this file keeps a copy of the
 * bytes that were hashed last, and their part of the sum. To hash a state, it compares memory with
 * the copy and hashes only the chunks that differ, no matter whether a step or a restored state
 * changed them.
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

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

void ex_hash_begin(void)
{
	memset(H->seen, 0, sizeof(H->seen));
}

/** Adds the `size` bytes from `at` to the state. They must be located within the `room` bytes from
 * `base`, which must be the same in every call with the same region number. */
void ex_hash_region(unsigned number, const char *base, size_t room, const char *at, size_t size)
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

struct ex_hash ex_hash_end(void)
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
