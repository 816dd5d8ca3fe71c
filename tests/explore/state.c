/*
 * SPDX-License-Identifier: MIT
 *
 * state.c - a state of the explored program as memory: save, restore, hash.
 *
 * A state is: the program's data and bss (the library's globals), the world, and of each thread the
 * used heap and the stack above sp. libc's own data is in a shared object and is not part of it;
 * explored code must not depend on it.
 */
#include "engine.h"

#include <stddef.h>
#include <string.h>

extern char __data_start[], _end[]; /* the linker's: first byte of data, last of bss */

struct region {
	char *at;
	size_t size;
};
#define MAX_REGIONS (7 + 2 * EX_MAX_THREADS)

/* The world in parts, so that a small scenario has small states. The first part holds the sizes. */
static unsigned world_regions(struct region *r)
{
	unsigned n = 0;
	r[n++] = (struct region){(char *)W, offsetof(struct ex_world, t)};
	r[n++] = (struct region){(char *)W->t, W->nthreads * sizeof(W->t[0])};
	if (E->opt.memory != EX_MEM_WEAK)
		return n;
	struct ex_views *v = &W->v;
	r[n++] = (struct region){(char *)v->cur, sizeof(v->cur) + sizeof(v->acq) + sizeof(v->rel)};
	r[n++] = (struct region){(char *)&v->sc, sizeof(v->sc)};
	r[n++] = (struct region){(char *)v->loc, W->nlocs * sizeof(v->loc[0])};
	r[n++] = (struct region){(char *)v->msg, W->nmsgs * sizeof(v->msg[0])};
	return n;
}

static unsigned regions(struct region *r)
{
	unsigned n = world_regions(r);
	/* Both are of the linker: one object as far as it is concerned. */
	// cppcheck-suppress comparePointers
	r[n++] = (struct region){__data_start, (size_t)(_end - __data_start)};
	for (unsigned i = 0; i < W->nthreads; i++) {
		r[n++] = (struct region){ex_heap_base((int)i), W->t[i].heap_used};
		char *sp = W->t[i].sp;
		char *top = ex_stack_base((int)i) + EX_STACK_SIZE;
		if (W->t[i].status != EX_ENDED)
			r[n++] = (struct region){sp, (size_t)(top - sp)};
	}
	return n;
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
	/* First what the sizes of the rest follow from. */
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

static uint64_t mix(uint64_t a, uint64_t b)
{
	__extension__ unsigned __int128 p = (unsigned __int128)a * b;
	return (uint64_t)p ^ (uint64_t)(p >> 64);
}

static void hash_bytes(struct ex_hash *h, const char *p, size_t n)
{
	uint64_t x, y;
	for (; n >= 16; p += 16, n -= 16) {
		memcpy(&x, p, 8);
		memcpy(&y, p + 8, 8);
		h->a = mix(h->a ^ x, y ^ UINT64_C(0x9e3779b97f4a7c15));
		h->b = mix(h->b + y, x ^ UINT64_C(0xc2b2ae3d27d4eb4f)) + h->a;
	}
	char rest[16] = {0};
	memcpy(rest, p, n);
	memcpy(&x, rest, 8);
	memcpy(&y, rest + 8, 8);
	h->a = mix(h->a ^ x ^ n, y ^ UINT64_C(0x165667b19e3779f9));
	h->b = mix(h->b + y + n, x ^ UINT64_C(0x27d4eb2f165667c5)) + h->a;
}

/* Swaps the ignored bytes with what `kept` holds: once with zeros, once back. */
static void swap_ignored(char *kept)
{
	for (unsigned i = 0; i < W->nignored; i++) {
		char *p = (char *)W->ignored[i].addr;
		for (uint64_t k = 0; k < W->ignored[i].size; k++) {
			char c = p[k];
			p[k] = *kept;
			*kept++ = c;
		}
	}
}

/** Bytes that do not belong to the state (ignored ranges; who ran last, when that does not count)
 * are zeroed for the time of hashing. */
struct ex_hash ex_state_hash(void)
{
	struct region r[MAX_REGIONS];
	struct ex_hash h = {UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344)};
	char kept[EX_MAX_IGNORED * 64] = {0};
	uint32_t preemptions = W->preemptions;
	int32_t last = W->last;

	W->preemptions = 0;
	if (E->opt.bound < 0)
		W->last = 0;
	swap_ignored(kept);
	unsigned n = regions(r);
	for (unsigned i = 0; i < n; i++)
		hash_bytes(&h, r[i].at, r[i].size);
	swap_ignored(kept);
	W->preemptions = preemptions;
	W->last = last;
	return h;
}
