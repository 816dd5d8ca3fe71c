/*
 * SPDX-License-Identifier: MIT
 *
 * grid.h - stores a screen as an array of cells, between the views and the terminal.
 *
 * The views draw into a grid and do not depend on ncurses; term.c shows a grid, once.c prints it,
 * and the tests compare it as text. Every cell holds one character of width one. Invariant: drawing
 * outside the grid has no effect, so no view checks for the screen's edge.
 */
#ifndef DOZE_TUI_GRID_H
#define DOZE_TUI_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** The meaning of a cell. term.c translates it into colours and attributes, so that no view depends
 * on a colour that the terminal may lack. */
enum tui_style {
	TUI_PLAIN,
	TUI_DIM,
	TUI_BOLD,
	TUI_TITLE,  /* bars at the top and bottom of the screen */
	TUI_SELECT, /* the selected line */
	TUI_ALARM,  /* needs attention: lost events, errors */
	TUI_ACTIVE,
	TUI_IDLE,
	TUI_SLEEPY,
	TUI_SLEEPING,
	TUI_BLOCKED,
	TUI_WAKE,
	TUI_FUTILE,
	TUI_UNKNOWN,
	TUI_STYLE_COUNT
};

enum { TUI_UNDERLINE = 1, TUI_REVERSE = 2 };

struct tui_cell {
	uint32_t ch; /* a Unicode code point of width one */
	uint8_t style, attr;
};

struct tui_grid {
	int w, h;
	bool ascii; /* only ASCII: characters above 126 become '?' */
	struct tui_cell *cells;
};

/** Resizes the grid to w×h blank cells. Returns 0, or -1 if out of memory, with an empty grid. */
int tui_grid_resize(struct tui_grid *, int w, int h);
void tui_grid_free(struct tui_grid *);
void tui_grid_clear(struct tui_grid *);

void tui_put(struct tui_grid *, int x, int y, uint32_t ch, enum tui_style);
/** Adds TUI_UNDERLINE or TUI_REVERSE to a cell of the grid. */
void tui_mark(struct tui_grid *, int x, int y, int attr);
/** Sets the style of n cells in a row, starting at x. Their characters stay the same. */
void tui_tint(struct tui_grid *, int x, int y, int n, enum tui_style);
void tui_fill(struct tui_grid *, int x, int y, int n, uint32_t ch, enum tui_style);
/** Writes UTF-8 text up to column `end` (exclusive) or the grid's edge. Text that does not fit ends
 * with an ellipsis. Replaces control characters, invalid UTF-8 and characters that are not one cell
 * wide with '?'. Returns the column after the text. */
int tui_text(struct tui_grid *, int x, int y, int end, enum tui_style, const char *text);
int tui_textf(struct tui_grid *, int x, int y, int end, enum tui_style, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));
/** Prints the grid, one line per row, without trailing blanks. Returns 0, or -1 on error. */
int tui_grid_print(const struct tui_grid *, FILE *);
#endif
