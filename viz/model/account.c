/*
 * SPDX-License-Identifier: MIT
 *
 * account.c - an account records how one thread spent the time up to a given moment (path.h).
 *
 * Each post, wake and set latch copies an account, and most copies are never used. An account is
 * therefore small: it contains only the times since its thread last continued from another account.
 * The sums of the earlier part of the path are in a node, which it shares with other accounts of
 * the same thread. A thread that continues from another account gets a new node; existing nodes
 * never change. Nodes are reference-counted. Their array is allocated once and reused from the
 * start in each phase, which invalidates all references of earlier phases.
 *
 * A node names up to DOZE_PATH_NAMED threads. If a path has more, the one with the least work is
 * added to `others`.
 */
#include <stdlib.h>
#include <string.h>

#include "path_int.h"

/* Nodes per worker: one for its current account, and one for the copies that its posts, wakes and
 * set latches make. Most of these copies share a node. */
#define NODES_PER_WORKER 2
#define NODES_MORE       128

struct item {
	int64_t ns;
	int32_t who;
};

struct node {
	uint32_t refs, next; /* next: next node in the free list */
	uint32_t named;
	int64_t others, part[DOZE_PATH_PARTS];
	struct item item[];
};

struct accounts {
	uint64_t phase;
	uint32_t room, used, free; /* number of nodes; number of nodes used so far in this phase;
				    * head of the free list */
	uint32_t names;            /* items per node */
	size_t stride;
	_Alignas(struct node) char nodes[];
};

static void size_for(struct accounts *a, uint32_t workers)
{
	uint32_t names = workers + PATH_OUTSIDE;

	a->names = names < DOZE_PATH_NAMED ? names : DOZE_PATH_NAMED;
	a->room = NODES_PER_WORKER * workers + NODES_MORE;
	a->stride = sizeof(struct node) + a->names * sizeof(struct item);
}

size_t path_accounts_bytes(uint32_t workers)
{
	struct accounts a;

	size_for(&a, workers);
	return sizeof a + a.room * a.stride;
}

struct accounts *path_accounts_new(uint32_t workers)
{
	struct accounts *a = calloc(1, path_accounts_bytes(workers));

	if (a)
		size_for(a, workers);
	return a;
}

void path_accounts_begin(struct accounts *a, uint64_t phase)
{
	a->phase = phase;
	a->used = a->free = 0;
}

/* Nodes are numbered from 1. */
static struct node *node_at(const struct accounts *a, uint32_t n)
{
	return (struct node *)(a->nodes + (n - 1) * a->stride);
}

bool path_account_valid(const struct accounts *a, const struct path_ref *r)
{
	return r->phase == a->phase;
}

void path_account_drop(struct accounts *a, struct path_ref *r)
{
	struct node *n;

	if (path_account_valid(a, r) && r->node) {
		n = node_at(a, r->node);
		if (!--n->refs) {
			n->next = a->free;
			a->free = r->node;
		}
	}
	r->phase = 0;
	r->node = 0;
}

void path_account_set(struct accounts *a, struct path_ref *to, const struct path_ref *from)
{
	/* Takes the new reference before dropping the old one, because *to may already refer to
	 * that node. */
	if (path_account_valid(a, from) && from->node)
		node_at(a, from->node)->refs++;
	path_account_drop(a, to);
	if (path_account_valid(a, from))
		*to = *from;
}

/* Returns a new node with one reference, or 0 if none is free. */
static uint32_t node_new(struct accounts *a)
{
	uint32_t n = a->free;

	if (n)
		a->free = node_at(a, n)->next;
	else if (a->used < a->room)
		n = ++a->used;
	if (n)
		node_at(a, n)->refs = 1;
	return n;
}

/* Adds ns to the item of thread `who`. If all items are in use, the smallest one is first moved to
 * `others`. */
static void add_item(const struct accounts *a, struct node *n, int32_t who, int64_t ns)
{
	uint32_t least = 0;

	for (uint32_t i = 0; i < n->named; i++) {
		if (n->item[i].who == who) {
			n->item[i].ns += ns;
			return;
		}
		if (n->item[i].ns < n->item[least].ns)
			least = i;
	}
	if (n->named < a->names)
		least = n->named++;
	else
		n->others += n->item[least].ns;
	n->item[least] = (struct item){.who = who, .ns = ns};
}

/* Stores all sums of the account *r in a node that no other account shares yet. */
static void node_fill(const struct accounts *a, struct node *n, const struct path_ref *r)
{
	const struct node *from = r->node ? node_at(a, r->node) : 0;

	n->named = from ? from->named : 0;
	n->others = from ? from->others : 0;
	for (int k = 0; k < DOZE_PATH_PARTS; k++)
		n->part[k] = r->part[k] + (from ? from->part[k] : 0);
	if (from)
		memcpy(n->item, from->item, from->named * sizeof *from->item);
	if (r->work)
		add_item(a, n, r->who, r->work);
}

bool path_account_follow(struct accounts *a, struct path_ref *now, const struct path_ref *from,
			 int32_t who)
{
	int64_t ts = from->ts;
	uint32_t n;

	if (!path_account_valid(a, from))
		return false;
	n = node_new(a);
	if (!n)
		return false;
	node_fill(a, node_at(a, n), from);
	path_account_drop(a, now);
	*now = (struct path_ref){.phase = a->phase, .ts = ts, .node = n, .who = who};
	return true;
}

void path_account_items(const struct accounts *a, const struct path_ref *r, struct doze_path *out)
{
	union {
		struct node node;
		char room[sizeof(struct node) + DOZE_PATH_NAMED * sizeof(struct item)];
	} all;
	struct node *n = &all.node;

	node_fill(a, n, r);
	out->named = n->named;
	out->others = n->others;
	for (uint32_t i = 0; i < n->named; i++) {
		bool outside = n->item[i].who < 0;

		out->work[i].worker = outside ? -1 : n->item[i].who;
		out->work[i].vtid = outside ? path_vtid(n->item[i].who) : -1;
		out->work[i].ns = n->item[i].ns;
	}
	memcpy(out->part, n->part, sizeof out->part);
}
