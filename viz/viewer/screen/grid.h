/*
 * SPDX-License-Identifier: MIT
 *
 * grid.h - a screen as an array of cells, between the views and the terminal; text, glyphs and
 * styles for it; the screen as text and as a picture.
 *
 * The views draw into a grid and do not depend on ncurses; term.c shows a grid, tui_grid_print
 * prints it, and the tests compare it as text. Every cell holds one character of width one.
 * Invariant: drawing outside the grid has no effect, so no view checks for the screen's edge.
 */
#ifndef DOZE_TUI_GRID_H
#define DOZE_TUI_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../../model/model.h"

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

struct doze_ink;

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
void tui_fill(struct tui_grid *, int x, int y, int n, uint32_t ch, enum tui_style);
/** Writes UTF-8 text up to column `end` (exclusive) or the grid's edge. Text that does not fit ends
 * with an ellipsis. Replaces control characters, invalid UTF-8 and characters that are not one cell
 * wide with '?'. Returns the column after the text. */
int tui_text(struct tui_grid *, int x, int y, int end, enum tui_style, const char *text);
int tui_textf(struct tui_grid *, int x, int y, int end, enum tui_style, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));
/** Prints the grid, one line per row, without trailing blanks. Returns 0, or -1 on error. */
int tui_grid_print(const struct tui_grid *, FILE *);

/* ---- text in a part of the screen ---- */

enum { TUI_SENTENCE = 480 };

/** Draws text into at most n rows starting at row y, broken at blanks to fit into columns [x, end).
 * Returns the number of rows used. */
int tui_wrap(struct tui_grid *, int x, int end, int y, int n, enum tui_style, const char *text);

/** A part of the screen that is filled from its top. */
struct tui_textbox {
	struct tui_grid *g;
	int x, y, end, bottom; /* next row y; columns [x, end); the last row is above `bottom` */
};

/** Writes a text, broken at blanks to fit, and moves to the next row. */
void tui_say(struct tui_textbox *, enum tui_style, const char *text);
void tui_sayf(struct tui_textbox *, enum tui_style, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * ---- glyphs, in Unicode and in ASCII
 *
 * Colour alone never shows a state: every state and every kind of mark has its own glyph. term.c
 * has the colours, from the palette of Okabe and Ito, which colour-blind people can distinguish.
 */

enum { TUI_BARS = 9 };

struct tui_glyphs {
	uint32_t state[DOZE_STATE_COUNT]; /* the worker was in this state during the whole cell */
	uint32_t bar[TUI_BARS];           /* bars for a share of the workers, from 0/8 to 8/8 */
	uint32_t unknown;                 /* the state is unknown, because events were lost */
	uint32_t wake_open, wake_used, wake_futile, wake_other;
	uint32_t jec_even, jec_odd, jec_once;
	uint32_t rule, tick, cursor, more, sep, bookmark, arrow, storm, select;
	uint32_t side; /* border between the two panes */
	/* glyphs for the branches of a tree: for all but the last branch, and for the last
	 * branch */
	uint32_t branch[2];
	uint32_t dot; /* an empty cell of a table */
	/* Glyphs of the arrow from later states back to an earlier state: its head, a junction
	 * below a state, and its other end. */
	uint32_t up, join, turn;
	/* the cell contains several intervals, in some of which the worker was active */
	uint32_t partly;
	const char *micro; /* "µ" or "u" */
	const char *dash;  /* separates two parts of a sentence */
};

/** Returns the glyphs for UTF-8, or those for ASCII. */
const struct tui_glyphs *tui_glyphs(bool ascii);
enum tui_style tui_state_style(enum doze_state);
/** Returns the palette's colours for the style of a state or mark; null for another style. */
const struct doze_ink *tui_ink(enum tui_style);
/** Returns the mark of a wake with this verdict, and its style. */
uint32_t tui_wake_glyph(const struct tui_glyphs *, enum doze_verdict, enum tui_style *);

/** Writes the grid as SVG into a new file, with the colours and glyphs of a dark 256-colour
 * terminal. title is read out by screen readers. Returns 0, or -1 on error. */
int tui_grid_svg(const struct tui_grid *, const char *title, const char *path);

#endif
