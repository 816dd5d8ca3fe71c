/*
 * SPDX-License-Identifier: MIT
 *
 * visited.c - the set of states seen, by 120 bits of hash. Two different states that share them
 * would hide one; at 10^8 states the chance is below 10^-20.
 *
 * With a preemption bound a state is worth entering again when it is reached with fewer preemptions
 * (more are left to spend then), and while the shortest failure is sought when it is reached
 * sooner.
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

struct entry {
	uint64_t a; /* 0 = free */
	uint32_t b;
	uint8_t b2, unused;
	uint8_t cost, unused2;
	uint32_t depth;
	uint32_t number; /* in the order seen, from 2 (graph.c) */
};

static struct set {
	struct entry *table;
	uint64_t size, used;
} * set; /* constant after the first reset, so that restoring a state does not disturb it */

void ex_visited_reset(void)
{
	if (!set)
		set = calloc(1, sizeof(*set));
	if (!set)
		abort();
	free(set->table);
	set->size = 1u << 16;
	set->used = 0;
	set->table = calloc(set->size, sizeof(struct entry));
	if (!set->table)
		abort();
}

uint64_t ex_visited_count(void)
{
	return set->used;
}

static struct entry *find(struct entry *table, uint64_t size, uint64_t a, uint32_t b, uint8_t b2)
{
	uint64_t i = a & (size - 1);
	while (table[i].a && (table[i].a != a || table[i].b != b || table[i].b2 != b2))
		i = (i + 1) & (size - 1);
	return &table[i];
}

static void grow(void)
{
	struct entry *bigger = calloc(set->size * 2, sizeof(struct entry));
	if (!bigger) {
		fprintf(stderr, "explore: out of memory at %lu states; use --max-states\n",
			(unsigned long)set->used);
		exit(2);
	}
	for (uint64_t i = 0; i < set->size; i++) {
		const struct entry *e = &set->table[i];
		if (e->a)
			*find(bigger, set->size * 2, e->a, e->b, e->b2) = *e;
	}
	free(set->table);
	set->table = bigger;
	set->size *= 2;
}

/** True when nothing new can come of this state. Otherwise it is remembered. *number names it. */
bool ex_visited(struct ex_hash h, unsigned cost, unsigned depth, uint32_t *number)
{
	uint64_t a = h.a | 1;
	uint32_t b = (uint32_t)h.b;
	uint8_t b2 = (uint8_t)(h.b >> 32);
	struct entry *e = find(set->table, set->size, a, b, b2);

	if (e->a) {
		*number = e->number;
		if (e->cost <= cost && e->depth <= depth)
			return true;
		e->cost = (uint8_t)cost;
		e->depth = depth;
		return false;
	}
	*number = (uint32_t)set->used + 2;
	*e = (struct entry){
	    .a = a, .b = b, .b2 = b2, .cost = (uint8_t)cost, .depth = depth, .number = *number};
	if (++set->used * 2 > set->size)
		grow();
	return false;
}
