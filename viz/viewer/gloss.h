/*
 * SPDX-License-Identifier: MIT
 *
 * gloss.h - explains words on the screen in the row that messages use, while there is no message.
 */
#ifndef DOZE_TUI_GLOSS_H
#define DOZE_TUI_GLOSS_H

#include "grid.h"

/** Writes the meanings of words on the screen into row y, as many as fit, if that row is empty. The
 * words in the row with the pane's cursor (at or below row `pane`) come first, then other words,
 * and last those that only the legend (row `legend`) contains. Call this after everything else has
 * been drawn. foreign: the trace is of a program without libdoze. */
void tui_gloss(struct tui_grid *, bool foreign, int y, int legend, int pane);

#endif
