/*
 * SPDX-License-Identifier: MIT
 *
 * theatre.c - see theatre.h.
 */
#include "theatre.h"

#include <stdio.h>

#include "panes.h"
#include "words.h"

enum { SLOWEST = 100000, FASTEST = 10, PERFORMANCE_S = 8, MARGIN = 8 };

/* The speed with which a span takes about PERFORMANCE_S seconds: a power of ten. */
static int64_t speed_for(int64_t span)
{
	int64_t slow = FASTEST;

	while (slow < SLOWEST && span * slow < PERFORMANCE_S * INT64_C(1000000000) / 3)
		slow *= 10;
	return slow;
}

/* Zooms until the span has most of the window, and puts the cursor at its beginning. */
static void stage(struct tui_view *v, int64_t from, int64_t to)
{
	tui_view_remember(v);
	tui_view_goto(v, from);
	while ((to - from) < v->at.per_cell * v->cells / 2) {
		int64_t before = v->at.per_cell;

		tui_view_zoom(v, 1);
		if (v->at.per_cell == before)
			break;
	}
	while ((to - from) > v->at.per_cell * (v->cells - 2 * MARGIN)) {
		int64_t before = v->at.per_cell;

		tui_view_zoom(v, -1);
		if (v->at.per_cell == before)
			break;
	}
	tui_view_pan(v, (from - v->at.per_cell * MARGIN - tui_view_left(v)) / v->at.per_cell);
	tui_view_goto(v, from);
}

static void perform(struct tui_scene *s, const struct tui_storm *t, uint64_t number)
{
	struct tui_view *v = &s->view;

	stage(v, t->at, t->storm.to);
	v->paused = s->status.live;
	v->slow = speed_for(t->storm.to - t->at);
	v->stop_at = t->storm.to;
	v->playing = true;
	tui_pane_show(s, TUI_PANE_storms);
	v->list[TUI_PANE_storms] =
	    (struct tui_list_place){.held = true, .open = true, .id = number};
}

enum tui_answer tui_theatre_storm(struct tui_scene *s, int key)
{
	const struct tui_ring *r = &s->history->storms;
	int64_t t = tui_view_focus(&s->view);
	bool forward = key == 's';
	size_t i = forward ? tui_ring_after(r, t) : tui_ring_after(r, t - 1) - 1;
	const struct tui_storm *item = tui_ring_at(r, i);

	if (!item) { /* a view that follows is after all storms */
		i = forward ? 0 : r->count - 1;
		item = tui_ring_at(r, i);
		if (item)
			snprintf(s->message, sizeof s->message,
				 "the %s storm: there is none %s here", forward ? "first" : "last",
				 forward ? "after" : "before");
	}
	if (item && item->storm.to <= s->now.clock)
		perform(s, item, r->dropped + i);
	else
		snprintf(s->message, sizeof s->message, "no storm so far");
	return TUI_GO_ON;
}

enum tui_answer tui_theatre_speed(struct tui_scene *s, int key)
{
	struct tui_view *v = &s->view;

	if (!v->slow)
		v->slow = FASTEST;
	else if (key == '<' && v->slow < SLOWEST)
		v->slow *= 10;
	else if (key == '>' && v->slow > FASTEST)
		v->slow /= 10;
	if (!v->at.has_cursor)
		tui_view_goto(v, tui_view_left(v));
	v->playing = true;
	return TUI_GO_ON;
}
