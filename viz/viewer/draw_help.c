/*
 * SPDX-License-Identifier: MIT
 *
 * draw_help.c - draws the help screen: the keys (from the table in keys.c) and the legend.
 */
#include <string.h>

#include "draw.h"
#include "keys.h"
#include "words.h"

static int legend_item(struct tui_grid *g, int x, int y, uint32_t ch, enum tui_style style,
		       const char *text)
{
	tui_put(g, x, y, ch, style);
	tui_put(g, x + 1, y, ch, style);
	return tui_text(g, x + 3, y, g->w, TUI_PLAIN, text) + 2;
}

static int draw_legend(const struct tui_scene *s, struct tui_grid *g, int y)
{
	const struct tui_look *k = s->look;
	bool foreign = tui_is_foreign(s);
	int x = 2;

	for (int st = DOZE_STATE_active; st <= DOZE_STATE_blocked; st++)
		if (!foreign || (st != DOZE_STATE_sleepy && st != DOZE_STATE_blocked))
			x = legend_item(g, x, y, k->state[st], tui_state_style((enum doze_state)st),
					st == DOZE_STATE_sleepy
					    ? "about to sleep"
					    : tui_state_word(s, (enum doze_state)st));
	legend_item(g, x, y++, k->unknown, TUI_UNKNOWN, "unknown");
	x = legend_item(g, 2, y, k->wake_used, TUI_WAKE,
			foreign ? "woken, left the loop around its wait"
				: "woken, useful (or a latch's owner)");
	x = legend_item(g, x, y, k->wake_futile, TUI_FUTILE, "woken in vain");
	legend_item(g, x, y++, k->wake_open, TUI_PLAIN, "not known yet");
	x = legend_item(g, 2, y, k->partly, TUI_ACTIVE,
			foreign ? "out of waits for part of the column"
				: "works for part of the column");
	legend_item(g, x, y++, k->wake_other, TUI_PLAIN,
		    foreign ? "woken, went on" : "other wake (the pool ends)");
	tui_text(g, 2, y++, g->w, TUI_PLAIN,
		 "Row wakes: a count per symbol; 13/20: 13 of the 20 in view were in vain.");
	return y;
}

/* Draws the keys in as many columns as fit, without the first *skip rows. Limits *skip to the
 * number of rows that do not fit, and returns that limit. */
static int draw_keys(struct tui_grid *g, int y, int *skip)
{
	size_t n = 0, per_column;
	int columns = g->w / 40 ? g->w / 40 : 1, width = g->w / columns, room = g->h - 1 - y, over;

	while (tui_keys[n].help)
		n++;
	per_column = (n + (size_t)columns - 1) / (size_t)columns;
	over = (int)per_column > room ? (int)per_column - room : 0;
	if (*skip > over)
		*skip = over;
	for (size_t i = 0; i < n; i++) {
		int x = 2 + (int)(i / per_column) * width, row = (int)(i % per_column) - *skip;
		int end = x + width - 2;

		if (row < 0 || row >= room)
			continue;
		tui_textf(g, x, y + row, end, TUI_BOLD, "%-10s", tui_keys[i].name);
		tui_text(g, x + 11, y + row, end, TUI_PLAIN, tui_keys[i].help);
	}
	return over;
}

void tui_draw_help(struct tui_scene *s, struct tui_grid *g)
{
	int y, more;

	tui_grid_clear(g);
	tui_fill(g, 0, 0, g->w, ' ', TUI_TITLE);
	tui_text(g, 1, 0, g->w, TUI_TITLE, "doze: help");
	y = draw_legend(s, g, 1);
	y += g->h > 24;
	more = draw_keys(g, y, &s->view.help_scroll);
	tui_fill(g, 0, g->h - 1, g->w, ' ', TUI_TITLE);
	tui_text(g, 1, g->h - 1, g->w, TUI_TITLE,
		 more ? "? or Esc: close help   up down: more keys   q: quit"
		      : "? or Esc: close help   q: quit");
}
