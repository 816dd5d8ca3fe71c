/*
 * SPDX-License-Identifier: MIT
 *
 * palette.h - one glyph and one colour for each state and mark, for the timeline, the viewer, the
 * report's page and the exports. Never hue alone. Colours are Okabe and Ito's, which people with
 * the common kinds of colour blindness can distinguish.
 */
#ifndef DOZE_VIZ_PALETTE_H
#define DOZE_VIZ_PALETTE_H

#include <stdbool.h>

#include "../event/event.h"

struct doze_palette {
	bool ascii, color;
};

/** Marks that are no state. */
enum doze_mark {
	DOZE_MARK_unknown,    /* events were lost */
	DOZE_MARK_wake,       /* woken here */
	DOZE_MARK_finer,      /* more happens here than the cell can show */
	DOZE_MARK_wake_finer, /* both */
	DOZE_MARK_even,       /* JEC even */
	DOZE_MARK_odd,        /* JEC odd */
	DOZE_MARK_both,       /* JEC toggles within the cell */
	DOZE_MARK_COUNT
};

/** One column wide; "" is never returned. */
const char *doze_glyph_state(const struct doze_palette *, enum doze_state);
const char *doze_glyph_mark(const struct doze_palette *, enum doze_mark);
/** The escape that begins a colour; "" without colours. */
const char *doze_color_state(const struct doze_palette *, enum doze_state);
const char *doze_color_mark(const struct doze_palette *, enum doze_mark);
/** A colour where it is no escape: of 256, 16 and 8 colours, -1 the terminal's own; and as
 * "#rrggbb", null for none. */
struct doze_ink {
	short c256, c16, c8;
	const char *hex;
};
const struct doze_ink *doze_ink_state(enum doze_state);
const struct doze_ink *doze_ink_mark(enum doze_mark);
/** The code point of a glyph. */
uint32_t doze_glyph_code(const char *glyph);
/** Ends any colour; "" without colours. */
const char *doze_color_off(const struct doze_palette *);
/** Whether the locale's characters are UTF-8. Calls setlocale(LC_CTYPE, "") the first time. */
bool doze_locale_utf8(void);

#endif
