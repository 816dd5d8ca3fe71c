/*
 * SPDX-License-Identifier: MIT
 *
 * viewport.h - where the user looks: the window of time, the cursor, the selection, the filter.
 *
 * Plain data and pure steps on it: no drawing, no terminal, no model. Times are ns of the trace.
 * The window has `cells` columns of `per_cell` ns and ends at `right` (exclusive). Invariant: right
 * lies a whole number of cells after `origin`, so that a column keeps its time while the view
 * follows and the picture does not crawl.
 */
#ifndef DOZE_TUI_VIEWPORT_H
#define DOZE_TUI_VIEWPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../event/selection.h"

enum tui_pane {
	TUI_EVENTS,
	TUI_TOTALS,
	TUI_WAKES,
	TUI_MEASURES,
	TUI_FINDINGS,
	TUI_EXPLAIN,
	TUI_OUTPUT,
	TUI_PANE_COUNT
};

enum { TUI_UNDO = 32, TUI_BOOKMARKS = 64, TUI_TEXT = 64, TUI_PLAY_CELLS = 10 };

/** What `u` brings back. */
struct tui_place {
	int64_t right, per_cell, cursor;
	bool follow, fit, has_cursor;
};

struct tui_view {
	struct tui_place at;
	int64_t origin;      /* the trace's first event */
	int64_t first, last; /* what can be seen: the trace, or the range asked for */
	int cells;

	bool playing;      /* the cursor runs by itself, TUI_PLAY_CELLS columns a second */
	bool paused;       /* the screen shows the moment of the pause; events go on being kept */
	size_t selected;   /* among the lanes shown */
	size_t first_lane; /* scrolled so far down */
	enum tui_pane pane;
	bool help, marks; /* marks: wakes are drawn on the lanes */
	int help_scroll;  /* keys scrolled up, where the help has more than fits */

	struct tui_place undo[TUI_UNDO];
	size_t n_undo;
	int64_t bookmarks[TUI_BOOKMARKS];
	size_t n_bookmarks;
	char search[TUI_TEXT], filter[TUI_TEXT];
	struct doze_worker_set workers; /* those that `filter` names */
};

void tui_view_init(struct tui_view *, bool live);
/** The trace now reaches from first to last; moves the window when it follows or fits. */
void tui_view_extent(struct tui_view *, int64_t origin, int64_t first, int64_t last);
/** The lanes are now `cells` wide; the cursor, else the middle, keeps its place on the screen. */
void tui_view_resize(struct tui_view *, int cells);

int64_t tui_view_left(const struct tui_view *);
/** The time that panes are in step with: the cursor, else the end of what is seen. */
int64_t tui_view_focus(const struct tui_view *);
/** Column of a time, possibly outside [0, cells). */
int64_t tui_view_cell(const struct tui_view *, int64_t t);

/** Remembers the place for tui_view_undo; call it before a jump. */
void tui_view_remember(struct tui_view *);
void tui_view_undo(struct tui_view *);
/** Zooms by steps (< 0: out) around the cursor, else the right edge when following, else the
 * middle. */
void tui_view_zoom(struct tui_view *, int steps);
void tui_view_fit(struct tui_view *);
void tui_view_follow(struct tui_view *);
/** Moves the window by cells (< 0: back in time), not past the trace's ends. */
void tui_view_pan(struct tui_view *, int64_t cells);
/** Moves the cursor by cells; the window goes along at its edges. */
void tui_view_step(struct tui_view *, int64_t cells);
/** Lets wall_ns pass on the wall while playing: moves the cursor on, stops at the trace's end. */
void tui_view_play(struct tui_view *, int64_t wall_ns);
/** Puts the cursor on t and brings it into the window. */
void tui_view_goto(struct tui_view *, int64_t t);
/** Drops the cursor, then (live) follows again. */
void tui_view_back(struct tui_view *, bool live);

/** Shows only these workers. list: what the header names them by; null where all are shown. */
void tui_view_set_workers(struct tui_view *, const struct doze_worker_set *, const char *list);
/** The same from a list such as "0-3,6"; "" shows all. False: not a list, nothing is changed. */
bool tui_view_set_filter(struct tui_view *, const char *list);
bool tui_view_shows(const struct tui_view *, int32_t worker);
/** Adds a bookmark at t, or takes away the one in that cell. */
void tui_view_bookmark(struct tui_view *, int64_t t);

#endif
