/*
 * SPDX-License-Identifier: MIT
 *
 * paint.h - the output of a command under --color and --ascii: the first sentence, which is the
 * answer, in bold; text from the trace without characters beyond ASCII.
 *
 *	struct doze_paint p;
 *	print(doze_paint_begin(&p, stdout, &palette, DOZE_PAINT_TEXT));
 *	doze_paint_end(&p);
 */
#ifndef DOZE_VIZ_PAINT_H
#define DOZE_VIZ_PAINT_H

#include <stdio.h>

#include "palette.h"

enum doze_paint_kind {
	DOZE_PAINT_TEXT,    /* begins with the answer */
	DOZE_PAINT_PICTURE, /* uses the palette itself */
	DOZE_PAINT_JSON,    /* never in colour; characters beyond ASCII become escapes */
};

struct doze_paint {
	FILE *out, *memory; /* memory: owned; null: what is printed needs no change */
	char *text;         /* owned, of memory */
	size_t size;
	enum doze_paint_kind kind;
	struct doze_palette palette;
};

/** Returns the stream to print to: `out` itself when nothing has to change. */
FILE *doze_paint_begin(struct doze_paint *, FILE *out, const struct doze_palette *,
		       enum doze_paint_kind);
/** Writes what was printed to `out`. */
void doze_paint_end(struct doze_paint *);

#endif
