/*
 * SPDX-License-Identifier: MIT
 *
 * viewport.h - the window of time, the cursor, the selection and the filter.
 *
 * Plain data and pure functions: no drawing, no terminal, no model. Times are ns of the trace. The
 * window has `cells` columns of `per_cell` ns and ends at `right` (exclusive). Invariant: right is
 * a whole number of cells after `origin`, so that each column keeps its time while the view
 * follows.
 */
#ifndef DOZE_TUI_VIEWPORT_H
#define DOZE_TUI_VIEWPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../trace/selection.h"

enum { TUI_UNDO = 32, TUI_BOOKMARKS = 64, TUI_TEXT = 64, TUI_PLAY_CELLS = 10 };

/** A place that the key `u` can restore. */
struct tui_place {
	int64_t right, per_cell, cursor;
	bool follow, fit, has_cursor;
};

enum { TUI_LISTS = 32 }; /* at least the number of panes */

/** The cursor, order and opened row of one pane. */
struct tui_list_place {
	size_t row, first; /* row of the cursor; first row that is visible */
	uint64_t id;       /* id of the held row */
	int order;
	bool reverse;
	bool held; /* the user has moved the cursor, so it stays on the row with this id */
	bool open; /* the page of the held row is shown */
};

struct tui_view {
	struct tui_place at;
	int64_t origin;      /* time of the trace's first event */
	int64_t first, last; /* range of times that can be shown: the trace, or the selected part */
	/* Time at which the pools began to stop; 0: they have not. A focus at the end of the trace
	 * is moved to just before this time. */
	int64_t settled;
	bool growing; /* the trace is live */
	int cells;

	bool playing; /* the cursor moves TUI_PLAY_CELLS columns per second */
	/* factor of slow motion: time passes at 1/slow of real time; 0: no slow motion */
	int64_t slow;
	int64_t stop_at;   /* time at which playing stops; 0: at the end of the trace */
	bool paused;       /* the screen does not change; events are still collected */
	size_t selected;   /* index of the selected lane among the shown ones */
	size_t first_lane; /* first lane on the screen */
	int pane;          /* number in the table of panes (panes.h) */
	struct tui_list_place list[TUI_LISTS];
	bool big;         /* the pane fills the whole screen */
	size_t pool;      /* the only pool whose lanes are shown, counting from 1; 0: all pools */
	bool help, marks; /* marks: the rows of wakes are shown */
	int help_scroll;  /* number of rows above the visible ones, if the help does not fit */

	struct tui_place undo[TUI_UNDO];
	size_t n_undo;
	int64_t bookmarks[TUI_BOOKMARKS];
	size_t n_bookmarks;
	char search[TUI_TEXT], filter[TUI_TEXT];
	struct doze_worker_set workers; /* the workers that the text `filter` lists */
};

void tui_view_init(struct tui_view *, bool live);
/** Sets the range that the trace covers. Moves the window if it follows the end or shows the whole
 * trace. */
void tui_view_extent(struct tui_view *, int64_t origin, int64_t first, int64_t last);
/** Sets the number of columns of the lanes. The cursor or, without a cursor, the middle of the
 * window stays in place. */
void tui_view_resize(struct tui_view *, int cells);

int64_t tui_view_left(const struct tui_view *);
/** Returns the focus, the time that the panes show: the cursor or, without a cursor, the end of the
 * visible part. */
int64_t tui_view_focus(const struct tui_view *);
/** Returns the column that contains a time; may be outside [0, cells). */
int64_t tui_view_cell(const struct tui_view *, int64_t t);

/** Saves the current place, so that tui_view_undo can restore it. Call this before a jump. */
void tui_view_remember(struct tui_view *);
void tui_view_undo(struct tui_view *);
/** Zooms in by the given number of steps (< 0: out). The cursor stays in place. Without a cursor,
 * the right edge stays in place if the window follows, otherwise the middle. */
void tui_view_zoom(struct tui_view *, int steps);
void tui_view_fit(struct tui_view *);
void tui_view_follow(struct tui_view *);
/** Moves the window by the given number of columns (< 0: back in time), but not beyond the trace's
 * ends. */
void tui_view_pan(struct tui_view *, int64_t cells);
/** Moves the cursor by the given number of columns. The window scrolls when the cursor reaches its
 * edge. */
void tui_view_step(struct tui_view *, int64_t cells);
/** Advances the cursor while the view is playing; wall_ns is the real time since the last call.
 * Stops at the trace's end. */
void tui_view_play(struct tui_view *, int64_t wall_ns);
/** Sets the cursor to t, and moves the window if t is outside it. */
void tui_view_goto(struct tui_view *, int64_t t);
/** Sets the cursor to t and the window to `width` ns, of which 1/margin is after t. */
void tui_view_frame(struct tui_view *, int64_t t, int64_t width, int margin);
/** Removes the cursor. If there is none and the view is live, makes the window follow the end
 * again. */
void tui_view_back(struct tui_view *, bool live);

/** Shows only the lanes of these workers. list: the text of the list, for the header; null: all
 * workers. */
void tui_view_set_workers(struct tui_view *, const struct doze_worker_set *, const char *list);
/** Shows only the lanes of the workers in a list such as "0-3,6"; "" shows all. Returns false, and
 * changes nothing, if the list is malformed. */
bool tui_view_set_filter(struct tui_view *, const char *list);
bool tui_view_shows(const struct tui_view *, int32_t worker);
/** Adds a bookmark at t, or removes the one in the same column. */
void tui_view_bookmark(struct tui_view *, int64_t t);

#endif
