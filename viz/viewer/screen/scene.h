/*
 * SPDX-License-Identifier: MIT
 *
 * scene.h - the data from which a screen is drawn: the history, the current state, the view,
 * the glyphs.
 *
 * For each frame, tui_scene_update copies the current state from the model (unless paused), then
 * tui_draw draws the scene into the grid. Both are deterministic and read no clock; the times that
 * a screen depends on are in now.clock and status.behind_ns.
 */
#ifndef DOZE_TUI_SCENE_H
#define DOZE_TUI_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../model/model.h"
#include "../../show/progress.h"
#include "../store/history.h"
#include "../store/queue.h"
#include "grid.h"
#include "viewport.h"

/* ---- the rows of a pane ---- */

/** One row of a list. */
struct tui_item {
	int64_t at;  /* time of the row; 0: none */
	uint64_t id; /* identifies the row; stays the same when rows are added or dropped */
	/* sort key, unless the order is by time; the row with the largest key comes first */
	int64_t sort;
	const void *what; /* not owned; valid until the next event */
};

struct tui_list {
	struct tui_item *item; /* owned */
	size_t count, size;
};

/** Appends a row. If out of memory, ignores the row. */
void tui_list_add(struct tui_list *, struct tui_item);
/** Sorts the rows by their times. */
void tui_list_sort(struct tui_list *);

/*
 * ---- the layout: where each part of the screen is
 *
 *   title     program or trace, policy, workers, lost events, delay behind real time
 *   verdict   the last second in one sentence
 *   legend    the meanings of the glyphs
 *   axis      times, the cursor's time, the scale
 *   marks     program marks and bookmarks, if there are any
 *   lanes     one per worker, scrolling with the selection; each with its wakes on tall screens
 *   wakes     of all lanes together, on short screens
 *   counters  sleeping, idle, active, JEC, if there is room
 *   tabs      the names of the panes, one of which is below
 *   pane      see panes.h
 *   message   feedback and questions
 *   footer    keys, or the text being typed
 *
 * On a wide screen a second pane is beside the lanes.
 */

enum {
	TUI_LEAST_W = 40,
	TUI_LEAST_H = 8,
	TUI_LABEL_W = 14,
	TUI_TALL = 33,  /* minimum height of a screen that shows a row of wakes per lane */
	TUI_WIDE = 150, /* minimum width of a screen with a second pane beside the lanes */
	TUI_COUNTER_ROWS = 4,
};

/** Rows and columns of the parts of the screen. A part without rows, or with row -1, is not
 * drawn. */
struct tui_layout {
	int w, h;
	int main_w;         /* columns of the lanes and the pane; the side pane is to their right */
	int lane_x, lane_w; /* first column and width of the lanes and of the time axis */
	int legend_y, axis_y, marks_y;
	int lanes_y, lanes_n; /* first row, and number of lanes that are visible */
	int lane_h;  /* rows per lane: 2 if each lane has its own row of wakes, otherwise 1 */
	int wakes_y; /* row of the shared wakes */
	int counters_y, counters_n;
	int tabs_y, pane_y, pane_n;
	/* column of the second pane, which reaches from axis_y to the message; 0: none */
	int side_x;
	int message_y, footer_y;
};

/** How much space the parts of the screen need. */
struct tui_needs {
	size_t lanes;
	bool marks, big;
	int pane; /* minimum number of rows for the pane; 0: the default */
};

/** State of the traced program and of the trace, for the status line. */
struct tui_status {
	bool live, loading, ended, failed;
	/* while loading: how far the reader is (../../show/progress.h); "" in the first seconds */
	char progress[DOZE_PROGRESS_TEXT];
	bool gone;           /* the relay is lost; the viewer tries to reconnect */
	const char *program; /* one line about the traced program, or null */
	const char *error;   /* the reader's error, if it failed */
	int64_t behind_ns;   /* live: wall clock minus the trace's clock; < 0: unknown */
};

/** The last lines of the program's output. */
struct tui_output {
	char *text; /* owned, lines separated by NUL */
	size_t size;
	const char **lines; /* owned array of pointers into `text`, oldest line first */
	size_t n_lines;
};

/** The current state of the trace as of the last update. It does not change while the viewer is
 * paused. */
struct tui_present {
	struct doze_totals totals;
	struct doze_worker_view *workers; /* owned; by row */
	size_t n_workers;
	uint32_t
	    *lanes; /* owned; rows of the shown lanes, ordered by host, process, pool, worker */
	size_t n_lanes;
	struct doze_measures measures;
	double amplification;
	uint64_t herd_excess;
	/* the trace's clock; during a quiz, the time up to which the screen shows the trace */
	int64_t clock;
	int64_t known;                /* the trace's clock, even during a quiz */
	const struct tui_history *of; /* the history to which the workers belong */
};

