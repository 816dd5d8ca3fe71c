/*
 * SPDX-License-Identifier: MIT
 *
 * play.h - declarations shared by the files of the game (play.c).
 */
#ifndef DOZE_EXPLORE_PLAY_H
#define DOZE_EXPLORE_PLAY_H

#include "search.h"

#define EX_MAX_WORDS   120 /* size of the buffer for a script line */
#define EX_MAX_OBJECTS 64
#define EX_MAX_LABEL   100 /* size of the buffer for an object's name with its suffix */

/** An object that threads touch, named by the expression in the code that first touched it. */
struct ex_object {
	uintptr_t addr;
	unsigned size;    /* size in bytes; 0 for a mutex or a condition */
	bool mutex;       /* true if a thread has locked it */
	unsigned threads; /* threads that touched it, one bit each */
	char name[60];
};

/** A game. Allocate it on the C library's heap, so that it is not part of a state. */
struct ex_game {
	struct ex_action path[EX_MAX_PATH];    /* every step, including silent ones */
	char words[EX_MAX_PATH][EX_MAX_WORDS]; /* the script line for each step, or "" */
	unsigned end[EX_MAX_PATH];             /* number of steps after each move */
	unsigned opening;                      /* number of steps before the first move */
	unsigned moves, known;      /* number of moves made; number of moves made or undone */
	bool failed;                /* the last move ended in a failure */
	unsigned reached_at;        /* number of the move that reached the goal, or 0 */
	char reached[512];          /* the event or failure that contains the goal's text */
	char *lines, *events, *met; /* steps, events and notes of the last move; owned */
	size_t lines_size, events_size, met_size;
	struct ex_object object[EX_MAX_OBJECTS]; /* in order of the first touch */
	unsigned objects;
	int search;      /* pipe from the search in the background, or -1 */
	bool unrecorded; /* steps are not added to the path */
};

/** The outcome of a move. */
enum ex_outcome {
	EX_OPEN,    /* the game goes on */
	EX_DEAD,    /* a failure other than the goal */
	EX_REACHED, /* the goal */
};

/* play.c */
int ex_play(const struct ex_options *opt, struct ex_result *r, const char *start);
bool ex_game_permits(const struct ex_action *a);
void ex_game_move(struct ex_action first);
enum ex_outcome ex_game_try(struct ex_action first);

/* play_show.c */
void ex_objects_learn(struct ex_game *g);
void ex_objects_touch(struct ex_game *g, int thread);
const char *ex_object_name(const struct ex_game *g, uintptr_t addr);
void ex_game_show(const struct ex_game *g);
bool ex_game_quiet(int thread);

/* play_search.c */
enum ex_quest { EX_HINT, EX_PROOF };
void ex_quest_start(struct ex_game *g, enum ex_quest what, const char *file);
void ex_quest_aim(struct ex_game *g, const char *words);
void ex_quest_poll(struct ex_game *g);
void ex_quest_stop(struct ex_game *g);
bool ex_game_write(const struct ex_game *g, const char *file);

#endif
