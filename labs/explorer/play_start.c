/*
 * SPDX-License-Identifier: MIT
 *
 * play_start.c - where a game begins: after the steps that the player does not choose, which the
 * game takes on its own; or with a schedule whose moves the player can redo.
 *
 * --start contains these steps as lines of a script (script.c). They are part of a saved game, so
 * that it can be replayed from the start of the program, but they do not count as moves.
 */
#include "play.h"
#include "script.h"

#include <stdlib.h>
#include <string.h>

static struct ex_game *G; /* the game; set before the first state is saved, and never changed */

/** Adds a step of a script. A silent step belongs to the thread's previous move. */
static void take_step(struct ex_action a)
{
	unsigned n = G->end[G->moves];
	bool run = a.kind == EX_RUN, begins = n < G->opening || n == 0;
	bool starts = run && W->t[a.thread].op.kind == EX_OP_START;
	bool goes_on = !begins && run && G->path[n - 1].thread == a.thread;

	if (!begins && !starts && !(goes_on && ex_is_silent(a.thread))) {
		G->moves++;
		G->end[G->moves] = n;
	}
	ex_game_record(a);
}

/** Takes the steps of the lines, which are separated by semicolons, from the start of the program.
 */
static void take_lines(const char *start)
{
	ex_search_rewind();
	G->end[0] = 0;
	char *text = strdup(start);
	for (char *c = text; c && *c; c++)
		*c = *c == ';' ? '\n' : *c;
	FILE *f = text ? fmemopen(text, strlen(text), "r") : NULL;
	if (!f || !ex_script_take(f, "--start", ex_game_record)) {
		fprintf(stderr, "explore: %s\n", f ? E->res->message : "out of memory");
		exit(2);
	}
	fclose(f);
	free(text);
}

void ex_game_prepare(struct ex_game *g)
{
	G = g;
}

/** Takes the steps on which the player has no influence, and then each thread's silent steps. */
void ex_game_open(const char *start)
{
	take_lines(start);
	if (sigsetjmp(E->fail, 0)) {
		fprintf(stderr, "explore: --start: %s\n", E->res->message);
		exit(2);
	}
	ex_game_start_threads();
	for (unsigned i = 0; i < W->nthreads; i++)
		ex_game_run_on((int)i);
	G->opening = G->end[0];
	ex_search_learn_here();
	ex_game_go_to(0);
}

/** Reads a script. The player can then redo its moves one by one. */
void ex_game_load(const char *file)
{
	G->moves = G->known = G->end[0] = 0;
	ex_search_rewind();
	bool fits = ex_script_load(file, take_step);
	G->known = fits ? G->moves : 0;
	if (!fits)
		G->end[0] = 0;
	ex_game_go_to(0);
	if (fits)
		ex_game_show(G);
	else
		ex_game_error(E->res->message);
}
