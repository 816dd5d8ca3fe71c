/*
 * SPDX-License-Identifier: MIT
 *
 * quote.c - see quote.h.
 */
#include "quote.h"

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

void doze_quote_text(FILE *out, const char *text)
{
	char clean[4096];

	doze_text_clean(clean, sizeof clean, text);
	fputs(clean, out);
}
