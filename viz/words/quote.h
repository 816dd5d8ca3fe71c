/*
 * SPDX-License-Identifier: MIT
 *
 * quote.h - quotes text from a trace for an output format. A trace may contain any bytes: invalid
 * UTF-8 is replaced by U+FFFD, and control characters are written as the format allows.
 */
#ifndef DOZE_VIZ_QUOTE_H
#define DOZE_VIZ_QUOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** Writes the text in double quotes with JSON's escapes, or null for a null pointer. */
void doze_quote_json(FILE *out, const char *text);
/** Writes a CSV field (RFC 4180), quoted if necessary. */
void doze_quote_csv(FILE *out, const char *text);
/** Writes character data, or an attribute's value without the quotes. Omits control characters. */
void doze_quote_xml(FILE *out, const char *text);
/** Begins a picture in SVG of this size in pixels; `more`: further attributes, or "". End it with
 * "</svg>". */
void doze_svg_begin(FILE *out, int width, size_t height, const char *more);
/** Writes a text element; `where`: its attributes. */
void doze_svg_text(FILE *out, const char *text, const char *where, ...)
    __attribute__((format(printf, 3, 4)));
/** Writes text to a terminal or a text file as one line, in which each character that could control
 * the terminal is '?' (../trace/utf8.h). Writes at most 4095 bytes. */
void doze_quote_text(FILE *out, const char *text);

/*
 * ---- Writes JSON to a stream, with commas, indentation and escapes.
 *
 * 	struct doze_json j = {.out = stdout};
 * 	doze_json_open(&j, 0, '{');
 * 	doze_json_int(&j, "n", 3);
 * 	doze_json_close(&j, '}');
 *
 * name is null inside an array. Up to 30 levels can be nested. The caller checks the stream for
 * write errors.
 */

struct doze_json {
	FILE *out;      /* not owned */
	unsigned level; /* nesting depth */
	uint32_t begun; /* bit n: level n already has an element */
};

/** Opens an object or an array. bracket is '{' or '['. */
void doze_json_open(struct doze_json *, const char *name, char bracket);
/** Closes an object or an array. bracket is '}' or ']'. After the outermost one, writes a
 * newline. */
void doze_json_close(struct doze_json *, char bracket);
void doze_json_int(struct doze_json *, const char *name, int64_t v);
void doze_json_uint(struct doze_json *, const char *name, uint64_t v);
/** Writes a number, or null for NaN and infinity, which JSON cannot represent. */
void doze_json_real(struct doze_json *, const char *name, double v);
void doze_json_bool(struct doze_json *, const char *name, bool v);
/** Writes a string, with control characters escaped, or null for a null pointer. */
void doze_json_string(struct doze_json *, const char *name, const char *v);
void doze_json_null(struct doze_json *, const char *name);

#endif
