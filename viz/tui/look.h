/*
 * SPDX-License-Identifier: MIT
 *
 * look.h - the glyphs, in Unicode and in ASCII.
 *
 * Colour alone never shows a state: every state and every kind of mark has its own glyph. term.c
 * has the colours, from the palette of Okabe and Ito, which colour-blind people can distinguish.
 */
#ifndef DOZE_TUI_LOOK_H
#define DOZE_TUI_LOOK_H

#include "../model/model.h"
#include "grid.h"

enum { TUI_BARS = 9 };

struct tui_look {
	uint32_t state[DOZE_STATE_COUNT]; /* one state fills the cell */
	uint32_t bar[TUI_BARS];           /* a count as a share of the workers, 0 to 8 */
	uint32_t unknown;                 /* events were lost here */
	uint32_t wake_open, wake_used, wake_futile, wake_other;
	uint32_t jec_even, jec_odd, jec_once;
	uint32_t rule, tick, cursor, more, sep, bookmark, arrow, storm, select;
	uint32_t side;      /* border between the two panes */
	uint32_t branch[2]; /* in a tree: a branch with other branches below it; the last branch */
	uint32_t dot;       /* an empty place */
	/* The arrow back to an earlier state: its head, a box on the way from which the arrow also
	 * starts, and its far end. */
	uint32_t up, join, turn;
	uint32_t partly;   /* several intervals within one cell, some of them active */
	const char *micro; /* "µ" or "u" */
	const char *dash;  /* separates two parts of a sentence */
};

/** Returns the glyphs for UTF-8, or those for ASCII. */
const struct tui_look *tui_look(bool ascii);
enum tui_style tui_state_style(enum doze_state);
/** Returns the mark of a wake with this verdict, and its style. */
uint32_t tui_wake_glyph(const struct tui_look *, enum doze_verdict, enum tui_style *);

#endif
