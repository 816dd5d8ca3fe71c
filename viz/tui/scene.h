/*
 * SPDX-License-Identifier: MIT
 *
 * scene.h - everything that one picture is made of: history, the present, the view, the glyphs.
 *
 * Frame by frame: scene_update copies the present out of the model (not while paused), then
 * tui_draw makes the grid from the scene. Both are deterministic: no clock is read here; the time
 * that a picture depends on is in `clock_ns` and `behind_ns`.
 */
#ifndef DOZE_TUI_SCENE_H
#define DOZE_TUI_SCENE_H

#include "../model/measures.h"
#include "grid.h"
#include "history.h"
#include "look.h"
#include "viewport.h"

/** How the traced program and the trace stand, for the status line. */
struct tui_status {
	bool live, loading, ended, failed;
	const char *program; /* one line on the traced program, or null */
	const char *error;   /* the reader's, when failed */
	int64_t behind_ns;   /* live: the wall clock minus the trace's; < 0 not known */
};

/** The lines of the program's output that are kept: a window on the end of its log. */
struct tui_output {
	char *text; /* owned, lines split by NUL */
	size_t size;
	const char **lines; /* owned array of weak strings, oldest first */
	size_t n_lines;
};

/** The present, as of the last update: frozen while paused. */
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
	int64_t clock; /* the trace's time; nothing later is shown */
	int64_t known; /* the same, but not cut off by a lesson */
};

/** Where the last picture had what can be clicked; set by tui_draw. */
struct tui_areas {
	int lane_x, lanes_y, lanes_n, tabs_y;
	int tab_x[TUI_PANE_COUNT], tab_end[TUI_PANE_COUNT];
};

/** A quiz under way (lesson.h). */
struct tui_lesson {
	bool on;
	unsigned asked, right;
};

struct tui_scene {
	struct tui_history *history; /* weak */
	struct tui_view view;
	struct tui_present now;
	struct tui_status status;
	struct tui_output output;
	struct tui_areas areas;
	struct tui_lesson lesson;
	const struct tui_look *look;
	const char *title, *detail; /* weak; detail may be null */
	int64_t from_ns, to_ns;     /* range selected, since the first event; 0 none */
	const char *prompt;         /* while a text is typed: what it is for; else null */
	char typed[TUI_TEXT];
	char message[160]; /* one line of feedback; "" none */
	bool has_output;   /* there is a traced program whose output is shown */
};

/** Takes the present over from the model (unless paused) and moves the view along. */
void tui_scene_update(struct tui_scene *);
void tui_scene_free(struct tui_scene *);

/** The state of the worker of a row at the view's focus; none before it started. */
enum doze_state tui_state_at_focus(const struct tui_scene *, uint32_t row, bool *unknown);
/** The worker of the selected lane, or null when there is none. */
const struct doze_worker_view *tui_selected(const struct tui_scene *);
/** The pool of the selected worker, else the first; null before any is known. */
const struct doze_pool_view *tui_selected_pool(const struct tui_scene *);
/** The pool that a worker belongs to, or null. */
const struct doze_pool_view *tui_pool_of(const struct tui_scene *, const struct doze_worker_key *);

/** Its number among the pools of the trace, from 1; 0 when it is not known. */
size_t tui_pool_number(const struct tui_scene *, const struct doze_worker_key *);

/** Draws the whole picture into the grid. */
void tui_draw(struct tui_scene *, struct tui_grid *);

#endif
