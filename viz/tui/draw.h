/*
 * SPDX-License-Identifier: MIT
 *
 * draw.h - the parts of the screen, which draw.c assembles.
 *
 * Every part reads the scene and the layout (its position) and draws into the grid.
 * Internal to viz/tui.
 */
#ifndef DOZE_TUI_DRAW_H
#define DOZE_TUI_DRAW_H

#include "../text/event_text.h"
#include "../views/cells.h"
#include "scene.h"

enum { TUI_SENTENCE = 480 };

enum tui_counter { TUI_SLEEPING_COUNT, TUI_IDLE_COUNT, TUI_ACTIVE_COUNT, TUI_JEC, TUI_COUNTERS };

/** Rows and columns of the parts; a part without rows is not drawn. */
struct tui_layout {
	int w, h;
	int lane_x, lane_w;   /* columns of the time axis */
	int axis_y, marks_y;  /* marks_y < 0: no marks to show */
	int lanes_y, lanes_n; /* rows of lanes on the screen */
	int counters_y, counters_n;
	int tabs_y, pane_y, pane_n;
	int footer_y, footer_n;
};

/** Fills cells[0..view.cells), owned by the caller, for the worker of a row. */
void tui_lane_cells(const struct tui_scene *, uint32_t row, struct doze_cell *cells);

/** Writes an event as one line, without time and worker; explained: with the ids that a list has no
 * space for. out has DOZE_EVENT_LINE bytes. Returns out. */
char *tui_event_line(const struct tui_scene *, const struct tui_event *, bool explained, char *out);

void tui_draw_axis(const struct tui_scene *, const struct tui_layout *, struct tui_grid *);
void tui_draw_lanes(struct tui_scene *, const struct tui_layout *, struct tui_grid *);
void tui_draw_counters(const struct tui_scene *, const struct tui_layout *, struct tui_grid *);
void tui_draw_pane(struct tui_scene *, const struct tui_layout *, struct tui_grid *);
void tui_draw_help(struct tui_scene *, struct tui_grid *);
void tui_draw_header(const struct tui_scene *, struct tui_grid *);
/** Draws the footer and returns its number of rows; with a null g, only counts them for width w. */
int tui_draw_footer(const struct tui_scene *, struct tui_grid *, int w, int h);

/** Panes. Each draws into rows [y, y+n). */
void tui_pane_events(const struct tui_scene *, struct tui_grid *, int y, int n);
void tui_pane_totals(const struct tui_scene *, struct tui_grid *, int y, int n);
void tui_pane_wakes(const struct tui_scene *, struct tui_grid *, int y, int n);
void tui_pane_measures(const struct tui_scene *, struct tui_grid *, int y, int n);
void tui_pane_findings(const struct tui_scene *, struct tui_grid *, int y, int n);
void tui_pane_explain(const struct tui_scene *, struct tui_grid *, int y, int n);
void tui_pane_output(const struct tui_scene *, struct tui_grid *, int y, int n);

/** Draws text, broken at blanks to fit [x, end), into at most n rows from row y. Returns the rows
 * used.
 */
int tui_wrap(struct tui_grid *, int x, int end, int y, int n, enum tui_style, const char *text);

#endif
