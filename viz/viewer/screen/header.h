/*
 * SPDX-License-Identifier: MIT
 *
 * header.h - the top of the screen: the title, and the last second in one sentence.
 *
 * tui_last_second_take sums up the history's data on the second before the focus.
 * tui_last_second_text is a pure function of these sums, so every sentence can be tested.
 */
#ifndef DOZE_TUI_HEADER_H
#define DOZE_TUI_HEADER_H

#include "../../explain/diagnose.h"
#include "scene.h"

enum { TUI_LAST_SECOND_TEXT = 256, TUI_WAKEES = 4 };
#define TUI_SECOND_NS INT64_C(1000000000)

/** What happened in the second before the focus. */
struct tui_last_second {
	bool live, ended, no_events, forgotten, lost, stopped;
	bool foreign;        /* the program does not use libdoze */
	const char *program; /* the program's state, such as "running, pid 12"; or null */
	bool begins;         /* the run began less than a second ago */
	unsigned workers, in_state[DOZE_STATE_COUNT], unknown;
	/* useful: includes wakes with the verdict `latch` */
	uint64_t wakes, useful, futile, open;
	uint64_t jobs, decisions; /* jobs published by the posts in the trace; decisions to wake */
	int64_t searched;         /* total time for which workers searched without success, ns */
	/* what a hung pool waits for, or "" if no pool is hung; since when it is hung */
	char hang[120], hangs_since[32];
	/* The waker of the most futile wakes, and the workers that it woke. */
	char culprit[TUI_WORD], wakee[TUI_WAKEES][TUI_WORD];
	unsigned wakees; /* number of workers that the culprit woke; may exceed TUI_WAKEES */
	uint64_t culprit_futile;
	/* The last storm within the window. */
	bool storm;
	char storm_waker[TUI_WORD];
	uint32_t storm_woken, storm_futile, storm_jobs;
};

void tui_last_second_take(const struct tui_scene *, struct tui_last_second *);
/** Writes the sentence (TUI_LAST_SECOND_TEXT bytes). Returns its style. */
enum tui_style tui_last_second_text(const struct tui_last_second *, char *out);

/** Returns whether a pool is hung at the view's focus. If so, fills in the hang. The text on what
 * the pool waits for exists only at the newest moment. In a live session, the hang must have lasted
 * for a second, because a pool without events may just be about to continue. */
bool tui_hang_at_focus(const struct tui_scene *, struct doze_hang *);

#endif
