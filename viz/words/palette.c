/*
 * SPDX-License-Identifier: MIT
 *
 * palette.c - see palette.h.
 */
#include "palette.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "../trace/utf8.h"

struct look {
	const char *utf8, *ascii, *escape;
	struct doze_ink ink;
};

/* A colour: its index in terminal palettes of 256, 16 and 8 colours, and its RGB value. The index
 * in the palette of 256 colours, which all common terminals have, is that of the colour nearest to
 * the RGB value. */
#define INK(n256, n16, n8, hex)                                                                    \
	"\033[38;5;" #n256 "m",                                                                    \
	{                                                                                          \
		n256, n16, n8, hex                                                                 \
	}
#define NO_INK                                                                                     \
	"",                                                                                        \
	{                                                                                          \
		-1, -1, -1, NULL                                                                   \
	}

static const struct look states[DOZE_STATE_COUNT] = {
    [DOZE_STATE_none] = {" ", " ", NO_INK},
    [DOZE_STATE_active] = {"█", "#", INK(36, 2, 2, "#009e73")},
    [DOZE_STATE_idle] = {"▒", "~", INK(178, 3, 3, "#e69f00")},
    [DOZE_STATE_sleepy] = {"━", "?", INK(227, 11, 3, "#f0e442")},
    [DOZE_STATE_sleeping] = {"·", ".", INK(74, 14, 6, "#56b4e9")},
    [DOZE_STATE_blocked] = {"■", "B", INK(175, 13, 5, "#cc79a7")},
    [DOZE_STATE_stopped] = {" ", " ", "", {-1, -1, -1, "#bbbbbb"}},
    [DOZE_STATE_suspended] = {"◇", "S", INK(250, 7, 7, "#999999")},
};

static const struct look marks[DOZE_MARK_COUNT] = {
    [DOZE_MARK_unknown] = {"╱", "/", INK(246, 7, 7, "#888888")},
    [DOZE_MARK_wake] = {"▲", "^", INK(166, 9, 1, "#d55e00")},
    [DOZE_MARK_useful] = {"▲", "^", INK(36, 10, 2, "#009e73")}, /* the colour of active */
    [DOZE_MARK_futile] = {"△", "!", INK(166, 9, 1, "#d55e00")},
    [DOZE_MARK_finer] = {"+", "+", NO_INK},
    [DOZE_MARK_wake_finer] = {"◬", "A", INK(166, 9, 1, "#d55e00")},
    [DOZE_MARK_even] = {"▁", "_", NO_INK},
    [DOZE_MARK_odd] = {"▔", "-", NO_INK},
    [DOZE_MARK_both] = {"≈", "=", NO_INK},
};

static const struct look *state_look(enum doze_state s)
{
	return &states[(unsigned)s < DOZE_STATE_COUNT ? s : DOZE_STATE_none];
}

const char *doze_glyph_state(const struct doze_palette *p, enum doze_state s)
{
	return p->ascii ? state_look(s)->ascii : state_look(s)->utf8;
}

const char *doze_glyph_mark(const struct doze_palette *p, enum doze_mark m)
{
	return p->ascii ? marks[m].ascii : marks[m].utf8;
}

const char *doze_color_state(const struct doze_palette *p, enum doze_state s)
{
	return p->color ? state_look(s)->escape : "";
}

const char *doze_color_mark(const struct doze_palette *p, enum doze_mark m)
{
	return p->color ? marks[m].escape : "";
}

const struct doze_ink *doze_ink_state(enum doze_state s)
{
	return &state_look(s)->ink;
}

const struct doze_ink *doze_ink_mark(enum doze_mark m)
{
	return &marks[m].ink;
}

uint32_t doze_glyph_code(const char *glyph)
{
	uint32_t code = 0;

	doze_utf8_decode(glyph, &code);
	return code;
}

const char *doze_color_off(const struct doze_palette *p)
{
	return p->color ? "\033[0m" : "";
}

bool doze_locale_utf8(void)
{
	static int known = -1;

	if (known < 0) {
		setlocale(LC_CTYPE, "");
		known = !strcmp(nl_langinfo(CODESET), "UTF-8");
	}
	return known;
}

/* ---- The output of a command under --color and --ascii ---- */

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
