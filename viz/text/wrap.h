/*
 * SPDX-License-Identifier: MIT
 *
 * wrap.h - wraps text to lines of at most 80 columns.
 */
#ifndef DOZE_VIZ_WRAP_H
#define DOZE_VIZ_WRAP_H

#include <stdio.h>

#define DOZE_TEXT_COLUMNS 80

/** Prints ASCII text, breaking lines at blanks and indenting the following lines by `indent`. Does
 * not break words. */
void doze_wrap(FILE *out, const char *text, int indent);

/** Text that is written piece by piece, and wrapped by doze_wrap_end. */
struct doze_wrapped {
	FILE *out,
	    *lines; /* not owned; owned; null if out of memory, and then the text is not wrapped */
	char *text; /* owned */
	size_t size;
};
/** Returns the stream to write to, until doze_wrap_end. */
FILE *doze_wrap_begin(struct doze_wrapped *, FILE *out);
void doze_wrap_end(struct doze_wrapped *);

#endif
