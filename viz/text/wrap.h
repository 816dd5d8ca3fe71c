/*
 * SPDX-License-Identifier: MIT
 *
 * wrap.h - running text in lines of at most 80 columns.
 */
#ifndef DOZE_VIZ_WRAP_H
#define DOZE_VIZ_WRAP_H

#include <stdio.h>

#define DOZE_TEXT_COLUMNS 80

/** Prints ASCII text; breaks its lines at blanks, and goes on with `indent` blanks. A word that is
 * longer than a line stays whole. */
void doze_wrap(FILE *out, const char *text, int indent);

/** Running text that is written piece by piece, and wrapped when it is complete. */
struct doze_wrapped {
	FILE *out, *lines; /* weak; owned, null where memory is short: then it is not wrapped */
	char *text;        /* owned */
	size_t size;
};
/** Returns the stream to write to, until doze_wrap_end. */
FILE *doze_wrap_begin(struct doze_wrapped *, FILE *out);
void doze_wrap_end(struct doze_wrapped *);

#endif
