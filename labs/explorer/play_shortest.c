/*
 * SPDX-License-Identifier: MIT
 *
 * play_shortest.c - finds the way to the goal with the fewest moves.
 *
 * The search is breadth first over the moves that the player may make. It does not use the
 * reductions of search.c, which keep every goal reachable, but not along the shortest way.
 */
#include "play.h"

#include <stdlib.h>

/** A state that the search has reached. */
struct place {
	uint32_t from;       /* index of the place from which the move was made */
	struct ex_action by; /* the move that led to this state */
	size_t saved;        /* offset of the saved state in depth.states */
};

struct depth {
	char *states;
	size_t used, room;
	uint32_t first, end; /* the depth's places are walk.place[first] to walk.place[end - 1] */
};

struct walk {
	struct ex_way *way;
	size_t most; /* maximum number of bytes for the states of one depth */
	struct place *place;
	uint32_t places, room;
	struct depth now, next;
};

static void *need(void *p)
{
	if (!p) {
		fprintf(stderr, "explore: out of memory for a hint\n");
		exit(2);
	}
	return p;
}

/** Adds the current state to the next depth. */
static void add(struct walk *w, uint32_t from, struct ex_action by)
{
	size_t size = ex_state_size();
	struct depth *d = &w->next;

	if (d->used + size > w->most) {
		w->way->cut = true;
		return;
	}
	if (d->used + size > d->room) {
		d->room = (d->used + size) * 2;
		d->states = need(realloc(d->states, d->room));
	}
	if (w->places == w->room) {
		w->room = w->room ? w->room * 2 : 1024;
		w->place = need(realloc(w->place, w->room * sizeof(*w->place)));
	}
	ex_state_save(d->states + d->used);
	w->place[w->places++] = (struct place){from, by, d->used};
	d->used += size;
	d->end = w->places;
}

/** Stores the moves that lead to the place, followed by the last move, which reaches the goal. */
static void store_way(struct walk *w, uint32_t at, struct ex_action last)
{
	struct ex_way *way = w->way;
	unsigned n = 1;

	for (uint32_t i = at; i; i = w->place[i].from)
		n++;
	way->found = true;
	way->moves = n;
	way->move = need(calloc(n, sizeof(*way->move)));
	way->move[--n] = last;
	for (uint32_t i = at; i; i = w->place[i].from)
		way->move[--n] = w->place[i].by;
}

static void try_move(struct walk *w, uint32_t at, struct ex_action a)
{
	uint32_t number;

	ex_state_restore(w->now.states + w->place[at].saved);
	if (!ex_game_permits(&a))
		return;
	w->way->tried++;
	enum ex_outcome outcome = ex_game_try(a);
	if (outcome == EX_REACHED)
		store_way(w, at, a);
	else if (outcome == EX_OPEN && !ex_visited(ex_state_hash(), 0, -1, 0, &number))
		add(w, at, a);
}

/** Tries every move of the thread from the place. */
static void try_thread(struct walk *w, uint32_t at, unsigned thread)
{
	struct ex_action flush = {EX_FLUSH, (uint8_t)thread, (uint8_t)thread, 0};
	struct ex_action wake = {EX_SPURIOUS, (uint8_t)thread, 0, 0};

	ex_state_restore(w->now.states + w->place[at].saved);
	unsigned choices = ex_enabled((int)thread) ? ex_choices((int)thread) : 1;
	for (unsigned c = 0; c < choices && !w->way->found; c++)
		try_move(w, at, (struct ex_action){EX_RUN, (uint8_t)thread, (uint8_t)c, 0});
	if (!w->way->found)
		try_move(w, at, flush);
	if (!w->way->found)
		try_move(w, at, wake);
}

/** Tries the moves from the place, until one reaches the goal. The thread of the last move comes
 * first, so that the way has few switches. */
static void try_place(struct walk *w, uint32_t at)
{
	ex_state_restore(w->now.states + w->place[at].saved);
	unsigned threads = W->nthreads, last = w->place[at].by.thread;

	for (unsigned i = 0; i < threads && !w->way->found; i++)
		try_thread(w, at, (last + i) % threads);
}

static void next_depth(struct walk *w)
{
	struct depth old = w->now;
	w->now = w->next;
	w->next = (struct depth){old.states, 0, old.room, w->places, w->places};
}

/** Searches from the current state. Leaves out states that do not fit into `most` bytes per depth.
 * The caller frees way->move. */
void ex_shortest_way(struct ex_game *g, size_t most, struct ex_way *way)
{
	struct walk *w = need(calloc(1, sizeof(*w)));

	*way = (struct ex_way){0};
	w->way = way;
	w->most = most;
	g->unrecorded = true;
	ex_visited_reset();
	add(w, 0, (struct ex_action){EX_RUN, 0, 0, 0});
	next_depth(w);
	while (w->now.first < w->now.end && !way->found) {
		for (uint32_t i = w->now.first; i < w->now.end && !way->found; i++)
			try_place(w, i);
		if (E->progress)
			E->progress(way->tried);
		next_depth(w);
	}
	g->unrecorded = false;
	free(w->now.states);
	free(w->next.states);
	free(w->place);
	free(w);
}
