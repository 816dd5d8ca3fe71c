/*
 * SPDX-License-Identifier: MIT
 *
 * palette.h - one glyph and one colour per state and mark, for the timeline, the viewer, the
 * report's page and the exports. No two states differ only in hue: their glyphs differ in
 * shape, height or texture. The colours are from the palette of Okabe and Ito, which people with
 * the common kinds of colour blindness can distinguish.
 */
#ifndef DOZE_VIZ_PALETTE_H
#define DOZE_VIZ_PALETTE_H

#include <stdbool.h>
#include <stdio.h>

#include "../trace/event.h"

struct doze_palette {
	bool ascii, color;
};

/** Marks for wakes, losses and the JEC; the states have their own glyphs. */
enum doze_mark {
	DOZE_MARK_unknown,    /* events were lost */
	DOZE_MARK_wake,       /* a worker was woken here */
	DOZE_MARK_useful,     /* a worker was woken here, and found a job */
	DOZE_MARK_futile,     /* a worker was woken here, and found none */
	DOZE_MARK_finer,      /* the cell contains more events than it can show */
	DOZE_MARK_wake_finer, /* a worker was woken here, and there are more events */
	DOZE_MARK_even,       /* JEC even */
	DOZE_MARK_odd,        /* JEC odd */
	DOZE_MARK_both,       /* the JEC toggles within the cell */
	DOZE_MARK_COUNT
};

/** Returns a glyph, one column wide and never empty. */
const char *doze_glyph_state(const struct doze_palette *, enum doze_state);
const char *doze_glyph_mark(const struct doze_palette *, enum doze_mark);
/** Returns the escape sequence that begins a colour; "" without colours. */
const char *doze_color_state(const struct doze_palette *, enum doze_state);
const char *doze_color_mark(const struct doze_palette *, enum doze_mark);
/** A colour: its numbers in palettes of 256, 16 and 8 colours, where -1 is the terminal's default,
 * and "#rrggbb" or null for none. */
struct doze_ink {
	short c256, c16, c8;
	const char *hex;
};
const struct doze_ink *doze_ink_state(enum doze_state);
const struct doze_ink *doze_ink_mark(enum doze_mark);
/** Returns the code point of a glyph. */
uint32_t doze_glyph_code(const char *glyph);
/** Returns the escape sequence that ends a colour; "" without colours. */
const char *doze_color_off(const struct doze_palette *);
/** Returns whether the locale uses UTF-8. The first call also calls setlocale(LC_CTYPE, ""). */
bool doze_locale_utf8(void);

/*
 * ---- The output of a command under --color and --ascii: prints the first sentence, which is
 * the answer, in bold, and replaces characters beyond ASCII.
 *
 * 	struct doze_paint p;
 * 	print(doze_paint_begin(&p, stdout, &palette, DOZE_PAINT_TEXT));
 * 	doze_paint_end(&p);
 */

enum doze_paint_kind {
	DOZE_PAINT_TEXT,    /* text whose first sentence is the answer */
	DOZE_PAINT_PICTURE, /* a picture that uses the palette itself */
	DOZE_PAINT_JSON,    /* never coloured; characters beyond ASCII become escapes */
};

struct doze_paint {
	FILE *out, *memory; /* memory: owned; null: the output needs no change */
	char *text;         /* owned; the contents of `memory` */
	size_t size;
	enum doze_paint_kind kind;
	struct doze_palette palette;
};

/** Returns the stream to print to: `out` itself if the output needs no change. */
FILE *doze_paint_begin(struct doze_paint *, FILE *out, const struct doze_palette *,
		       enum doze_paint_kind);
/** Writes the printed text to `out`. */
void doze_paint_end(struct doze_paint *);

#endif
