/*
 * SPDX-License-Identifier: MIT
 *
 * clean_text.c - see clean_text.h.
 */
#include "clean_text.h"

#include <stdint.h>
#include <string.h>

/* Unclean characters beyond C1, in ascending order. */
static const struct {
	uint32_t first, last;
} hidden[] = {
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
	for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
		if (c >= hidden[i].first && c <= hidden[i].last)
			return true;
	return c < ' ' || (c >= 0x7f && c <= 0x9f);
}

/* Decodes the character at s. Returns its length, or 0 if it is invalid: a stray byte, an overlong
 * form, a surrogate, or a code point beyond U+10FFFF. */
static size_t decode(const unsigned char *s, uint32_t *c)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc0 ? 2 : 0;

	if (n == 0 || s[0] > 0xf4)
		return 0;
	*c = n == 1 ? s[0] : s[0] & (0x7fU >> n);
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (s[i] & 0x3fU);
	}
	return *c < least[n] || *c > 0x10ffff || (*c >= 0xd800 && *c <= 0xdfff) ? 0 : n;
}

bool doze_text_is_clean(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	uint32_t c;

	while (*s) {
		size_t n = decode(s, &c);

		if (n == 0 || is_hidden(c))
			return false;
		s += n;
	}
	return true;
}

void doze_text_clean(char *out, size_t size, const char *text)
{
	const unsigned char *s = (const unsigned char *)(text ? text : "");
	size_t at = 0;
	uint32_t c;

	while (*s) {
		size_t n = decode(s, &c), width = n && !is_hidden(c) ? n : 1;

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
