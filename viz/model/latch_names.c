/*
 * SPDX-License-Identifier: MIT
 *
 * latch_names.c - gives latches short names: L1, L2, ... per pool, in the order in which the trace
 * first mentions them.
 *
 * Because each join and scope creates a latch, the table is bounded: it keeps the newest NAMES_MAX
 * names per pool. An older latch loses its name and is shown by its id. Latch number n is stored in
 * slot n % room. The chain of slots for an id starts at head[hash of the id].
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "model_fn.h"

enum { NAMES_MIN = 1 << 6, NAMES_MAX = 1 << 18 };

static uint32_t bucket(const struct latch_names *n, uint64_t id)
{
	return (uint32_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (n->room - 1);
}

static struct latch_name *find(const struct latch_names *n, uint64_t id)
{
	if (!n->room)
		return NULL;
	for (uint32_t i = n->head[bucket(n, id)]; i; i = n->slot[i - 1].next)
		if (n->slot[i - 1].id == id)
			return &n->slot[i - 1];
	return NULL;
}

static void link_slot(struct latch_names *n, uint32_t number)
{
	uint32_t i = number % n->room;
	uint32_t *head = &n->head[bucket(n, n->slot[i].id)];

	n->slot[i].next = *head;
	*head = i + 1;
}

/* Removes the slot's old latch from its chain. */
static void unlink_slot(struct latch_names *n, uint32_t i)
{
	uint32_t *link = &n->head[bucket(n, n->slot[i].id)];

	while (*link != i + 1)
		link = &n->slot[*link - 1].next;
	*link = n->slot[i].next;
}

/* Doubles the table. No slot has been overwritten yet, so each latch moves to slot number % new
 * room. */
static bool grow_names(struct latch_names *n)
{
	struct latch_names bigger = {.room = n->room ? 2 * n->room : NAMES_MIN, .count = n->count};

	bigger.slot = calloc(bigger.room, sizeof(*bigger.slot));
	bigger.head = calloc(bigger.room, sizeof(*bigger.head));
	if (!bigger.slot || !bigger.head) {
		model_latch_names_free(&bigger);
		return false;
	}
	for (uint32_t i = 0; i < n->room; i++) {
		bigger.slot[n->slot[i].number % bigger.room] = n->slot[i];
		link_slot(&bigger, n->slot[i].number);
	}
	model_latch_names_free(n);
	*n = bigger;
	return true;
}

void model_latch_names_free(struct latch_names *n)
{
	free(n->slot);
	free(n->head);
	*n = (struct latch_names){0};
}

void model_latch_seen(struct pool *p, uint64_t id)
{
	struct latch_names *n = &p->latches;
	uint32_t number = n->count + 1;

	if (find(n, id))
		return;
	if (number > n->room && n->room < NAMES_MAX && !grow_names(n))
		return;
	if (number > n->room)
		unlink_slot(n, number % n->room);
	n->slot[number % n->room] = (struct latch_name){.id = id, .number = number};
	link_slot(n, number);
	n->count = number;
}

char *doze_model_latch_name(const struct doze_model *m, const struct doze_pool_view *pool,
			    uint64_t id, char *out)
{
	const struct pool *p = (const struct pool *)pool;
	const struct latch_name *name = p && !m->opt.raw_ids ? find(&p->latches, id) : NULL;

	if (name)
		snprintf(out, DOZE_LATCH_NAME, "L%" PRIu32, name->number);
	else
		snprintf(out, DOZE_LATCH_NAME, "%#" PRIx64, id);
	return out;
}
