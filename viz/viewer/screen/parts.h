/*
 * SPDX-License-Identifier: MIT
 *
 * parts.h - the parts of the screen, which terminal/draw.c assembles.
 *
 * Every part reads the scene and the layout (its position) and draws into the grid.
 */
#ifndef DOZE_TUI_PARTS_H
#define DOZE_TUI_PARTS_H

#include "../../show/cells.h"
#include "../../words/event_text.h"
#include "grid.h"
#include "scene.h"

/** Fills in cells[0..view.cells) with the states of the worker in the given row. The caller owns
 * the cells. */
void tui_lane_cells(const struct tui_scene *, uint32_t row, struct doze_cell *cells);

/** Returns whether the scene's history is a part of the run that was read back from disk, and has
 * all of this column. */
bool tui_is_read_back(const struct tui_scene *, int column);

void tui_draw_axis(const struct tui_scene *, const struct tui_layout *, struct tui_grid *);
void tui_draw_lanes(struct tui_scene *, const struct tui_layout *, struct tui_grid *);
/** Draws the wakes: one row per lane, or a single row for all lanes. */
void tui_draw_wakes(const struct tui_scene *, const struct tui_layout *, struct tui_grid *);
void tui_draw_counters(const struct tui_scene *, const struct tui_layout *, struct tui_grid *);
void tui_draw_cursor(const struct tui_scene *, const struct tui_layout *, struct tui_grid *);
/** Draws program marks, bookmarks and storms into the row of marks, if there is one. */
void tui_draw_marks(const struct tui_scene *, const struct tui_layout *, struct tui_grid *);
/** Draws the legend of the glyphs into row y. Rare glyphs are listed only while they are on the
 * screen, so draw the rest of the screen first. */
void tui_draw_glyphs(const struct tui_scene *, struct tui_grid *, int y);
/** Draws the legend and, on a wide screen, the number of workers in each state and the number of
 * wakes. */
void tui_draw_legend(const struct tui_scene *, struct tui_grid *, int y);

/** Draws the title and the verdict. */
void tui_draw_header(const struct tui_scene *, struct tui_grid *);
/** Writes the meanings of words on the screen into row y, as many as fit, if that row is empty. The
 * words in the row with the pane's cursor (at or below row `pane`) come first, then other words,
 * and last those that only the legend (row `legend`) contains. Call this after everything else has
 * been drawn. foreign: the trace is of a program without libdoze. */
void tui_explain_words(struct tui_grid *, bool foreign, int y, int legend, int pane);

#endif
