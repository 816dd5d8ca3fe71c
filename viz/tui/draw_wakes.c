/*
 * SPDX-License-Identifier: MIT
 *
 * draw_wakes.c - the rows of wakes: how many there were, and whether they were useful.
 *
 * Two columns share one glyph and one count, which makes a herd recognisable. Futile wakes take
 * precedence over useful ones, so that they stay visible. "+" stands for 10 or more, "#" for 100 or
 * more.
 */
#include <stdlib.h>
#include <string.h>

#include "draw.h"

/* The wakes in two neighbouring columns. */
struct density {
	uint32_t futile, useful, other, open;
};

static void add_lane(const struct tui_scene *s, uint32_t row, struct density *d, int pairs)
{
	const struct tui_view *v = &s->view;
	const struct tui_ring *r;

	if (row >= s->history->n_lanes)
		return;
	r = &s->history->lanes[row].wakes;
	for (size_t i = tui_ring_after(r, tui_view_left(v) - 1); i < r->count; i++) {
		const struct tui_wake *w = tui_ring_at(r, i);
		int64_t pair = tui_view_cell(v, w->at) / 2;

		if (pair >= pairs || w->at > s->now.clock)
			break;
		switch (w->wake.verdict) {
		case DOZE_VERDICT_futile:
			d[pair].futile++;
			break;
		case DOZE_VERDICT_useful:
		case DOZE_VERDICT_latch:
			d[pair].useful++;
			break;
		case DOZE_VERDICT_open:
			d[pair].open++;
			break;
		default:
			d[pair].other++;
		}
	}
}

static uint32_t digit(uint32_t n)
{
	return n < 2 ? ' ' : n < 10 ? '0' + n : n < 100 ? '+' : '#';
}

static void put_density(const struct tui_look *k, struct tui_grid *g, int x, int y, int end,
			const struct density *d)
{
	enum doze_verdict v = d->futile   ? DOZE_VERDICT_futile
			      : d->useful ? DOZE_VERDICT_useful
			      : d->open   ? DOZE_VERDICT_open
					  : DOZE_VERDICT_terminate;
	uint32_t n = d->futile ? d->futile : d->useful ? d->useful : d->open ? d->open : d->other;
	enum tui_style style;
	uint32_t glyph = tui_wake_glyph(k, v, &style);

	if (!n)
		return;
	tui_put(g, x, y, glyph, style);
	if (x + 1 < end)
		tui_put(g, x + 1, y, digit(n), style);
}

static void draw_row(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g,
		     int y, const struct density *d, int pairs)
{
	for (int i = 0; i < pairs; i++)
		put_density(s->look, g, l->lane_x + 2 * i, y, l->lane_x + s->view.cells, &d[i]);
}

/* Draws, in place of the row's name, the share of wakes in vain among the visible wakes with a
 * verdict. */
static void draw_label(const struct tui_scene *s, struct tui_grid *g, int y,
		       const struct density *d, int pairs)
{
	int x = tui_text(g, 1, y, TUI_LABEL_W, TUI_WAKE, "wakes");
	uint32_t wakes = 0, futile = 0;

	for (int i = 0; i < pairs; i++) {
		wakes += d[i].futile + d[i].useful + d[i].open;
		futile += d[i].futile;
	}
	if (!wakes)
		return;
	x = tui_textf(g, x + 1, y, TUI_LABEL_W, TUI_FUTILE, "%3.0f%%", 100.0 * futile / wakes);
	tui_put(g, x + 1, y, s->look->wake_futile, TUI_FUTILE);
}

void tui_draw_wakes(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g)
{
	int pairs = (s->view.cells + 1) / 2;
	size_t bytes = (size_t)pairs * sizeof(struct density);
	struct density *d = calloc(1, bytes);

	for (size_t i = 0; d && s->view.marks && i < s->now.n_lanes; i++) {
		size_t on_screen = i - s->view.first_lane;

		if (l->lane_h < 2) {
			add_lane(s, s->now.lanes[i], d, pairs);
			continue;
		}
		if (i < s->view.first_lane || on_screen >= (size_t)l->lanes_n)
			continue;
		memset(d, 0, bytes);
		add_lane(s, s->now.lanes[i], d, pairs);
		draw_row(s, l, g, l->lanes_y + (int)on_screen * l->lane_h + 1, d, pairs);
	}
	if (d && l->wakes_y >= 0) {
		draw_label(s, g, l->wakes_y, d, pairs);
		draw_row(s, l, g, l->wakes_y, d, pairs);
	}
	free(d);
}