/** Clickable areas of the screen that tui_draw drew last. */
struct tui_areas {
	int lane_x, lanes_y, lanes_n, lane_h, tabs_y, pane_y, pane_n;
	int tab_x[TUI_LISTS], tab_end[TUI_LISTS]; /* by pane; 0, 0: no tab on the screen */
};

/** The running quiz (keys.h). */
struct tui_quiz {
	bool on;
	unsigned asked, right;
};

enum { DOZE_LESSON_STEPS = 40, TUI_LESSON_SHOWN = 9 };

/** The running lesson (panes/lesson.c). */
struct tui_lesson {
	const struct doze_lesson *file; /* not owned; null: no lesson */
	struct tui_recording recording; /* owned; the whole recording */
	int64_t at[DOZE_LESSON_STEPS];  /* trace time of each step's moment */
	/* The user's answer per step, counting from 1; TUI_LESSON_SHOWN: the answer was shown
	 * without a guess; 0: none. */
	int answer[DOZE_LESSON_STEPS];
	size_t step;
	bool begun, over; /* over: the page after the last step is shown */
	bool framed;      /* the window has been moved to the moment of the current step */
	bool go_on;       /* the viewer exits to continue with the next lesson */
	int scroll;       /* number of rows of the text above the visible ones */
	unsigned asked, right;
	char problem[160];
};

/** The time at which slow motion stops next, and the reason (keys.h). */
struct tui_stop {
	int64_t at;
	char why[80];
};

/** The matches of the last search (search.h). */
struct tui_found {
	char text[TUI_TEXT];
	struct tui_list numbers; /* numbers of events, counting from the beginning of the trace */
	uint64_t upto;           /* number of the first event that has not been searched */
	struct tui_ring disk;    /* matches that exist only on disk, struct tui_event */
	bool on_disk;            /* the search on disk is still running */
};

enum { TUI_WORD = 40 };

struct tui_scene {
	/* The history that is shown, owned by the caller of tui_draw. A lesson replaces it with one
	 * that ends at the step, the archive with a part read from disk. */
	struct tui_history *history;
	/* the history that the reader fills; not owned; null: the same as `history` */
	struct tui_history *newest;
	struct tui_view view;
	struct tui_present now;
	struct tui_status status;
	struct tui_output output;
	struct tui_areas areas;
	struct tui_quiz quiz;
	struct tui_lesson lesson;
	struct tui_stop stop;
	const struct tui_glyphs *glyphs;
	const char *title, *detail; /* not owned; detail may be null */
	const char *program;        /* not owned: name of the traced program, or null */
	struct tui_layout layout;   /* layout of the last screen */
	struct tui_list list;       /* rows of the pane being drawn */
	struct tui_found found;
	int64_t from_ns, to_ns; /* selected range, relative to the first event; 0: no limit */
	const char *prompt;     /* prompt for the text that the user is typing; null: none */
	char typed[TUI_TEXT];
	char message[280]; /* one line of feedback, or "" */
	int64_t disk_end; /* while a recording loads: time of the recording's end, if the viewer can
			   * already show it */
	char disk[200];   /* a message about what the archive is doing, or why it failed; or "" */
	/* --banner: message about an incident, shown until a key is pressed; or "" */
	char banner[280];
	/* Keep the numbers of the previous frame: numbers are updated only 4 times per second. */
	bool steady;
	bool can_save; /* the key `!` can save the session */
	/* saved: the session was saved; asked: the viewer has asked whether to save before it
	 * exits */
	bool saved, asked;
	bool has_output; /* the output of the traced program is available */
};

/** Returns the history of the whole trace so far, with its totals and its lists of marks, storms
 * and findings. */
struct tui_history *tui_newest(const struct tui_scene *);
/** Copies the current state from the model, unless paused, and moves a window that follows. */
void tui_scene_update(struct tui_scene *);
void tui_scene_free(struct tui_scene *);

/** Returns the state of the worker in this row at time t; `none` before its start. */
enum doze_state tui_state_at(const struct tui_scene *, uint32_t row, int64_t t, bool *unknown);
/** Likewise, at the view's focus. */
enum doze_state tui_state_at_focus(const struct tui_scene *, uint32_t row, bool *unknown);
/** Returns the worker of the selected lane, or null. */
const struct doze_worker_view *tui_selected(const struct tui_scene *);
/** Returns the pool of the selected worker, or the first pool if no worker is selected. Null if no
 * pool is known yet. */
const struct doze_pool_view *tui_selected_pool(const struct tui_scene *);
/** Returns the pool of a worker, or null. */
const struct doze_pool_view *tui_pool_of(const struct tui_scene *, const struct doze_worker_key *);

/** Returns a pool's number among the pools of the trace, counting from 1, or 0 if unknown. */
size_t tui_pool_number(const struct tui_scene *, const struct doze_worker_key *);

#endif
