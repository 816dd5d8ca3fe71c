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
const struct tui_look *tui_look(bool ascii);
enum tui_style tui_state_style(enum doze_state);
/** Returns the mark of a wake with this verdict, and its style. */
uint32_t tui_wake_glyph(const struct tui_look *, enum doze_verdict, enum tui_style *);

#endif
