/*
 * SPDX-License-Identifier: MIT
 *
 * graph.c - finds livelocks: states from which no schedule leads to the program's end.
 *
 * A hang is a state without any step. A worker that loops forever without seeing a job does not
 * hang; only the whole graph of states reveals it. An unbounded search without a failure has
 * followed every edge. This file stores the edges and follows them backwards from the end. A state
 * that is not reached in this way is a livelock, and the shortest path to it from the start is the
 * schedule to report, followed by one turn of a loop of steps. (A search with a preemption bound
 * gives no verdict on livelocks: a thread may spin only because the bound keeps another thread from
 * running.)
 */
#include "search.h"

#include <stdlib.h>
#include <string.h>

#include "../../viz/trace/grow.h"

struct edge {
	uint32_t from, to;
	struct ex_action action;
};

static struct graph {
	struct edge *edge;
	size_t edges, room;
	uint32_t states;
} * G; /* allocated by the first reset, and never freed */

#define END 0 /* state 0 is the program's end; state 1 is its start */

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
	G->edge = need(doze_grow(G->edge, &G->room, G->edges, sizeof(*G->edge)));
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
	size_t *first; /* for each state, the position of its first edge in `order` */
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

/* A spurious wake may happen, but no program may rely on it. */
static bool relied_on(const struct edge *e)
{
	return e->action.kind != EX_SPURIOUS;
}

/* Searches breadth first from a state. Returns via: via[s] is 1 + the edge by which s was reached,
 * UINT32_MAX for the start, or 0 if s was not reached. */
static uint32_t *reach(uint32_t start, bool backwards, bool spurious)
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
			if (via[next] || !(spurious || relied_on(e)))
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

/* Stores the actions that lead to the state. Returns their number. */
static unsigned path_to(const uint32_t *via, uint32_t state, struct ex_action *path)
{
	unsigned length = distance(via, state), n = length;
	for (; via[state] != UINT32_MAX; state = G->edge[via[state] - 1].from)
		path[--n] = G->edge[via[state] - 1].action;
	return length;
}

/* Returns the nearest state in `via` that is marked (or not, if `marked` is false), or 0 if there
 * is none. */
static uint32_t nearest(const uint32_t *via, const uint32_t *marks, bool marked)
{
	uint32_t found = 0;
	unsigned best = EX_MAX_PATH;
	for (uint32_t s = 1; s < G->states; s++) {
		if (!via[s] || (marks[s] != 0) != marked)
			continue;
		unsigned n = distance(via, s);
		if (n < best) {
			best = n;
			found = s;
		}
	}
	return found;
}

/* Marks the state and every state from which it can be reached. Does not continue from states
 * that are already marked. */
static void mark_back(uint32_t state, struct index in, uint32_t *marks, uint32_t *queue)
{
	uint32_t head = 0, tail = 0;
	marks[state] = 1;
	queue[tail++] = state;
	while (head < tail) {
		uint32_t s = queue[head++];
		for (size_t k = in.first[s]; k < in.first[s + 1]; k++) {
			const struct edge *e = &G->edge[in.order[k]];
			if (marks[e->from] || !relied_on(e))
				continue;
			marks[e->from] = 1;
			queue[tail++] = e->from;
		}
	}
}

/* Returns a state in `via` that can be reached again from every state that it can reach. */
static uint32_t recurrent(const uint32_t *via)
{
	struct index in = index_by(true);
	uint32_t *marks = need(calloc(G->states, sizeof(*marks)));
	uint32_t *queue = need(malloc(G->states * sizeof(*queue)));
	uint32_t last = 0;

	/* Each unmarked state is a new start, and the states that reach it are marked. The last
	 * start reaches no earlier one; otherwise it would be marked. So the states that it reaches
	 * were not marked from an earlier start but from the last one: they reach it. */
	for (uint32_t s = G->states - 1; s >= 1; s--) {
		if (!via[s] || marks[s])
			continue;
		mark_back(s, in, marks, queue);
		last = s;
	}
	free(marks);
	free(queue);
	index_free(in);
	return last;
}

/* Stores the actions of a shortest cycle that begins and ends in the state. Returns their number.
 */
static unsigned turn(uint32_t state, struct ex_action *path)
{
	uint32_t *via = reach(state, false, false);
	const struct edge *closing = NULL;
	unsigned best = EX_MAX_PATH;

	for (size_t i = 0; i < G->edges; i++) {
		const struct edge *e = &G->edge[i];
		if (e->to != state || !via[e->from] || !relied_on(e) ||
		    distance(via, e->from) >= best)
			continue;
		best = distance(via, e->from);
		closing = e;
	}
	unsigned n = closing ? path_to(via, closing->from, path) : 0;
	if (closing)
		path[n++] = closing->action;
	free(via);
	return n;
}

/* Appends a path from the livelock into a loop, and one turn of the loop. Returns the new length,
 * and sets *loop to the length before that turn. */
static unsigned add_loop(uint32_t livelock, struct ex_action *path, unsigned length, unsigned *loop)
{
	uint32_t *via = reach(livelock, false, false);
	uint32_t *set = reach(recurrent(via), false, false);
	uint32_t first = nearest(via, set, true);

	if (length + distance(via, first) < EX_MAX_PATH / 2)
		length += path_to(via, first, path + length);
	*loop = length;
	free(via);
	free(set);
	return length + turn(first, path + length);
}

/** Returns whether there is a livelock. If so, stores the shortest schedule that leads to a
 * livelock and then takes one turn of a loop, and sets *loop to the number of actions before that
 * turn. */
bool ex_graph_livelock(struct ex_action *path, unsigned *length, unsigned *loop)
{
	uint32_t *good = reach(END, true, false);
	uint32_t *via = reach(1, false, true);
	uint32_t worst = nearest(via, good, false);

	*length = *loop = 0;
	if (worst) {
		*length = path_to(via, worst, path);
		*length = add_loop(worst, path, *length, loop);
	}
	free(good);
	free(via);
	return worst != 0;
}
