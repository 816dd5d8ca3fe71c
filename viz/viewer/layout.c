/*
 * SPDX-License-Identifier: MIT
 *
 * layout.c - see layout.h.
 */
#include "layout.h"

enum { LEAST_PANE = 8, SHORT = 16, TINY = 12, MOST_LANES = 10000 };

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Places title and verdict at the top, and message and footer at the bottom, where they share a row
 * on a short screen. */
static void place_frame(struct tui_layout *l, int w, int h)
{
	*l = (struct tui_layout){.w = w,
				 .h = h,
				 .main_w = w,
				 .lane_x = TUI_LABEL_W,
				 .legend_y = -1,
				 .axis_y = -1,
				 .marks_y = -1,
				 .wakes_y = -1,
				 .lane_h = 1,
				 .footer_y = h - 1,
				 .message_y = h < SHORT ? h - 1 : h - 2};
}

/* Gives the whole screen to the pane: a few lanes above it would not be useful. */
static void place_big(struct tui_layout *l)
{
	l->lanes_y = l->counters_y = 2;
	l->tabs_y = 2;
	l->pane_y = 3;
	l->pane_n = l->message_y - l->pane_y;
	l->lane_w = l->main_w - TUI_LABEL_W - 1;
}

/* Distributes `rest` rows below the axis. The pane's minimum, one row per lane and the shared row
 * of wakes come first; marks, a row of wakes per lane, and counters follow if there is room. */
static void place_rows(struct tui_layout *l, const struct tui_needs *n, int y, int rest)
{
	int pane = l->h >= 24      ? (l->h / 4 > LEAST_PANE ? l->h / 4 : LEAST_PANE)
		   : l->h >= SHORT ? 4
				   : 2;
	int lanes = (int)(n->lanes > MOST_LANES ? MOST_LANES : n->lanes), spare;

	if (n->pane > pane)
		pane = n->pane;
	rest -= 2; /* rows of the tabs and of the wakes */
	l->lanes_n = least(lanes, rest - pane > 1 ? rest - pane : 1);
	spare = rest - l->lanes_n - pane;
	if (n->marks && spare > 0) {
		l->marks_y = y++;
		spare--;
	}
	if (l->h >= TUI_TALL && l->lanes_n > 0 && spare + 1 >= l->lanes_n) {
		l->lane_h = 2;
		spare -= l->lanes_n - 1;
	}
	l->counters_n = spare < 0 ? 0 : least(spare, TUI_COUNTER_ROWS);
	l->lanes_y = y;
	y += l->lanes_n * l->lane_h;
	if (l->lane_h == 1)
		l->wakes_y = y++;
	l->counters_y = y;
	l->tabs_y = y + l->counters_n;
	l->pane_y = l->tabs_y + 1;
	l->pane_n = l->message_y - l->pane_y;
}

void tui_lay_out(struct tui_layout *l, int w, int h, const struct tui_needs *n)
{
	int y = 2;

	place_frame(l, w, h);
	if (n->big) {
		place_big(l);
		return;
	}
	if (w >= TUI_WIDE && h >= 24) {
		l->main_w = w * 3 / 5;
		l->side_x = l->main_w + 1;
	}
	l->lane_w = l->main_w - TUI_LABEL_W - 1;
	l->legend_y = h > TUI_LEAST_H ? y++ : -1;
	l->axis_y = h >= TINY ? y++ : -1;
	place_rows(l, n, y, l->message_y - y);
}
