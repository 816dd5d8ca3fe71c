/*
 * SPDX-License-Identifier: MIT
 *
 * gloss.h - explains words on the screen in the row that messages use, while there is no message.
 */
#ifndef DOZE_TUI_GLOSS_H
#define DOZE_TUI_GLOSS_H

#include "grid.h"

/** Writes into row y, if it is empty, the meanings of words in the rows above it, as many as fit:
 * first those of words in the row with the cursor, at or below row `pane`, then of words elsewhere,
 * and last of words that only the legend in row `legend` contains. Call it after everything else is
 * drawn. */
void tui_gloss(struct tui_grid *, int y, int legend, int pane);

#endif
