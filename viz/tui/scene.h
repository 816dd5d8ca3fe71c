/*
 * SPDX-License-Identifier: MIT
 *
 * scene.h - everything that a screen is drawn from: history, the present, the view, the glyphs.
 *
 * For each frame, scene_update copies the present from the model (unless paused), then tui_draw
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
	bool gone;           /* the relay is lost; the viewer waits until it returns */
	const char *program; /* one line about the traced program, or null */
	const char *error;   /* the reader's error, if it failed */
	int64_t behind_ns;   /* live: the wall clock minus the trace's clock; < 0: unknown */
};

/** The last lines of the program's output. */
struct tui_output {
	char *text; /* owned, lines separated by NUL */
	size_t size;
	const char **lines; /* owned array of weak strings, oldest first */
	size_t n_lines;
};

/** The present as of the last update; frozen while paused. */
struct tui_present {
	struct doze_totals totals;
	struct doze_worker_view *workers; /* owned; by row */
	size_t n_workers;
	uint32_t
	    *lanes; /* owned; rows of the lanes shown, in order of host, process, pool, worker */
	size_t n_lanes;
	struct doze_measures measures;
	double futile_ratio, amplification;
	uint64_t herd_excess;
	int64_t clock;                /* the trace's time, and the end of what is shown */
	int64_t known;                /* the same, not limited by a quiz */
	const struct tui_history *of; /* the history to which the workers belong */
};

/** Clickable areas of the last screen; set by tui_draw. */
struct tui_areas {
	int lane_x, lanes_y, lanes_n, lane_h, tabs_y, pane_y, pane_n;
	int tab_x[TUI_LISTS], tab_end[TUI_LISTS]; /* by pane; 0, 0: its tab is not on the screen */
};

/** The running quiz (quiz.h). */
struct tui_quiz {
	bool on;
	unsigned asked, right;
};

/** The running lesson (lesson.h). */
struct tui_lesson {
	const struct doze_lesson *file; /* not owned; null: no lesson */
	struct tui_tape tape;           /* owned: the whole recording */
	int64_t at[DOZE_LESSON_STEPS];  /* the moments of the steps */
	/* Answers, from 1; TUI_LESSON_SHOWN: shown without a guess; 0: none. */
	int answer[DOZE_LESSON_STEPS];
	size_t step;
	bool begun, over; /* over: the page after the last step is shown */
	bool framed;      /* the window has been moved to the step */
	bool go_on;       /* the viewer exits and continues with the next lesson */
	int scroll;       /* number of rows of the text that are scrolled off */
	unsigned asked, right;
	char problem[160];
};

enum { TUI_LESSON_SHOWN = 9 };

/** Where slow motion stops next, and why (theatre.h). */
struct tui_stop {
	int64_t at;
	char why[80];
};

/** The matches of the last search (search.h). */
struct tui_found {
	char text[TUI_TEXT];
	struct tui_list numbers; /* of events, from the beginning of the trace */
	uint64_t upto;           /* the first event that was not searched yet */
	struct tui_ring disk;    /* struct tui_event: matches that are only on disk (scan.h) */
	bool on_disk;            /* the search on disk continues */
};

enum { TUI_WORD = 40 };

struct tui_scene {
	/* The history that is shown, owned by the caller of tui_draw; replaced by a lesson, and by
	 * the archive while the window shows a part that was read from disk. */
	struct tui_history *history;
	struct tui_history *newest; /* not owned: the reader's; null: `history` */
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
	struct tui_layout layout;   /* of the last screen */
	struct tui_list list;       /* rows of the pane that is being drawn */
	struct tui_found found;
	int64_t from_ns, to_ns; /* selected range, since the first event; 0: none */
	const char *prompt;     /* the prompt while the user types a text; else null */
	char typed[TUI_TEXT];
	char message[280]; /* one line of feedback, or "" */
	int64_t disk_end;  /* while loading: the recording's end, if it can be shown */
	char disk[200];    /* what the archive does, or why it cannot; or "" */
	char banner[280];  /* --banner: an incident, until the next key; or "" */
	/* Keep the numbers of the last update, because they may change only 4 times per second. */
	bool steady;
	bool can_save;     /* key `!` saves the session */
	bool saved, asked; /* it was saved; the user was asked to save when quitting */
	bool has_output;   /* the output of a traced program is available */
};

struct doze_tui_options;

/** Fills in a zeroed scene from the options. Returns false if out of memory. */
bool tui_scene_open(struct tui_scene *, const struct doze_tui_options *, bool ascii);
/** Returns the history of the whole trace so far: totals, lists of marks, storms and findings. */
struct tui_history *tui_newest(const struct tui_scene *);
/** Copies the present from the model (unless paused) and moves the view along. */
void tui_scene_update(struct tui_scene *);
void tui_scene_free(struct tui_scene *);

/** Returns the state of a row's worker at the view's focus; none before it started. */
enum doze_state tui_state_at_focus(const struct tui_scene *, uint32_t row, bool *unknown);
/** Returns the worker of the selected lane, or null. */
const struct doze_worker_view *tui_selected(const struct tui_scene *);
/** Returns the pool of the selected worker, or else the first pool; null if none is known yet. */
const struct doze_pool_view *tui_selected_pool(const struct tui_scene *);
/** Returns the pool of a worker, or null. */
const struct doze_pool_view *tui_pool_of(const struct tui_scene *, const struct doze_worker_key *);

/** Returns a pool's number among the pools of the trace, from 1, or 0 if it is unknown. */
size_t tui_pool_number(const struct tui_scene *, const struct doze_worker_key *);

/** Draws the whole screen into the grid. */
void tui_draw(struct tui_scene *, struct tui_grid *);
/** Draws only the parts that move with time, into the grid of the last tui_draw: axis, lanes,
 * wakes. */
void tui_draw_picture(struct tui_scene *, struct tui_grid *);

#endif
