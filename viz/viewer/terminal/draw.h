/*
 * SPDX-License-Identifier: MIT
 *
 * draw.h - draws the whole screen.
 */
#ifndef DOZE_TUI_DRAW_H
#define DOZE_TUI_DRAW_H

#include "../screen/scene.h"

/** Draws the whole screen into the grid. */
void tui_draw(struct tui_scene *, struct tui_grid *);
/** Draws only the parts that move with time (axis, lanes, wakes), into the grid of the last
 * tui_draw. */
void tui_draw_picture(struct tui_scene *, struct tui_grid *);

/** A key and its function, for the footer. A hint whose word is null is not drawn. */
struct tui_hint {
	const char *key, *word;
};
/** Draws hints, starting at column x. Omits those that do not fit entirely. */
void tui_draw_hints(struct tui_grid *, int x, int y, const struct tui_hint *, size_t n);

#endif
