/*
 * SPDX-License-Identifier: MIT
 *
 * scene.h - everything that is needed to draw a screen: history, the present, the view, the glyphs.
 *
 * For each frame, tui_scene_update copies the present from the model (unless paused), then tui_draw
 * draws the scene into the grid. Both are deterministic and read no clock; the times that a screen
 * depends on are in `clock_ns` and `behind_ns`.
 */
#ifndef DOZE_TUI_SCENE_H
#define DOZE_TUI_SCENE_H

#include "../model/measures.h"
#include "grid.h"
#include "history.h"
#include "layout.h"
#include "lesson_file.h"
#include "list.h"
#include "look.h"
#include "tape.h"
#include "viewport.h"

/** State of the traced program and of the trace, for the status line. */
struct tui_status {
	bool live, loading, ended, failed;
	bool gone;           /* the relay is lost; the viewer is waiting for it to return */
	const char *program; /* one line about the traced program, or null */
	const char *error;   /* the reader's error, if it failed */
	int64_t behind_ns;   /* live: wall clock minus the trace's clock; < 0: unknown */
};

/** The last lines of the program's output. */
struct tui_output {
	char *text; /* owned, lines separated by NUL */
	size_t size;
	const char **lines; /* owned array of weak strings, oldest first */
	size_t n_lines;
};

/** The present, as of the last update. It is frozen while paused. */
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
	int64_t clock;                /* the trace's time, which is the end of the visible part */
	int64_t known;                /* the same time, but not limited by a quiz */
	const struct tui_history *of; /* the history to which the workers belong */
};

/** Clickable areas of the last screen. Set by tui_draw. */
struct tui_areas {
	int lane_x, lanes_y, lanes_n, lane_h, tabs_y, pane_y, pane_n;
	int tab_x[TUI_LISTS], tab_end[TUI_LISTS]; /* by pane; 0, 0: the tab is not on the screen */
};

/** The running quiz (quiz.h). */
struct tui_quiz {
	bool on;
	unsigned asked, right;
};

/** The running lesson (lesson.h). */
struct tui_lesson {
	const struct doze_lesson *file; /* not owned; null: no lesson */
	struct tui_tape tape;           /* owned; the whole recording */
	int64_t at[DOZE_LESSON_STEPS];  /* the moments of the steps */
	/* Answers, counting from 1; TUI_LESSON_SHOWN: shown without a guess; 0: none. */
	int answer[DOZE_LESSON_STEPS];
	size_t step;
	bool begun, over; /* over: the page after the last step is being shown */
	bool framed;      /* the window has been moved to the step */
	bool go_on;       /* the viewer exits to continue with the next lesson */
	int scroll;       /* number of rows of the text that are scrolled off the screen */
	unsigned asked, right;
	char problem[160];
};

enum { TUI_LESSON_SHOWN = 9 };

/** Where slow motion will stop next, and why (theatre.h). */
struct tui_stop {
	int64_t at;
	char why[80];
};

/** The matches of the last search (search.h). */
struct tui_found {
	char text[TUI_TEXT];
	struct tui_list numbers; /* numbers of events, counting from the beginning of the trace */
	uint64_t upto;           /* the first event that has not been searched */
	struct tui_ring disk;    /* struct tui_event: matches that exist only on disk (scan.h) */
	bool on_disk;            /* the search on disk is still running */
};

enum { TUI_WORD = 40 };

struct tui_scene {
	/* The history that is shown, owned by the caller of tui_draw. A lesson replaces it, and so
	 * does the archive while the window shows a part read from disk. */
	struct tui_history *history;
	struct tui_history *newest; /* not owned; the history that the reader fills; null:
				     * `history` */
	struct tui_view view;
	struct tui_present now;
	struct tui_status status;
	struct tui_output output;
	struct tui_areas areas;
	struct tui_quiz quiz;
	struct tui_lesson lesson;
	struct tui_stop stop;
	const struct tui_look *look;
	const char *title, *detail; /* not owned; detail may be null */
	const char *program;        /* not owned: name of the traced program, or null */
	struct tui_layout layout;   /* layout of the last screen */
	struct tui_list list;       /* rows of the pane being drawn */
	struct tui_found found;
	int64_t from_ns, to_ns; /* selected range, relative to the first event; 0: none */
	const char *prompt;     /* the prompt while the user is typing a text; otherwise null */
	char typed[TUI_TEXT];
	char message[280]; /* one line of feedback, or "" */
	int64_t disk_end;  /* while loading: end of the recording, if it can be shown */
	char disk[200];    /* what the archive is doing, or why it failed; or "" */
	char banner[280];  /* --banner: an incident, shown until a key is pressed; or "" */
	/* Keep the numbers of the last update: they may change only 4 times per second. */
	bool steady;
	bool can_save;     /* key `!` saves the session */
	bool saved, asked; /* saved: the session was saved; asked: the user was asked to save when
			    * quitting */
	bool has_output;   /* the output of the traced program is available */
};

struct doze_tui_options;

/** Fills in a zeroed scene from the options. Returns false if out of memory. */
bool tui_scene_open(struct tui_scene *, const struct doze_tui_options *, bool ascii);
/** Returns the history of the whole trace so far, with its totals and its lists of marks, storms
 * and findings. */
struct tui_history *tui_newest(const struct tui_scene *);
/** Copies the present from the model, unless paused, and moves the view along. */
void tui_scene_update(struct tui_scene *);
void tui_scene_free(struct tui_scene *);

/** Returns the state of a row's worker at the view's focus; none before the worker started. */
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

/** Draws the whole screen into the grid. */
void tui_draw(struct tui_scene *, struct tui_grid *);
/** Draws only the parts that move with time (axis, lanes, wakes), into the grid of the last
 * tui_draw. */
void tui_draw_picture(struct tui_scene *, struct tui_grid *);

#endif
