/*
 * SPDX-License-Identifier: MIT
 *
 * paper.c - see paper.h.
 */
#include "paper.h"

#include <stdarg.h>
#include <stdio.h>

#include "../trace/utf8.h"

int tui_wrap(struct tui_grid *g, int x, int end, int y, int n, enum tui_style style,
	     const char *text)
{
	int rows = 0, width = end - x;

	while (*text && rows < n && width > 0) {
		size_t fits = doze_utf8_fit(text, (size_t)width, NULL), take = fits;

		if (text[fits]) {
			while (take > 0 && text[take] != ' ')
				take--;
			if (take == 0)
				take = fits;
		}
		if (take == 0) /* a character wider than the paper */
			break;
		tui_textf(g, x, y + rows++, end, style, "%.*s", (int)take, text);
		text += take;
		while (*text == ' ')
			text++;
	}
	if (*text && rows > 0) /* no room for the rest of the text */
		tui_put(g, end - 1, y + rows - 1, g->ascii ? '.' : 0x2026, style);
	return rows;
}

void tui_say(struct tui_paper *p, enum tui_style style, const char *text)
{
	if (text[0] && p->y < p->bottom)
		p->y += tui_wrap(p->g, p->x, p->end, p->y, p->bottom - p->y, style, text);
}

void tui_sayf(struct tui_paper *p, enum tui_style style, const char *fmt, ...)
{
	char text[TUI_SENTENCE];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	tui_say(p, style, text);
}
