/*
 * SPDX-License-Identifier: MIT
 *
 * pane_events.c - the event list and the wake ledger. Both end at the cursor, or at the end of the
 * visible part.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../text/units.h"
#include "clock.h"
#include "draw.h"

enum { TIME_W = 14, WHO_W = 8 };

/* ---- events ---- */

static bool event_shown(const struct tui_scene *s, const struct tui_event *e)
{
	return tui_view_shows(&s->view, e->ev.worker);
}

static enum tui_style event_style(const struct tui_event *e)
{
	switch (e->ev.kind) {
	case DOZE_EV_worker_state:
		return tui_state_style(e->ev.u.state.to);
	case DOZE_EV_wake:
	case DOZE_EV_woken:
		return TUI_WAKE;
	case DOZE_EV_mark:
	case DOZE_EV_pool_start:
	case DOZE_EV_pool_stop:
		return TUI_BOLD;
	default:
		return TUI_PLAIN;
	}
}

char *tui_event_line(const struct tui_scene *s, const struct tui_event *e, bool explained,
		     char *out)
{
	const struct doze_worker_key who = {
	    .host = e->ev.host, .vpid = e->ev.vpid, .pool = e->ev.pool};
	const struct doze_wording as = {.model = s->history->model,
					.pool = tui_pool_of(s, &who),
					.utf8 = s->look->micro[0] != 'u',
					.decisions = explained,
					.latch_ids = explained};

	return doze_event_text(out, DOZE_EVENT_LINE, &e->ev, &as, e->note[0] ? e->note : NULL);
}

static void draw_event(const struct tui_scene *s, struct tui_grid *g, int y,
		       const struct tui_event *e)
{
	char text[DOZE_EVENT_LINE], who[DOZE_WHO];

	tui_textf(g, 1, y, g->w, TUI_DIM, "%*s", TIME_W,
		  doze_position(e->at - s->view.origin, 1000));
	tui_text(g, 3 + TIME_W, y, g->w, TUI_PLAIN, doze_who_text(who, e->ev.worker));
	tui_text(g, 3 + TIME_W + WHO_W, y, g->w, event_style(e), tui_event_line(s, e, false, text));
}

/* Fills rows [y, y+n) with the shown events that end with number `last`. */
static void draw_events_up(const struct tui_scene *s, struct tui_grid *g, int y, int n, size_t last)
{
	const struct tui_ring *r = &s->history->events;
	int row = n;

	for (size_t i = last; row > 0 && i < r->count; i--) { /* i wraps to SIZE_MAX below 0 */
		const struct tui_event *e = tui_ring_at(r, i);

		if (event_shown(s, e))
			draw_event(s, g, y + --row, e);
	}
}

void tui_pane_events(const struct tui_scene *s, struct tui_grid *g, int y, int n)
{
	const struct tui_ring *r = &s->history->events;
	size_t last = tui_ring_after(r, tui_view_focus(&s->view)) - 1;
	int above = s->view.at.has_cursor && n > 2 ? n - n / 3 : n, row = above;

	draw_events_up(s, g, y, above, last);
	if (s->view.at.has_cursor && last < r->count)
		tui_put(g, 0, y + above - 1, '>', TUI_BOLD);
	for (size_t i = last + 1; row < n && i < r->count; i++) {
		const struct tui_event *e = tui_ring_at(r, i);

		if (e->at > s->now.clock)
			break;
		if (event_shown(s, e))
			draw_event(s, g, y + row++, e);
	}
	if (r->count == 0)
		tui_text(g, 2, y, g->w, TUI_DIM, "no events yet");
}

/* ---- the wake ledger ---- */

static int newest_first(const void *a, const void *b)
{
	const struct tui_wake *const *wa = a, *const *wb = b;

	return ((*wa)->at < (*wb)->at) - ((*wa)->at > (*wb)->at);
}

/* Collects the last n wakes of all shown lanes up to the focus; returns their number. */
static size_t collect_wakes(const struct tui_scene *s, const struct tui_wake **out, size_t n)
{
	size_t found = 0;

	for (size_t i = 0; i < s->now.n_lanes; i++) {
		const struct tui_ring *r;
		size_t end;

		if (s->now.lanes[i] >= s->history->n_lanes)
			continue;
		r = &s->history->lanes[s->now.lanes[i]].wakes;
		end = tui_ring_after(r, tui_view_focus(&s->view));
		for (size_t k = 0; k < n && k < end; k++)
			out[found++] = tui_ring_at(r, end - 1 - k);
	}
	return found;
}

static void put_span(const struct tui_scene *s, struct tui_grid *g, int x, int y, const char *name,
		     int64_t from, int64_t to)
{
	char text[24];

	if (from && to)
		tui_textf(g, x, y, g->w, TUI_PLAIN, "%s %s", name,
			  tui_duration(text, sizeof text, to - from, s->look->micro));
}

static void draw_wake(const struct tui_scene *s, struct tui_grid *g, int y,
		      const struct tui_wake *item)
{
	const struct doze_wake *w = &item->wake;
	char from[DOZE_WHO], to[DOZE_WHO];
	enum tui_style style;
	uint32_t ch = tui_wake_glyph(s->look, w->verdict, &style);
	int x = tui_textf(g, 1, y, g->w, TUI_DIM, "%*s", TIME_W,
			  doze_position(item->at - s->view.origin, 1000));

	tui_put(g, x + 1, y, ch, style);
	x = tui_textf(g, x + 3, y, g->w, TUI_PLAIN, "%-7s ", doze_who_text(from, w->waker));
	tui_put(g, x, y, s->look->arrow, TUI_PLAIN);
	x = tui_textf(g, x + 2, y, g->w, TUI_PLAIN, "%-4s %-10s ",
		      doze_who_text(to, w->target.index), doze_cause_name(w->cause));
	x = tui_textf(g, x, y, g->w, style, "%-10s ", doze_verdict_name(w->verdict));
	put_span(s, g, x, y, "awake", w->notified, w->awake);
	put_span(s, g, x + 15, y, "job", w->awake, w->first_job);
	tui_textf(g, x + 28, y, g->w, TUI_DIM, "#%" PRIu64, w->wake_id);
}

void tui_pane_wakes(const struct tui_scene *s, struct tui_grid *g, int y, int n)
{
	size_t rows = n > 0 ? (size_t)n : 0, found;
	const struct tui_wake **list = malloc((rows * s->now.n_lanes + 1) * sizeof *list);

	if (!list)
		return;
	found = collect_wakes(s, list, rows);
	qsort(list, found, sizeof *list, newest_first);
	for (size_t i = 0; i < found && i < rows; i++)
		draw_wake(s, g, y + n - 1 - (int)i, list[i]);
	if (!found)
		tui_text(g, 2, y, g->w, TUI_DIM, "no wakes up to this time");
	free(list);
}
