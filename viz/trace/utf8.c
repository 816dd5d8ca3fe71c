/*
 * SPDX-License-Identifier: MIT
 *
 * utf8.c - see utf8.h.
 */
#include "utf8.h"

#include <string.h>

struct range {
	uint32_t first, last;
};

/* Characters that a terminal draws over the previous one. In ascending order. */
static const struct range combining[] = {
    {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},   {0x64b, 0x65f},
    {0x93c, 0x93c},   {0x941, 0x948},   {0xe31, 0xe31},   {0xe34, 0xe3a},   {0xe47, 0xe4e},
    {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0x302a, 0x302d}, {0x3099, 0x309a},
    {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
};

/* Characters that a terminal draws two columns wide. In ascending order. */
static const struct range wide[] = {
    {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},
    {0x4e00, 0xa4cf},   {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},   {0xff01, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x18aff},
    {0x1b000, 0x1b2ff}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff},
    {0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
};

static bool is_in(const struct range *r, size_t n, uint32_t code)
{
	for (size_t i = 0; i < n && code >= r[i].first; i++)
		if (code <= r[i].last)
			return true;
	return false;
}

/* Returns the length that the first byte of a character announces, or 0 if no character begins with
 * this byte. */
static size_t announced(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
}

size_t doze_utf8_decode(const char *text, uint32_t *code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *s = (const unsigned char *)text;
	size_t n = announced(s[0]);
	uint32_t c = n < 2 ? s[0] : s[0] & (0x7fU >> n);

	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3fU);
	}
	*code = c;
	return c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff) ? 0 : n;
}

size_t doze_utf8_encode(uint32_t code, char *out)
{
	static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
	size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

	for (size_t i = n - 1; i > 0; i--, code >>= 6)
		out[i] = (char)(0x80 | (code & 0x3f));
	out[0] = (char)(first[n] | code);
	return n;
}

bool doze_utf8_is_cut(const char *s)
{
	size_t n = announced((unsigned char)*s), i = 1;

	while (i < n && ((unsigned char)s[i] & 0xc0) == 0x80)
		i++;
	return i < n && !s[i];
}

/* Returns the number of bytes of the longest part at the beginning of text that has at most
 * `bytes` bytes and does not end inside a character. */
static size_t doze_utf8_whole(const char *text, size_t bytes)
{
	size_t at = 0, n;
	uint32_t code;

	for (; text[at]; at += n) {
		n = doze_utf8_decode(text + at, &code);
		n = n ? n : 1;
		if (at + n > bytes || doze_utf8_is_cut(text + at))
			break;
	}
	return at;
}

static size_t width_of(uint32_t code)
{
	if (is_in(combining, sizeof combining / sizeof combining[0], code))
		return 0;
	return is_in(wide, sizeof wide / sizeof wide[0], code) ? 2 : 1;
}

/* Reads the character at s. Returns its length and its width. An invalid byte is a character of one
 * column. */
static size_t read_one(const char *s, size_t *width)
{
	uint32_t code;
	size_t n = doze_utf8_decode(s, &code);

	*width = n ? width_of(code) : 1;
	return n ? n : 1;
}

size_t doze_utf8_fit(const char *text, size_t columns, size_t *used)
{
	size_t at = 0, column = 0, n, width;

	for (; text[at]; at += n, column += width) {
		n = read_one(text + at, &width);
		if (column + width > columns)
			break;
	}
	if (used)
		*used = column;
	return at;
}

size_t doze_utf8_columns(const char *text, size_t bytes)
{
	size_t columns = 0, width;

	for (size_t at = 0; at < bytes && text[at]; columns += width)
		at += read_one(text + at, &width);
	return columns;
}

void doze_utf8_copy(char *out, size_t size, const char *text)
{
	size_t n = text ? doze_utf8_whole(text, size - 1) : 0;

	if (n)
		memcpy(out, text, n);
	out[n] = '\0';
}

/* ---- Makes text from a trace safe to show ---- */

/* Unclean characters beyond C1, in ascending order. */
static const struct range hidden[] = {
    {0xad, 0xad},       /* soft hyphen */
    {0x61c, 0x61c},     /* Arabic letter mark */
    {0x180e, 0x180e},   /* Mongolian vowel separator */
    {0x200b, 0x200f},   /* zero-width, directional marks */
    {0x2028, 0x202e},   /* separators, embeddings, overrides */
    {0x2060, 0x206f},   /* word joiner, isolates, deprecated controls */
    {0xfeff, 0xfeff},   /* byte order mark */
    {0xfff9, 0xfffb},   /* interlinear annotation */
    {0xe0000, 0xe0fff}, /* tags, variation selectors */
};

static bool is_hidden(uint32_t c)
{
	return c < ' ' || (c >= 0x7f && c <= 0x9f) ||
	       is_in(hidden, sizeof hidden / sizeof hidden[0], c);
}

bool doze_text_is_clean(const char *text)
{
	uint32_t c;

	while (*text) {
		size_t n = doze_utf8_decode(text, &c);

		if (n == 0 || is_hidden(c))
			return false;
		text += n;
	}
	return true;
}

void doze_text_clean(char *out, size_t size, const char *text)
{
	const char *s = text ? text : "";
	size_t at = 0;
	uint32_t c;

	while (*s && !doze_utf8_is_cut(s)) {
		size_t n = doze_utf8_decode(s, &c), width = n && !is_hidden(c) ? n : 1;

		if (at + width >= size)
			break;
		if (n && !is_hidden(c))
			memcpy(out + at, s, n);
		else
			out[at] = '?';
		at += width;
		s += n ? n : 1;
	}
	out[at] = '\0';
}
