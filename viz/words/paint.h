/*
 * SPDX-License-Identifier: MIT
 *
 * paint.h - the output of a command under --color and --ascii: prints the first sentence, which is
 * the answer, in bold, and replaces characters beyond ASCII.
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
