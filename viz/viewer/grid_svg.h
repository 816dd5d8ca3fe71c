/*
 * SPDX-License-Identifier: MIT
 *
 * grid_svg.h - writes a screen as a picture.
 */
#ifndef DOZE_TUI_GRID_SVG_H
#define DOZE_TUI_GRID_SVG_H

#include "grid.h"

/** Writes the grid as SVG, with the colours and glyphs of a dark 256-colour terminal. title is read
 * out by screen readers. Returns 0, or -1 on error. */
int tui_grid_svg(const struct tui_grid *, const char *title, FILE *);

#endif
