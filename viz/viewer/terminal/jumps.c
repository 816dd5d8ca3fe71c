/*
 * SPDX-License-Identifier: MIT
 *
 * jumps.c - the keys that jump to an event, a transition, a storm or a mark, and those that play a
 * storm in slow motion: see keys.h.
 */
#include "keys.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../words/option_values.h"
#include "../panes/panes.h"
#include "../screen/phrases.h"

static void jump(struct tui_scene *s, bool found, int64_t t, const char *what)
{
	if (!found) {
		snprintf(s->message, sizeof s->message, "no %s in that direction", what);
		return;
	}
	tui_view_remember(&s->view);
	tui_view_goto(&s->view, t);
}

/* Returns the next matching event from the focus, forward or backward, or null. */
static const struct tui_event *next_event(const struct tui_scene *s, bool forward,
					  bool (*fits)(const struct tui_scene *,
						       const struct tui_event *))
{
	const struct tui_ring *r = &s->history->events;
	int64_t t = tui_view_focus(&s->view);
	size_t i = forward ? tui_ring_after(r, t) : tui_ring_after(r, t - 1) - 1;

	for (; i < r->count; i += forward ? 1 : (size_t)-1) {
		const struct tui_event *e = tui_ring_at(r, i);

		if (e->at <= s->now.clock && fits(s, e))
			return e;
	}
	return NULL;
}

/* Zooms by one step. Returns false if the view cannot zoom further. */
static bool zoom(struct tui_view *v, int by)
{
	int64_t before = v->at.per_cell;

	tui_view_zoom(v, by);
	return v->at.per_cell != before;
}

/* Moves the cursor to a time. If the new time is in the same column, zooms in until the move is
 * visible. */
static void step(struct tui_scene *s, bool found, int64_t to, const char *what)
{
	int64_t from = tui_view_focus(&s->view), by = to > from ? to - from : from - to;

	jump(s, found, to, what);
	while (found && by > 0 && by < s->view.at.per_cell && zoom(&s->view, 1))
		;
}

enum tui_answer tui_jump_event(struct tui_scene *s, int key)
{
	const struct tui_event *e = next_event(s, key == ']', tui_event_shown);

	step(s, e != NULL, e ? e->at : 0, "event");
	return TUI_GO_ON;
}

/* Shows the message that a search has wrapped around: to the first `what` (a noun) if forward,
 * otherwise to the last one. */
static void say_wrapped(struct tui_scene *s, bool forward, const char *what)
{
	snprintf(s->message, sizeof s->message, "no %s %s this point: this is the %s one", what,
		 forward ? "after" : "before", forward ? "first" : "last");
}

/* Returns the next match among the matches on disk whose events are no longer in memory, or
 * null. */
static const struct tui_event *disk_match(const struct tui_scene *s, bool forward)
{
	const struct tui_ring *r = &s->found.disk;
	int64_t t = tui_view_focus(&s->view);

	return tui_ring_at(r, forward ? tui_ring_after(r, t) : tui_ring_after(r, t - 1) - 1);
}

/* While the screen shows a part read from disk, returns the next match in the main history, or
 * null. */
static const struct tui_event *newest_match(const struct tui_scene *s, bool forward)
{
	const struct tui_ring *r = &tui_newest(s)->events;
	const struct tui_list *f = &s->found.numbers;
	int64_t t = tui_view_focus(&s->view);
	const struct tui_event *last = NULL;

	for (size_t i = 0; i < f->count; i++) {
		if (f->item[i].id < r->dropped ||
		    (forward ? f->item[i].at <= t : f->item[i].at >= t))
			continue;
		last = tui_ring_at(r, (size_t)(f->item[i].id - r->dropped));
		if (forward)
			break;
	}
	return last;
}

/* Returns the event that comes first in the given direction. Either event may be null. */
static const struct tui_event *nearer(const struct tui_event *a, const struct tui_event *b,
				      bool forward)
{
	if (!a || !b)
		return a ? a : b;
	return (a->at < b->at) == forward ? a : b;
}

/* Returns the first match of the history, or null. Used while the view follows the end, because no
 * event is later than its focus. */
static const struct tui_event *first_match(const struct tui_scene *s)
{
	const struct tui_ring *r = &s->history->events;

	for (size_t i = 0; i < r->count; i++) {
		const struct tui_event *e = tui_ring_at(r, i);

		if (e->at <= s->now.clock && tui_search_matches(s, e))
			return e;
	}
	return NULL;
}

enum tui_answer tui_jump_search_again(struct tui_scene *s, int key)
{
	const struct tui_event *e;
	bool wrapped = false;

