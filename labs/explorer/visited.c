/*
 * SPDX-License-Identifier: MIT
 *
 * visited.c - the set of visited states, each stored as 100 bits of its hash. A collision would
 * hide a state; with 10^8 states its probability is below 10^-14.
 *
 * With a preemption bound, a state must be entered again when more of the bound is left than in any
 * earlier visit. The thread of the last step matters only in this case: continuing with that thread
 * is free, and switching costs one preemption. An entry therefore contains, for each last thread,
 * the least number of preemptions (cost) at which the state was entered. Entering the state at cost
 * c is useless if it was entered before at cost c with the same last thread, at cost c with a last
 * thread that could not have continued (any thread could then act for free), or at cost c - 1 with
 * any last thread.
 *
 * In a search for the shortest failure (where the hash includes the last thread; see state.c), a
 * state must also be entered again when it is reached in fewer steps.
 */
#include "search.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS     7              /* costs per entry: one for each thread, and one for ANYBODY */
#define ANYBODY   EX_MAX_THREADS /* the last thread could not have continued */
#define COST_BITS 4
#define NEVER     ((1u << COST_BITS) - 1)
_Static_assert(ANYBODY < SLOTS, "a cost for each thread");
_Static_assert(EX_MAX_BOUND < NEVER, "each cost fits");

struct entry {
	uint64_t a; /* half of the hash; 0 = the entry is free */
	uint64_t b; /* low bits: SLOTS costs; high bits: more of the hash */
};
#define COSTS_MASK ((UINT64_C(1) << (SLOTS * COST_BITS)) - 1)

static struct set {
	struct entry *table;
	/* One element per entry. `number` identifies the state in graph.c: states are numbered in
	 * order of discovery, from 2. `depth` is the length of the path on which the search last
	 * entered the state. Null if not needed. */
	uint32_t *number, *depth;
	uint64_t size, used;
} * set; /* allocated once, by the first reset, so that restoring a state does not change it */

static void *need(void *p)
{
	if (!p) {
		fprintf(stderr, "explore: out of memory at %lu states; use --max-states\n",
			(unsigned long)set->used);
		exit(2);
	}
	return p;
}

static void make(struct set *s, uint64_t size)
{
	s->size = size;
	s->table = need(calloc(size, sizeof(*s->table)));
	s->number = E->opt.bound < 0 ? need(calloc(size, sizeof(*s->number))) : NULL;
	s->depth = E->opt.shortest ? need(calloc(size, sizeof(*s->depth))) : NULL;
}

static void drop(struct set *s)
{
	free(s->table);
	free(s->number);
	free(s->depth);
}

void ex_visited_reset(void)
{
	if (!set)
		set = need(calloc(1, sizeof(*set)));
	drop(set);
	set->used = 0;
	make(set, 1u << 16);
}

uint64_t ex_visited_count(void)
{
	return set->used;
}

static uint64_t find(const struct set *s, uint64_t a, uint64_t b)
{
	uint64_t i = a & (s->size - 1);
	while (s->table[i].a && (s->table[i].a != a || ((s->table[i].b ^ b) & ~COSTS_MASK)))
		i = (i + 1) & (s->size - 1);
	return i;
}

static void grow(void)
{
	struct set bigger = {.used = set->used};
	make(&bigger, set->size * 2);
	for (uint64_t i = 0; i < set->size; i++) {
		if (!set->table[i].a)
			continue;
		uint64_t k = find(&bigger, set->table[i].a, set->table[i].b);
		bigger.table[k] = set->table[i];
		if (set->number)
			bigger.number[k] = set->number[i];
		if (set->depth)
			bigger.depth[k] = set->depth[i];
	}
	drop(set);
	*set = bigger;
}

static unsigned cost_of(uint64_t b, unsigned slot)
{
	return (unsigned)(b >> (slot * COST_BITS)) & NEVER;
}

static bool worse(uint64_t costs, unsigned slot, unsigned cost)
{
	if (cost_of(costs, slot) <= cost || cost_of(costs, ANYBODY) <= cost)
		return true;
	for (unsigned i = 0; i < ANYBODY; i++)
		if (cost_of(costs, i) < cost)
			return true;
	return false;
}

/** Returns true if nothing new can follow this state, which was reached with `cost` preemptions;
 * otherwise adds it. `last` is the thread of the last step, or -1 if that thread could not have
 * continued. In an unbounded search, sets *number to the state's number. */
bool ex_visited(struct ex_hash h, unsigned cost, int last, unsigned depth, uint32_t *number)
{
	uint64_t a = h.a | 1, b = h.b & ~COSTS_MASK;
	unsigned slot = last < 0 ? ANYBODY : (unsigned)last;
	uint64_t i = find(set, a, b);
	struct entry *e = &set->table[i];

	if (!e->a) {
		*e = (struct entry){a, b | COSTS_MASK};
		if (set->number)
			set->number[i] = (uint32_t)set->used + 2;
		set->used++;
	} else if (worse(e->b, slot, cost) && (!set->depth || set->depth[i] <= depth)) {
		*number = set->number ? set->number[i] : 0;
		return true;
	}
	e->b &= ~((uint64_t)NEVER << (slot * COST_BITS));
	e->b |= (uint64_t)cost << (slot * COST_BITS);
	if (set->depth)
		set->depth[i] = depth;
	*number = set->number ? set->number[i] : 0;
	if (set->used * 4 > set->size * 3)
		grow();
	return false;
}
