/*
 * SPDX-License-Identifier: MIT
 *
 * line.h - builds one line of output in memory, because formats with a line per event would
 * otherwise spend most of their time in printf.
 */
#ifndef DOZE_VIZ_EXPORT_LINE_H
#define DOZE_VIZ_EXPORT_LINE_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/** One line of output. It has room for all fields of an event except strings, which go directly to
 * the stream after doze_export_flush. Text that does not fit is dropped. */
struct doze_export_line {
	char text[2048];
	size_t n;
};

static inline void doze_export_text(struct doze_export_line *l, const char *s)
{
	size_t n = strlen(s);

	if (n > sizeof l->text - l->n)
		return;
	memcpy(l->text + l->n, s, n);
	l->n += n;
}

static inline void doze_export_uint(struct doze_export_line *l, uint64_t v)
{
	char digits[20];
	size_t n = 0;

	do
		digits[n++] = (char)('0' + v % 10);
	while (v /= 10);
	if (n > sizeof l->text - l->n)
		return;
	while (n)
		l->text[l->n++] = digits[--n];
}

static inline void doze_export_int(struct doze_export_line *l, int64_t v)
{
	if (v < 0)
		doze_export_text(l, "-");
	doze_export_uint(l, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

/** Writes the line so far to the stream and empties it. */
static inline void doze_export_flush(struct doze_export_line *l, FILE *out)
{
	fwrite(l->text, 1, l->n, out);
	l->n = 0;
}

#endif
