/*
 * SPDX-License-Identifier: MIT
 *
 * pane_matrix.c - who wakes whom: a row per waker, a column per wakee. With room a cell has its
 * number of wakes, else one digit: the number of digits that the count has. Its style says whether
 * most of them were in vain.
 *
 * The counts are those of the whole session, not only of what the history still has.
 */
#include <inttypes.h>
#include <stdio.h>

#include "panes.h"
#include "words.h"

enum { LABEL_W = 9, WIDE = 5, LEAST = 1 };

static size_t shown_lanes(const struct tui_scene *s)
{
	return s->now.n_lanes;
}

static enum tui_style style_of(const struct tui_pair *p)
{
	return 2 * p->futile >= p->wakes ? TUI_FUTILE : TUI_ACTIVE;
}

static void put_pair(const struct tui_scene *s, struct tui_paper *p, int x, int width,
		     const struct tui_pair *pair)
{
	char text[16];
	int digits = snprintf(text, sizeof text, "%" PRIu32, pair->wakes);

	if (!pair->wakes)
		tui_put(p->g, x + width - 1, p->y, s->look->dot, TUI_DIM);
	else if (digits < width)
		tui_textf(p->g, x, p->y, p->end, style_of(pair), "%*s", width, text);
	else
		tui_put(p->g, x + width - 1, p->y, (uint32_t)('0' + digits), style_of(pair));
	if (pair->wakes && 2 * pair->futile >= pair->wakes && digits < width)
		tui_put(p->g, x + width - digits - 1, p->y, s->look->wake_futile, TUI_FUTILE);
}

static void put_head(const struct tui_scene *s, struct tui_paper *p, int width)
{
	char name[TUI_NAME];

	for (size_t i = 0; i < shown_lanes(s); i++) {
		const struct doze_worker_view *w = &s->now.workers[s->now.lanes[i]];
		int x = p->x + LABEL_W + (int)i * width;

		if (width == LEAST)
			tui_put(p->g, x, p->y, (uint32_t)('0' + w->key.index % 10), TUI_BOLD);
		else
			tui_textf(p->g, x, p->y, p->end, TUI_BOLD, "%*s", width,
				  tui_worker_name(s, &w->key, name));
	}
	p->y++;
}

static void put_row(const struct tui_scene *s, struct tui_paper *p, int width, const char *name,
		    int32_t waker)
{
	tui_text(p->g, p->x, p->y, p->x + LABEL_W - 1, TUI_BOLD, name);
	for (size_t i = 0; i < shown_lanes(s); i++) {
		int x = p->x + LABEL_W + (int)i * width;

		if (x + width <= p->end)
			put_pair(s, p, x, width,
				 tui_pair_at(&s->history->pairs, waker, s->now.lanes[i]));
	}
	p->y++;
}

static int width_of(const struct tui_scene *s, const struct tui_paper *p)
{
	int room = p->end - p->x - LABEL_W, n = (int)shown_lanes(s);

	if (n && room / n >= WIDE)
		return room / n < WIDE + 2 ? room / n : WIDE + 2;
	return n && room / n > LEAST ? room / n : LEAST;
}

static void draw(const struct tui_scene *s, struct tui_paper *p)
{
	int width;
	char name[TUI_NAME];

	p->x++;
	width = width_of(s, p);
	if (!shown_lanes(s)) {
		tui_say(p, TUI_DIM, "no workers yet");
		return;
	}
	tui_sayf(p, TUI_DIM, "who wakes whom: rows wake columns%s; %s",
		 width < WIDE ? " (digits of the count)" : "",
		 width < WIDE ? "the colour shows which were mostly in vain"
			      : "marked: at least half of them in vain");
	tui_put(p->g, p->end - 2, p->y - 1, s->look->wake_futile, TUI_FUTILE);
	put_head(s, p, width);
	if (p->y < p->bottom)
		put_row(s, p, width, "outside", -1);
	for (size_t i = s->view.first_lane; i < shown_lanes(s) && p->y < p->bottom; i++) {
		const struct doze_worker_view *w = &s->now.workers[s->now.lanes[i]];

		put_row(s, p, width, tui_worker_name(s, &w->key, name), (int32_t)w->key.row);
	}
}

const struct tui_pane_type tui_pane_matrix = {
    .name = "matrix",
    .what = "who wakes whom, in the whole session",
    .draw = draw,
};
