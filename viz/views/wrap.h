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

#endif
