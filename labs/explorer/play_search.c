/*
 * SPDX-License-Identifier: MIT
 *
 * play_search.c - searches on behalf of the player: for a hint, or for a proof that a goal cannot
 * be reached.
 *
 * A forked copy of the process searches, so that the game can go on, and writes its result to a
 * pipe. When the player makes a move, the game closes its end of the pipe, and the copy exits at
 * its next report.
 *
 *   progress TRIED   number of executions (of a proof) or moves (of a hint) so far
 *   found MOVES KIND THREAD CHOICE EXTENT
 *                    hint: the number of moves to the goal, the first of these moves, and "whole",
 *                    or "cut" if there may be a shorter way
 *   found            proof: some execution reaches the goal
 *   none TRIED       no execution reaches the goal
 *   gave up TRIED    a limit was reached
 */
#include "play.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../viz/trace/grow.h"

/* ---- the way to the goal with the fewest moves ----
 *
 * The search is breadth first over the moves that the player may make. It does not use the
 * reductions of search.c, which keep every goal reachable, but not along the shortest way. */

/** The result of a breadth-first search. */
struct ex_way {
	bool found;
	bool cut;               /* the search reached a limit, so a (shorter) way may exist */
	uint64_t tried;         /* number of moves tried */
	unsigned moves;         /* length of the way */
	struct ex_action *move; /* owned */
};

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
	uint32_t places;
	size_t room; /* of place */
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
	d->states = need(doze_grow(d->states, &d->room, d->used + size - 1, 1));
	w->place = need(doze_grow(w->place, &w->room, w->places, sizeof(*w->place)));
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
static void shortest_way(struct ex_game *g, size_t most, struct ex_way *way)
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

/* ---- the search in the background ---- */

/* Maximum memory for the states of one depth of the search. The search for a
 * solution, which is stored in lab.ini, may take longer than the search for a hint. */
#define HINT_BYTES     ((size_t)40 << 20)
#define SOLUTION_BYTES ((size_t)200 << 20)

/* The pipe to the game, in the forked search process. Not a variable, because a variable would be
 * part of the state. */
#define OUT STDOUT_FILENO

static void report_progress(uint64_t tried)
{
	dprintf(OUT, "progress %lu\n", (unsigned long)tried);
}

/** Writes the moves as a script. Returns false if the file cannot be written. The script need not
 * be complete, because threads take turns after its last line. */
bool ex_game_write(const struct ex_game *g, const char *file)
{
	FILE *f = fopen(file, "w");
	if (!f)
		return false;
	fprintf(f, "# %s, %u moves\n", E->scenario->name, g->moves);
	for (unsigned i = 0; i < g->end[g->moves]; i++)
		if (g->words[i][0])
			fprintf(f, "%s\n", g->words[i]);
	return fclose(f) == 0;
}

static void report_proof(const struct ex_result *r)
{
	unsigned long executions = (unsigned long)r->executions;

	if (r->verdict == EX_GAVE_UP)
		dprintf(OUT, "gave up %lu\n", executions);
	else if (r->verdict == EX_PASSED || r->length == 0)
		dprintf(OUT, "none %lu\n", executions);
	else
		dprintf(OUT, "found\n");
}

/** Searches for the shortest way from the current state to the goal. If `file` is not null, makes
 * the moves of that way and writes the whole game to the file, as a script. */
static void look_for_way(struct ex_game *g, const char *file)
{
	static const char *const kinds[] = {"run", "flush", "wake"};
	struct ex_way way;
	char *here = malloc(ex_state_size());

	if (!here)
		return;
	ex_state_save(here);
	do {
		ex_state_restore(here);
		E->restart = false;
		shortest_way(g, file ? SOLUTION_BYTES : HINT_BYTES, &way);
		/* A search that finds another shared object must start over: a move then ends
		 * before each access to that object, so moves are smaller. */
	} while (E->restart);
	ex_state_restore(here);
	for (unsigned i = 0; i < way.moves && file; i++)
		ex_game_move(way.move[i]);
	if (file && !ex_game_write(g, file))
		return;
	if (way.found)
		dprintf(OUT, "found %u %s %u %u %s\n", way.moves, kinds[way.move[0].kind],
			way.move[0].thread, way.move[0].choice, way.cut ? "cut" : "whole");
	else
		dprintf(OUT, "%s %lu\n", way.cut ? "gave up" : "none", (unsigned long)way.tried);
}

static _Noreturn void search(struct ex_game *g, enum ex_quest what, const char *file)
{
	struct ex_result *r = calloc(1, sizeof(*r));
	struct ex_options opt = E->opt;
	if (!r)
		_exit(2);
	E->progress = report_progress;
	if (what == EX_HINT) {
		look_for_way(g, file);
		_exit(0);
	}
	E->every_step = false;
	E->goal_only = true;
	ex_search_rewind();
	ex_search(&opt, r);
	report_proof(r);
	_exit(0);
}

/** Starts a search, for a hint from the current state or for a proof from the beginning. If `file`
 * is not null, the search writes the solution to that file, as a script. */
void ex_quest_start(struct ex_game *g, enum ex_quest what, const char *file)
{
	int ends[2];
	fflush(stdout);
	if (!E->goal || (what == EX_HINT && g->failed)) {
		printf("error\t%s\n",
		       E->goal ? "the game is over: undo first" : "this game has no goal");
		fflush(stdout);
		return;
	}
	if (pipe(ends) != 0)
		return;
	signal(SIGCHLD, SIG_IGN); /* the search process's exit status is not needed */
	if (fork() == 0) {
		signal(SIGPIPE, SIG_DFL);
		close(ends[0]);
		close(STDIN_FILENO);
		dup2(ends[1], OUT);
		close(ends[1]);
		search(g, what, file);
	}
	close(ends[1]);
	g->search = ends[0];
	ex_quest_poll(g);
}

/** Starts a search for a hint on how to reach an event other than the goal. */
void ex_quest_aim(struct ex_game *g, const char *words)
{
	const char *goal = E->goal;
	E->goal = words; /* the forked search process keeps this goal */
	ex_quest_start(g, EX_HINT, NULL);
	E->goal = goal;
}

/** Prints the search's next report, if there is one. */
void ex_quest_poll(struct ex_game *g)
{
	struct pollfd p = {.fd = g->search, .events = POLLIN};
	char c = '\n';

	printf("quest\t");
	if (g->search >= 0 && poll(&p, 1, 0) > 0) {
		/* The search writes whole lines, so these reads do not block. */
		ssize_t n;
		while ((n = read(g->search, &c, 1)) == 1 && c != '\n')
			putchar(c);
		if (n != 1) {
			printf("gave up 0"); /* the search process has died */
			ex_quest_stop(g);
		}
	}
	printf("\n");
	fflush(stdout);
}

void ex_quest_stop(struct ex_game *g)
{
	if (g->search >= 0)
		close(g->search);
	g->search = -1;
}
