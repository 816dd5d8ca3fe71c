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
#include "paper.h"
#include "scene.h"

enum tui_counter { TUI_SLEEPING_COUNT, TUI_IDLE_COUNT, TUI_ACTIVE_COUNT, TUI_JEC, TUI_COUNTERS };

/** Fills cells[0..view.cells), owned by the caller, for the worker of a row. */
void tui_lane_cells(const struct tui_scene *, uint32_t row, struct doze_cell *cells);

void tui_draw_axis(const struct tui_scene *, const struct tui_layout *, struct tui_grid *);
void tui_draw_lanes(struct tui_scene *, const struct tui_layout *, struct tui_grid *);
/** Draws the wakes: a row per lane, or one for all. */
void tui_draw_wakes(const struct tui_scene *, const struct tui_layout *, struct tui_grid *);
void tui_draw_counters(const struct tui_scene *, const struct tui_layout *, struct tui_grid *);
void tui_draw_cursor(const struct tui_scene *, const struct tui_layout *, struct tui_grid *);
void tui_draw_help(struct tui_scene *, struct tui_grid *);
/** Draws title, verdict and legend. */
void tui_draw_header(const struct tui_scene *, const struct tui_layout *, struct tui_grid *);
/** Draws the keys that work here, or the text that is being typed. */
void tui_draw_footer(const struct tui_scene *, const struct tui_layout *, struct tui_grid *);

#endif
