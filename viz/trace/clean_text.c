/*
 * SPDX-License-Identifier: MIT
 *
 * clean_text.c - see clean_text.h.
 */
#include "clean_text.h"

#include <stdint.h>
#include <string.h>

#include "utf8.h"

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
