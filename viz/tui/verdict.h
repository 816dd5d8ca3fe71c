/*
 * SPDX-License-Identifier: MIT
 *
 * verdict.h - the last second in one sentence.
 *
 * tui_window_take sums up the history's data on the second before the focus. tui_verdict is a pure
 * function of these sums, so every sentence can be tested.
 */
#ifndef DOZE_TUI_VERDICT_H
#define DOZE_TUI_VERDICT_H

#include "../diagnose/diagnose.h"
#include "scene.h"

enum { TUI_VERDICT = 256, TUI_WAKEES = 4 };
#define TUI_WINDOW_NS INT64_C(1000000000)

/** What happened in the second before the focus. */
struct tui_window {
	bool live, ended, no_events, forgotten, lost, stopped;
	const char *program; /* the program's state, such as "running, pid 12"; or null */
	bool begins;         /* the run is less than a second old */
	unsigned workers, in_state[DOZE_STATE_COUNT], unknown;
	uint64_t wakes, useful, futile, open; /* useful: includes wakes of a latch's owner */
	uint64_t jobs, decisions;             /* published by posts that were seen */
	int64_t searched;                     /* time spent searching without success, ns */
	char hang[120], hangs_since[32];      /* what the pool waits for; "": no hang */
	/* The waker of the most futile wakes, and the workers that it woke. */
	char culprit[TUI_WORD], wakee[TUI_WAKEES][TUI_WORD];
	unsigned wakees; /* may exceed TUI_WAKEES */
	uint64_t culprit_futile;
	/* The last storm within the window. */
	bool storm;
	char storm_waker[TUI_WORD];
	uint32_t storm_woken, storm_futile, storm_jobs;
};

void tui_window_take(const struct tui_scene *, struct tui_window *);
/** Writes the sentence (TUI_VERDICT bytes). Returns its style. */
enum tui_style tui_verdict(const struct tui_window *, char *out);

/** Returns whether a pool is hung at the view's focus. If so, fills in the hang. What a pool waits
 * for is known only at the newest moment. In a live session, the hang must have lasted for a
 * second, because the pool may still continue. */
bool tui_hang_at_focus(const struct tui_scene *, struct doze_hang *);

#endif
