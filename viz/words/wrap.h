/*
 * SPDX-License-Identifier: MIT
 *
 * wrap.h - wraps text to lines of at most 80 columns.
 */
#ifndef DOZE_VIZ_WRAP_H
#define DOZE_VIZ_WRAP_H

#include <stdio.h>

#define DOZE_TEXT_COLUMNS 80

/** Prints ASCII text, breaking lines at blanks and indenting all but the first by `indent`. Does
 * not break words. */
void doze_wrap(FILE *out, const char *text, int indent);

/** Text that is written in pieces and wrapped by doze_wrap_end. */
struct doze_wrapped {
	FILE *out, *lines; /* out: not owned; lines: owned; null if out of memory: the text is then
			    * not wrapped */
	char *text;        /* owned */
	size_t size;
};
/** Returns the stream to write to until doze_wrap_end is called. */
FILE *doze_wrap_begin(struct doze_wrapped *, FILE *out);
void doze_wrap_end(struct doze_wrapped *);

#endif
