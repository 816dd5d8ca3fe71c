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

#include "../model/model.h"
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

/** The running quiz (quiz.h). */
struct tui_quiz {
	bool on;
	unsigned asked, right;
};

/** The running lesson (lesson.h). */
struct tui_lesson {
	const struct doze_lesson *file; /* not owned; null: no lesson */
	struct tui_tape tape;           /* owned; the whole recording */
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

enum { TUI_LESSON_SHOWN = 9 };

/** The time at which slow motion stops next, and the reason (theatre.h). */
struct tui_stop {
	int64_t at;
	char why[80];
};

/** The matches of the last search (search.h). */
struct tui_found {
	char text[TUI_TEXT];
	struct tui_list numbers; /* numbers of events, counting from the beginning of the trace */
	uint64_t upto;           /* number of the first event that has not been searched */
	struct tui_ring disk;    /* matches that exist only on disk, struct tui_event (scan.h) */
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
	const struct tui_look *look;
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

struct doze_tui_options;

/** Fills in a zeroed scene from the options. Returns false if out of memory. */
bool tui_scene_open(struct tui_scene *, const struct doze_tui_options *, bool ascii);
/** Returns the history of the whole trace so far, with its totals and its lists of marks, storms
 * and findings. */
struct tui_history *tui_newest(const struct tui_scene *);
/** Copies the current state from the model, unless paused, and moves a window that follows. */
void tui_scene_update(struct tui_scene *);
void tui_scene_free(struct tui_scene *);

/** Returns the state of the worker in this row at the view's focus; `none` before its start. */
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