	if (!s->view.search[0])
		return TUI_GO_ON;
	e = next_event(s, key == 'n', tui_search_matches);
	e = nearer(e, disk_match(s, key == 'n'), key == 'n');
	if (s->history != tui_newest(s))
		e = nearer(e, newest_match(s, key == 'n'), key == 'n');
	if (!e && key == 'n' && (e = first_match(s)))
		wrapped = true;
	jump(s, e != NULL, e ? e->at : 0, "match");
	if (wrapped)
		say_wrapped(s, true, "match");
	return TUI_GO_ON;
}

static bool last_span_before(const struct tui_ring *r, int64_t t, int64_t *from)
{
	for (size_t i = tui_ring_after(r, t); i != (size_t)-1; i--) {
		const struct tui_span *span = tui_ring_at(r, i);

		if (span && span->from < t) {
			*from = span->from;
			return true;
		}
	}
	return false;
}

static bool first_span_after(const struct tui_ring *r, int64_t t, int64_t *from)
{
	for (size_t i = tui_ring_after(r, t); i < r->count; i++) {
		const struct tui_span *span = tui_ring_at(r, i);

		if (span->from > t) {
			*from = span->from;
			return true;
		}
	}
	return false;
}

/* Considers the worker's current state as well, which is not yet a span in the history. */
bool tui_transition_of(const struct tui_scene *s, const struct doze_worker_view *w, bool forward,
		       int64_t t, int64_t *to)
{
	static const struct tui_ring none;
	bool started = w->state != DOZE_STATE_none;
	const struct tui_ring *r =
	    w->key.row < s->history->n_lanes ? &s->history->lanes[w->key.row].spans : &none;

	*to = w->since;
	if (forward)
		return first_span_after(r, t, to) || (started && w->since > t);
	return (started && w->since < t) || last_span_before(r, t, to);
}

enum tui_answer tui_jump_transition(struct tui_scene *s, int key)
{
	const struct doze_worker_view *w = tui_selected(s);
	int64_t to = 0;
	bool found = w && tui_transition_of(s, w, key == '.', tui_view_focus(&s->view), &to);

	step(s, found && to <= s->now.clock, to, "transition");
	return TUI_GO_ON;
}

enum tui_answer tui_jump_bookmark(struct tui_scene *s, int key)
{
	(void)key;
	tui_view_bookmark(&s->view, tui_view_focus(&s->view));
	return TUI_GO_ON;
}

/* Moves to the next bookmark or program mark after the focus, or to the first one if there is
 * none. */
enum tui_answer tui_jump_next_mark(struct tui_scene *s, int key)
{
	const struct tui_ring *r = &tui_newest(s)->marks;
	int64_t t = tui_view_focus(&s->view), best = INT64_MAX, first = INT64_MAX;

	(void)key;
	for (size_t i = 0; i < r->count + s->view.n_bookmarks; i++) {
		int64_t at = i < r->count ? ((struct tui_event *)tui_ring_at(r, i))->at
					  : s->view.bookmarks[i - r->count];

		if (at > t && at < best)
			best = at;
		if (at < first)
			first = at;
	}
	jump(s, first != INT64_MAX, best != INT64_MAX ? best : first, "mark");
	return TUI_GO_ON;
}

/* About 36 years. A limit for times, so that positions of the window cannot overflow. */
#define TIME_MAX (INT64_C(1) << 60)

/* Parses "H:MM:SS", "MM:SS" or a duration, into ns. */
static bool parse_time(const char *text, int64_t *ns)
{
	int64_t sum = 0, last;
	const char *part = text, *colon;

	for (; (colon = strchr(part, ':')); part = colon + 1) {
		char *end;
		unsigned long n = strtoul(part, &end, 10);

		if (end != colon || !isdigit((unsigned char)*part) || n > 100000 || sum > 100000000)
			return false;
		sum = 60 * (sum + (int64_t)n);
	}
	if (doze_check_duration(part, &last) || last > TIME_MAX || sum > TIME_MAX / 1000000000)
		return false;
	*ns = sum * 1000000000 + last;
	return true;
}

void tui_jump_time(struct tui_scene *s, const char *text)
{
	int64_t ns;

	if (!parse_time(text, &ns)) {
		snprintf(s->message, sizeof s->message, "not a time: %.60s", text);
		return;
	}
	tui_view_remember(&s->view);
	if (s->view.at.fit)
		tui_view_frame(&s->view, s->view.origin + ns, INT64_C(4000000000), 2);
	else
		tui_view_goto(&s->view, s->view.origin + ns);
}

/* ---- slow motion ---- */

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
	while (to - from < v->at.per_cell * v->cells / 2 && zoom(v, 1))
		;
	while (to - from > v->at.per_cell * (v->cells - 2 * MARGIN) && zoom(v, -1))
		;
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

enum tui_answer tui_slow_motion_storm(struct tui_scene *s, int key)
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
			say_wrapped(s, forward, "storm");
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

enum tui_answer tui_slow_motion_speed(struct tui_scene *s, int key)
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
