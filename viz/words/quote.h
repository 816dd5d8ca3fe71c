/*
 * SPDX-License-Identifier: MIT
 *
 * quote.h - quotes text from a trace for an output format. A trace may contain any bytes: invalid
 * UTF-8 is replaced by U+FFFD, and control characters are written as the format allows.
 */
#ifndef DOZE_VIZ_QUOTE_H
#define DOZE_VIZ_QUOTE_H

#include <stdio.h>

/** Writes the text in double quotes with JSON's escapes, or null for a null pointer. */
void doze_quote_json(FILE *out, const char *text);
/** Writes a CSV field (RFC 4180), quoted if necessary. */
void doze_quote_csv(FILE *out, const char *text);
/** Writes character data, or an attribute's value without the quotes. Omits control characters. */
void doze_quote_xml(FILE *out, const char *text);
/** Writes text to a terminal or a text file as one line, in which each character that could control
 * the terminal is '?' (../trace/utf8.h). Writes at most 4095 bytes. */
void doze_quote_text(FILE *out, const char *text);

#endif
