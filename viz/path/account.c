/*
 * SPDX-License-Identifier: MIT
 *
 * account.c - how the time until one moment of one thread was spent (path.h).
 *
 * An account is taken at each publish, wake and set latch, and most are never used. So it is small:
 * what came before is in a node that it shares with the other accounts of the same thread. A node
 * is only written when a thread goes on after another one, and by then nobody else refers to it, or
 * it is copied. Nodes are counted references; the array is made once, and used again from its
 * beginning in each phase, which makes all references of earlier phases void.
 *
 * A node names up to DOZE_PATH_NAMED threads; when a path led over more, the one with least work on
 * it goes into `others`.
 */
#include <stdlib.h>
#include <string.h>

#include "path_int.h"

/* A node for each worker's present, and as many for what it published, set and woke; most of those
 * are the same. */
#define NODES_PER_WORKER 2
#define NODES_MORE       128

struct item {
	int64_t ns;
	int32_t who;
};

struct node {
	uint32_t refs, next; /* next: in the list of free ones */
	uint32_t named;
	int64_t others, part[DOZE_PATH_PARTS];
	struct item item[];
};

struct accounts {
	uint64_t phase;
	uint32_t room, used, free; /* nodes; those from `used` on were never used in this phase */
	uint32_t names;            /* items of each node */
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

/* Numbered from 1. */
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
	if (path_account_valid(a, from) && from->node)
		node_at(a, from->node)->refs++; /* first: it may be the same one */
	path_account_drop(a, to);
	if (path_account_valid(a, from))
		*to = *from;
}

/* 0: none is free. */
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

/* The item of that thread; where all are in use, the smallest gives way. */
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

/* Everything of *r, in a node that nobody else has. */
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
