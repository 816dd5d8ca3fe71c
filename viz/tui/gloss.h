/*
 * SPDX-License-Identifier: MIT
 *
 * gloss.h - explains words on the screen in the row that messages use, while there is no message.
 */
#ifndef DOZE_TUI_GLOSS_H
#define DOZE_TUI_GLOSS_H

#include "grid.h"

/** Writes into row y, if it is empty, the meanings of words in the rows above it: first a word of
 * the row with the cursor, at or below row `pane`, then the most unusual words. Writes as many as
 * fit, and at least one if any does. Call it after everything else is drawn. */
void tui_gloss(struct tui_grid *, int y, int pane);

#endif
