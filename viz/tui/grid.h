/*
 * SPDX-License-Identifier: MIT
 *
 * grid.h - a screen as an array of cells, between the views and the terminal.
 *
 * The views draw into a grid and know nothing of ncurses; term.c shows a grid, once.c prints it and
 * the tests compare it as text. Every cell holds one character of width one.
 *
 * Invariant: whatever is put outside the grid is dropped, so no view checks for the screen's edge.
 */
#ifndef DOZE_TUI_GRID_H
#define DOZE_TUI_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** What a cell means; term.c turns it into colour and attributes, so that a view cannot use a
 * colour that some terminal lacks. */
enum tui_style {
	TUI_PLAIN,
	TUI_DIM,
	TUI_BOLD,
	TUI_TITLE,  /* bars at the top and the bottom */
	TUI_SELECT, /* the chosen line */
	TUI_ALARM,  /* must not be overlooked: losses, errors */
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
	bool ascii; /* characters above 126 become '?' */
	struct tui_cell *cells;
};

/** Makes the grid w×h cells of blanks. Returns 0, or -1 (the grid is then 0×0) without memory. */
int tui_grid_resize(struct tui_grid *, int w, int h);
void tui_grid_free(struct tui_grid *);
void tui_grid_clear(struct tui_grid *);

void tui_put(struct tui_grid *, int x, int y, uint32_t ch, enum tui_style);
/** Adds TUI_UNDERLINE or TUI_REVERSE to a cell that is there. */
void tui_mark(struct tui_grid *, int x, int y, int attr);
/** Gives the cells [x, x+n) of a row a style and keeps their characters. */
void tui_tint(struct tui_grid *, int x, int y, int n, enum tui_style);
void tui_fill(struct tui_grid *, int x, int y, int n, uint32_t ch, enum tui_style);
/** Puts UTF-8 text, at most up to column `end` (exclusive); control characters, broken UTF-8 and
 * characters that are not one cell wide become '?'. Returns the column after the text. */
int tui_text(struct tui_grid *, int x, int y, int end, enum tui_style, const char *text);
int tui_textf(struct tui_grid *, int x, int y, int end, enum tui_style, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));
/** Prints the grid, a line a row, blanks at the end of a line left out. Returns 0, -1 on error. */
int tui_grid_print(const struct tui_grid *, FILE *);
/** One code point as UTF-8 into out (at least 4 bytes); returns the number of bytes. */
size_t tui_utf8(uint32_t ch, char *out);

#endif
