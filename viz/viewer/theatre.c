/*
 * SPDX-License-Identifier: MIT
 *
 * theatre.c - see theatre.h.
 */
#include "theatre.h"

#include <stdio.h>

#include "jumps.h"
#include "panes.h"
#include "words.h"

enum { SLOWEST = 100000, FASTEST = 10, PERFORMANCE_S = 8, MARGIN = 8 };

/* Returns the factor, a power of ten, that slows the span down to about PERFORMANCE_S seconds. */
static int64_t speed_for(int64_t span)
{
	int64_t slow = FASTEST;

	while (slow < SLOWEST && span * slow < PERFORMANCE_S * INT64_C(1000000000) / 3)
		slow *= 10;
	return slow;
}

/* Zooms until the span fills most of the window, and puts the cursor at its beginning. */
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
	s->stop = (struct tui_stop){.at = t->storm.to, .why = "the end of the storm"};
	v->playing = true;
	tui_pane_show(s, TUI_PANE_storms);
	v->list[TUI_PANE_storms] =
	    (struct tui_list_place){.held = true, .open = true, .id = number};
}

enum tui_answer tui_theatre_storm(struct tui_scene *s, int key)
{
	const struct tui_ring *r = &tui_newest(s)->storms;
	int64_t t = tui_view_focus(&s->view);
	bool forward = key == 's';
	size_t i = forward ? tui_ring_after(r, t) : tui_ring_after(r, t - 1) - 1;
	const struct tui_storm *item = tui_ring_at(r, i);

	/* no later storm (or no earlier one): continue with the first (or the last) storm */
	if (!item) {
		i = forward ? 0 : r->count - 1;
		item = tui_ring_at(r, i);
		if (item)
			tui_say_wrapped(s, forward, "storm");
	}
	if (item && item->storm.to <= s->now.clock)
		perform(s, item, r->dropped + i);
	else
		snprintf(s->message, sizeof s->message, "no storm so far");
	return TUI_GO_ON;
}

/* Makes `at` the next stop if it is after t and earlier than the stop found so far. */
static void consider(struct tui_stop *stop, int64_t t, int64_t at, const char *what,
		     const char *whose)
{
	if (at <= t || (stop->at && at >= stop->at))
		return;
	stop->at = at;
	snprintf(stop->why, sizeof stop->why, "%s%.50s", what, whose);
}

/* Considers the times at which verdicts become known: when the woken worker falls asleep again or
 * runs a job. */
static void consider_verdicts(const struct tui_scene *s, struct tui_stop *stop, int64_t t)
{
	for (size_t lane = 0; lane < s->now.n_lanes; lane++) {
		const struct tui_ring *r = &s->history->lanes[s->now.lanes[lane]].wakes;
		size_t i = tui_ring_after(r, t);

		for (i -= i > 0; i < r->count && i < tui_ring_after(r, t) + 1; i++) {
			const struct tui_wake *w = tui_ring_at(r, i);
			char name[TUI_NAME], what[TUI_NAME + 20];

			if (w->wake.verdict == DOZE_VERDICT_open)
				continue;
			snprintf(what, sizeof what, "%s: %s",
				 tui_worker_name(s, &w->wake.target, name),
				 w->wake.verdict == DOZE_VERDICT_futile
				     ? "in vain"
				     : tui_verdict_word(s, w->wake.verdict));
			consider(stop, t, w->wake.ended, "the verdict on the wake of ", what);
		}
	}
}

/* Returns the first place after the cursor at which there is a finding, a verdict or the end of a
 * storm. If there is none, returns zeros. */
static struct tui_stop next_stop(const struct tui_scene *s)
{
	const struct tui_history *h = s->history;
	int64_t t = tui_view_focus(&s->view);
	const struct tui_finding *f = tui_ring_at(&h->findings, tui_ring_after(&h->findings, t));
	struct tui_stop stop = {0};

	if (f)
		consider(&stop, t, f->at, "the finding ", f->finding.rule);
	for (size_t i = 0; i < h->storms.count; i++) {
		const struct tui_storm *storm = tui_ring_at(&h->storms, i);

		consider(&stop, t, storm->storm.to, "the end of a storm", "");
	}
	consider_verdicts(s, &stop, t);
	return stop;
}

enum tui_answer tui_theatre_speed(struct tui_scene *s, int key)
{
	struct tui_view *v = &s->view;

	if (!v->slow)
		v->slow = FASTEST;
	else if (!v->playing)
		; /* slow motion is only paused: resume at the same speed */
	else if (key == '<' && v->slow < SLOWEST)
		v->slow *= 10;
	else if (key == '>' && v->slow > FASTEST)
		v->slow /= 10;
	if (!v->at.has_cursor)
		tui_view_goto(v, tui_view_left(v));
	s->stop = next_stop(s);
	v->stop_at = s->stop.at;
	v->playing = true;
	return TUI_GO_ON;
}
