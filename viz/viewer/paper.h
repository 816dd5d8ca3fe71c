/*
 * SPDX-License-Identifier: MIT
 *
 * paper.h - text that fills a part of the screen from its top.
 */
#ifndef DOZE_TUI_PAPER_H
#define DOZE_TUI_PAPER_H

#include "grid.h"

enum { TUI_SENTENCE = 480 };

/** Draws text into at most n rows starting at row y, broken at blanks to fit into columns [x, end).
 * Returns the number of rows used. */
int tui_wrap(struct tui_grid *, int x, int end, int y, int n, enum tui_style, const char *text);

/** A part of the screen that is filled from its top. */
struct tui_paper {
	struct tui_grid *g;
	int x, y, end, bottom; /* next row y; columns [x, end); the last row is above `bottom` */
};

/** Writes a text, broken at blanks to fit, and moves to the next row. */
void tui_say(struct tui_paper *, enum tui_style, const char *text);
void tui_sayf(struct tui_paper *, enum tui_style, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
