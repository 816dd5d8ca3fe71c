/*
 * SPDX-License-Identifier: MIT
 *
 * quote.c - see quote.h.
 */
#include "quote.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "../trace/utf8.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* Writes the character at s, using put if it has a single byte. Returns its length. */
static size_t write_one(FILE *out, const unsigned char *s, void (*put)(FILE *, unsigned char))
{
	uint32_t code;
	size_t n = doze_utf8_decode((const char *)s, &code);

	if (n == 0) {
		fputs(REPLACEMENT, out);
		return 1;
	}
	if (n == 1)
		put(out, s[0]);
	else
		fwrite(s, 1, n, out);
	return n;
}

static void write_all(FILE *out, const char *text, void (*put)(FILE *, unsigned char))
{
	for (const unsigned char *s = (const unsigned char *)text; *s;)
		s += write_one(out, s, put);
}

static void put_json(FILE *out, unsigned char c)
{
	if (c == '"' || c == '\\')
		fprintf(out, "\\%c", c);
	else if (c < ' ' || c == 127)
		fprintf(out, "\\u%04x", c);
	else
		fputc(c, out);
}

void doze_quote_json(FILE *out, const char *text)
{
	if (!text) {
		fputs("null", out);
		return;
	}
	fputc('"', out);
	write_all(out, text, put_json);
	fputc('"', out);
}

static void put_csv(FILE *out, unsigned char c)
{
	if (c == '"')
		fputc('"', out);
	fputc(c, out);
}

void doze_quote_csv(FILE *out, const char *text)
{
	if (!strpbrk(text, "\",\r\n")) {
		write_all(out, text, put_csv);
		return;
	}
	fputc('"', out);
	write_all(out, text, put_csv);
	fputc('"', out);
}

static void put_xml(FILE *out, unsigned char c)
{
	if (c == '<')
		fputs("&lt;", out);
	else if (c == '>')
		fputs("&gt;", out);
	else if (c == '&')
		fputs("&amp;", out);
	else if (c == '"')
		fputs("&quot;", out);
	else if (c >= ' ' && c != 127)
		fputc(c, out);
}

void doze_quote_xml(FILE *out, const char *text)
{
	write_all(out, text, put_xml);
}

void doze_svg_begin(FILE *out, int width, size_t height, const char *more)
{
	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %zu\"%s>\n", width,
		height, more);
}

void doze_svg_text(FILE *out, const char *text, const char *where, ...)
{
	va_list args;

	fputs("<text ", out);
	va_start(args, where);
	vfprintf(out, where, args);
	va_end(args);
	fputc('>', out);
	doze_quote_xml(out, text);
	fputs("</text>\n", out);
}

void doze_quote_text(FILE *out, const char *text)
{
	char clean[4096];

	doze_text_clean(clean, sizeof clean, text);
	fputs(clean, out);
}

/* ---- Writes JSON to a stream, with commas, indentation and escapes ---- */

/* Writes what precedes an element: comma, line break, indentation and name. */
static void begin(struct doze_json *j, const char *name)
{
	uint32_t bit = 1u << (j->level & 31);

	if (j->begun & bit)
		fputc(',', j->out);
	j->begun |= bit;
	if (j->level)
		fprintf(j->out, "\n%*s", (int)(2 * j->level), "");
	if (name) {
		doze_quote_json(j->out, name);
		fputs(": ", j->out);
	}
}

void doze_json_open(struct doze_json *j, const char *name, char bracket)
{
	begin(j, name);
	fputc(bracket, j->out);
	j->level++;
	j->begun &= ~(1u << (j->level & 31));
}

void doze_json_close(struct doze_json *j, char bracket)
{
	bool empty = !(j->begun & 1u << (j->level & 31));

	j->level--;
	if (!empty)
		fprintf(j->out, "\n%*s", (int)(2 * j->level), "");
	fputc(bracket, j->out);
	if (!j->level)
		fputc('\n', j->out);
}

void doze_json_int(struct doze_json *j, const char *name, int64_t v)
{
	begin(j, name);
	fprintf(j->out, "%" PRId64, v);
}

void doze_json_uint(struct doze_json *j, const char *name, uint64_t v)
{
	begin(j, name);
	fprintf(j->out, "%" PRIu64, v);
}

void doze_json_real(struct doze_json *j, const char *name, double v)
{
	begin(j, name);
	if (isfinite(v))
		fprintf(j->out, "%.6g", v);
	else
		fputs("null", j->out);
}

void doze_json_bool(struct doze_json *j, const char *name, bool v)
{
	begin(j, name);
	fputs(v ? "true" : "false", j->out);
}

void doze_json_string(struct doze_json *j, const char *name, const char *v)
{
	if (!v) {
		doze_json_null(j, name);
		return;
	}
	begin(j, name);
	doze_quote_json(j->out, v);
}

void doze_json_null(struct doze_json *j, const char *name)
{
	begin(j, name);
	fputs("null", j->out);
}
