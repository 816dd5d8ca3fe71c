/*
 * SPDX-License-Identifier: MIT
 *
 * graph.c - finds livelocks: states from which no schedule leads to the program's end.
 *
 * A hang is a state without any step. A worker that loops forever without seeing a job does not
 * hang; only the whole graph of states reveals it. An unbounded search without a failure has
 * followed every edge. This file stores the edges and follows them backwards from the end. A state
 * that is not reached in this way is a livelock, and the shortest path to it from the start is the
 * schedule to report. (A search with a preemption bound gives no verdict on livelocks: a thread may
 * spin only because the bound keeps another thread from running.)
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

struct edge {
	uint32_t from, to;
	struct ex_action action;
};

static struct graph {
	struct edge *edge;
	size_t edges, room;
	uint32_t states;
} * G; /* constant after the first reset */

#define END 0 /* state 0 is the end; 1 is the start */

static void *need(void *p)
{
	if (!p) {
		fprintf(stderr, "explore: out of memory for the graph of states\n");
		exit(2);
	}
	return p;
}

void ex_graph_reset(void)
{
	if (!G)
		G = need(calloc(1, sizeof(*G)));
	G->edges = 0;
	G->states = 2;
}

static void add(uint32_t from, uint32_t to, struct ex_action action)
{
	if (G->edges == G->room) {
		G->room = G->room ? G->room * 2 : 4096;
		G->edge = need(realloc(G->edge, G->room * sizeof(*G->edge)));
	}
	G->edge[G->edges++] = (struct edge){from, to, action};
	if (to >= G->states)
		G->states = to + 1;
}

void ex_graph_edge(uint32_t from, uint32_t to, struct ex_action action)
{
	add(from, to, action);
}

void ex_graph_end(uint32_t from, struct ex_action action)
{
	add(from, END, action);
}

/* The edges grouped by the state that they leave, or by the state that they enter. */
struct index {
	size_t *first; /* for each state, its first position in `order` */
	uint32_t *order;
};

static struct index index_by(bool incoming)
{
	struct index x = {need(calloc(G->states + 2u, sizeof(size_t))),
			  need(malloc((G->edges + 1) * sizeof(uint32_t)))};
	for (size_t i = 0; i < G->edges; i++)
		x.first[(incoming ? G->edge[i].to : G->edge[i].from) + 2]++;
	for (uint32_t s = 1; s < G->states + 2; s++)
		x.first[s] += x.first[s - 1];
	for (size_t i = 0; i < G->edges; i++)
		x.order[x.first[(incoming ? G->edge[i].to : G->edge[i].from) + 1]++] = (uint32_t)i;
	return x;
}

static void index_free(struct index x)
{
	free(x.first);
	free(x.order);
}

/* Searches breadth first from a state. Returns via: via[s] is 1 + the edge by which s was reached,
 * UINT32_MAX for the start, or 0 if s was not reached. */
static uint32_t *reach(uint32_t start, bool backwards)
{
	struct index x = index_by(backwards);
	uint32_t *via = need(calloc(G->states, sizeof(*via)));
	uint32_t *queue = need(malloc(G->states * sizeof(*queue)));
	uint32_t head = 0, tail = 0;

	via[start] = UINT32_MAX;
	queue[tail++] = start;
	while (head < tail) {
		uint32_t s = queue[head++];
		for (size_t k = x.first[s]; k < x.first[s + 1]; k++) {
			const struct edge *e = &G->edge[x.order[k]];
			uint32_t next = backwards ? e->from : e->to;
			/* A spurious wake may happen, but no program may rely on one. */
			if (via[next] || (backwards && e->action.kind == EX_SPURIOUS))
				continue;
			via[next] = x.order[k] + 1;
			queue[tail++] = next;
		}
	}
	free(queue);
	index_free(x);
	return via;
}

static unsigned distance(const uint32_t *via, uint32_t state)
{
	unsigned n = 0;
	for (; via[state] != UINT32_MAX; state = G->edge[via[state] - 1].from)
		n++;
	return n;
}

/** Searches for livelocks. If there is one, stores the shortest schedule that leads to one and
 * returns true. */
bool ex_graph_livelock(struct ex_action *path, unsigned *length)
{
	uint32_t *good = reach(END, true);
	uint32_t worst = 0;
	unsigned best = EX_MAX_PATH;

	if (!good[1])
		worst = 1;
	uint32_t *via = reach(1, false);
	for (uint32_t s = 2; s < G->states; s++) {
		if (good[s] || !via[s])
			continue;
		unsigned n = distance(via, s);
		if (n < best) {
			best = n;
			worst = s;
		}
	}
	if (worst > 1) {
		*length = best;
		for (uint32_t s = worst; via[s] != UINT32_MAX; s = G->edge[via[s] - 1].from)
			path[--best] = G->edge[via[s] - 1].action;
	} else {
		*length = 0;
	}
	free(good);
	free(via);
	return worst != 0;
}
