/*
 * SPDX-License-Identifier: MIT
 *
 * paint.c - see paint.h.
 */
#include "paint.h"

#include <stdlib.h>
#include <string.h>

#include "../trace/utf8.h"

#define BOLD  "\033[1m"
#define PLAIN "\033[0m"

FILE *doze_paint_begin(struct doze_paint *p, FILE *out, const struct doze_palette *palette,
		       enum doze_paint_kind kind)
{
	bool bold = palette->color && kind == DOZE_PAINT_TEXT;

	*p = (struct doze_paint){.out = out, .kind = kind, .palette = *palette};
	if (bold || palette->ascii)
		p->memory = open_memstream(&p->text, &p->size);
	return p->memory ? p->memory : out;
}

/* Returns the length of the first sentence. It ends with the first line that ends with a full stop
 * or a colon, or that precedes an empty line. */
static size_t sentence(const char *text)
{
	const char *end = strchr(text, '\n');

	while (end && end > text && end[-1] != '.' && end[-1] != ':' && end[1] != '\n' && end[1])
		end = strchr(end + 1, '\n');
	return end ? (size_t)(end - text) : strlen(text);
}

static void write_wide(const struct doze_paint *p, uint32_t code)
{
	if (p->kind != DOZE_PAINT_JSON)
		fputc('?', p->out);
	else if (code > 0xffff)
		fprintf(p->out, "\\u%04x\\u%04x", 0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
	else
		fprintf(p->out, "\\u%04x", code);
}

/* Writes a part of a string. It may end inside the string, but not inside a character. */
static void write_part(const struct doze_paint *p, const char *text, size_t size)
{
	const char *s = text, *end = text + size;
	uint32_t code;
	size_t n;

	while (p->palette.ascii && s < end) {
		if ((unsigned char)*s < 0x80) {
			fputc(*s++, p->out);
			continue;
		}
		n = doze_utf8_decode(s, &code);
		write_wide(p, n ? code : 0xfffd);
		s += n ? n : 1;
	}
	fwrite(s, 1, (size_t)(end - s), p->out);
}

void doze_paint_end(struct doze_paint *p)
{
	size_t bold = 0;

	if (!p->memory)
		return;
	if (fclose(p->memory) == 0) {
		if (p->palette.color && p->kind == DOZE_PAINT_TEXT)
			bold = sentence(p->text);
		if (bold) {
			fputs(BOLD, p->out);
			write_part(p, p->text, bold);
			fputs(PLAIN, p->out);
		}
		write_part(p, p->text + bold, p->size - bold);
	}
	free(p->text);
	p->memory = NULL;
}
