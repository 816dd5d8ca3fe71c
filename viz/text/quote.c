/*
 * SPDX-License-Identifier: MIT
 *
 * quote.c - see quote.h.
 */
#include "quote.h"

#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

/* Returns the length of the UTF-8 sequence at s, or 0 if it is invalid: an overlong form, a
 * surrogate, or a code point beyond U+10FFFF. */
static size_t sequence(const unsigned char *s)
{
	size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;

	if (n == 0 || s[0] > 0xf4)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

/* Writes the character at s, using put if it has a single byte. Returns its length. */
static size_t write_one(FILE *out, const unsigned char *s, void (*put)(FILE *, unsigned char))
{
	size_t n = sequence(s);

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
