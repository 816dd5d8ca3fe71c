/*
 * SPDX-License-Identifier: MIT
 *
 * grid.c - see grid.h.
 */
#include "grid.h"

#include <stdarg.h>
#include <stdlib.h>
#include <wchar.h>

#include "../trace/utf8.h"

int tui_grid_resize(struct tui_grid *g, int w, int h)
{
	free(g->cells);
	g->w = w < 0 ? 0 : w;
	g->h = h < 0 ? 0 : h;
	g->cells = calloc((size_t)g->w * (size_t)g->h + 1, sizeof *g->cells);
	if (!g->cells) {
		g->w = g->h = 0;
		return -1;
	}
	tui_grid_clear(g);
	return 0;
}

void tui_grid_free(struct tui_grid *g)
{
	free(g->cells);
	g->cells = NULL;
	g->w = g->h = 0;
}

void tui_grid_clear(struct tui_grid *g)
{
	size_t n = (size_t)g->w * (size_t)g->h;

	for (size_t i = 0; i < n; i++)
		g->cells[i] = (struct tui_cell){.ch = ' '};
}

static struct tui_cell *cell_at(struct tui_grid *g, int x, int y)
{
	if (x < 0 || y < 0 || x >= g->w || y >= g->h)
		return NULL;
	return &g->cells[(size_t)y * (size_t)g->w + (size_t)x];
}

void tui_put(struct tui_grid *g, int x, int y, uint32_t ch, enum tui_style style)
{
	struct tui_cell *c = cell_at(g, x, y);

	if (!c)
		return;
	if (g->ascii && ch > 126)
		ch = '?';
	*c = (struct tui_cell){.ch = ch, .style = (uint8_t)style};
}

void tui_mark(struct tui_grid *g, int x, int y, int attr)
{
	struct tui_cell *c = cell_at(g, x, y);

	if (c)
		c->attr |= (uint8_t)attr;
}

void tui_tint(struct tui_grid *g, int x, int y, int n, enum tui_style style)
{
	for (int i = 0; i < n; i++) {
		struct tui_cell *c = cell_at(g, x + i, y);

		if (c)
			c->style = (uint8_t)style;
	}
}

void tui_fill(struct tui_grid *g, int x, int y, int n, uint32_t ch, enum tui_style style)
{
	for (int i = 0; i < n; i++)
		tui_put(g, x + i, y, ch, style);
}

/* Replaces unprintable characters. Text in a trace comes from programs, and its escape sequences
 * must not reach the terminal. */
static uint32_t printable(uint32_t ch)
{
	if (ch == '\t')
		return ' ';
	if (ch < ' ' || (ch >= 0x7f && ch < 0xa0))
		return '?';
	return ch < 0x7f || wcwidth((wchar_t)ch) == 1 ? ch : '?';
}

/* Ends a truncated text with an ellipsis, unless only blanks are missing. */
static void mark_cut(struct tui_grid *g, int x, int y, int last, enum tui_style style,
		     const char *rest)
{
	while (*rest == ' ')
		rest++;
	if (*rest && last >= x)
		tui_put(g, last, y, g->ascii ? '.' : 0x2026, style);
}

int tui_text(struct tui_grid *g, int x, int y, int end, enum tui_style style, const char *text)
{
	int from = x, limit = end < g->w ? end : g->w;

	/* a message may have been truncated inside its last character */
	while (*text && x < limit && !doze_utf8_is_cut(text)) {
		uint32_t ch;
		size_t n = doze_utf8_decode(text, &ch);

		tui_put(g, x++, y, n ? printable(ch) : '?', style);
		text += n ? n : 1;
	}
	mark_cut(g, from, y, limit - 1, style, text);
	return x;
}

int tui_textf(struct tui_grid *g, int x, int y, int end, enum tui_style style, const char *fmt, ...)
{
	char buf[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof buf, fmt, ap);
	va_end(ap);
	return tui_text(g, x, y, end, style, buf);
}

int tui_grid_print(const struct tui_grid *g, FILE *f)
{
	for (int y = 0; y < g->h; y++) {
		const struct tui_cell *row = &g->cells[(size_t)y * (size_t)g->w];
		int len = g->w;

		while (len > 0 && row[len - 1].ch == ' ')
			len--;
		for (int x = 0; x < len; x++) {
			char out[4] = {0};

			fwrite(out, 1, doze_utf8_encode(row[x].ch, out), f);
		}
		fputc('\n', f);
	}
	return fflush(f) == 0 && !ferror(f) ? 0 : -1;
}
