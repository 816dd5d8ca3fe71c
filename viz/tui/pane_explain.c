/*
 * SPDX-License-Identifier: MIT
 *
 * pane_explain.c - explains what the selected worker is doing at the cursor, and why: its state,
 * the step that led to it, the rule that applied, the counters before and after, its waker and the
 * verdict.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../text/event_why.h"
#include "../text/units.h"
#include "clock.h"
#include "event_rows.h"
#include "panes.h"
#include "words.h"

/* Returns the worker's newest event at or before t, or null. */
static const struct tui_event *event_before(const struct tui_scene *s, uint32_t row, int64_t t)
{
	const struct tui_ring *r = &s->history->events;

	for (size_t i = tui_ring_after(r, t); i-- > 0;) {
		const struct tui_event *e = tui_ring_at(r, i);

		if (e->row == (int32_t)row && e->ev.kind != DOZE_EV_snapshot)
			return e;
	}
	return NULL;
}

/* Returns the latch on which the worker fell asleep at `from`, or 0 if it waits only for the pool's
 * termination. */
static uint64_t latch_of(const struct tui_scene *s, const struct doze_worker_view *w, int64_t from)
{
	const struct tui_ring *r = &s->history->events;

	for (size_t i = tui_ring_after(r, from); i-- > 0;) {
		const struct doze_event *e = &((const struct tui_event *)tui_ring_at(r, i))->ev;

		if (e->kind != DOZE_EV_latch || e->u.latch.owner != w->key.index ||
		    ((const struct tui_event *)tui_ring_at(r, i))->row != (int32_t)w->key.row)
			continue;
		return e->u.latch.to == DOZE_LATCH_sleeping &&
			       e->u.latch.kind != DOZE_LATCH_KIND_terminate
			   ? e->u.latch.id
			   : 0;
	}
	return 0;
}

/* Writes what a blocked or sleeping worker waits for. */
static void say_waits(const struct tui_scene *s, struct tui_paper *p,
		      const struct doze_worker_view *w, const struct tui_span *span)
{
	uint64_t latch = span->state == DOZE_STATE_sleeping ? latch_of(s, w, span->from) : 0;
	char name[DOZE_LATCH_NAME];

	if (span->state == DOZE_STATE_blocked)
		tui_say(p, TUI_PLAIN,
			"Its job called doze_mark_blocked: it waits for something outside the "
			"pool, which the trace does not record.");
	else if (latch)
		tui_sayf(p, TUI_PLAIN,
			 "It waits for latch %s, which the thread that finishes its "
			 "job sets.",
			 doze_model_latch_name(tui_newest(s)->model, tui_pool_of(s, &w->key), latch,
					       name));
}

/* Returns when the worker entered the state of a span. In a trace that ends early, the time after
 * the last snapshot is a separate span, although the state is older. */
static int64_t began(const struct tui_scene *s, const struct doze_worker_view *w,
		     const struct tui_span *span)
{
	const struct tui_span *before =
	    span->unknown ? tui_span_at(&s->history->lanes[w->key.row], span->from - 1) : NULL;

	return before && before->state == span->state ? before->from : span->from;
}

static void say_state(const struct tui_scene *s, struct tui_paper *p,
		      const struct doze_worker_view *w, int64_t t)
{
	struct tui_span span = {.from = w->since, .to = s->now.clock, .state = (uint8_t)w->state};
	const struct tui_span *past = w->key.row < s->history->n_lanes
					  ? tui_span_at(&s->history->lanes[w->key.row], t)
					  : NULL;
	char text[TUI_SENTENCE], len[32];

	/* At the end of a recording, the worker's last state has lasted for no time, so show the
	 * state before it. */
	if (!past && w->since >= s->now.clock && w->key.row < s->history->n_lanes)
		past = tui_span_at(&s->history->lanes[w->key.row], t - 1);
	if (past && past->from <= s->now.clock) {
		span = *past;
		span.from = began(s, w, past);
	} else if (t < w->since) {
		return;
	}
	if (span.state == DOZE_STATE_stopped) {
		tui_sayf(p, TUI_DIM, "w%d stopped at %s.", (int)w->key.index,
			 doze_position(span.from - s->view.origin, 1000));
		return;
	}
	snprintf(text, sizeof text, "w%d %s%s from %s%s%s.", (int)w->key.index,
		 tui_state_phrase((enum doze_state)span.state),
		 span.unknown ? ", as far as is known," : "",
		 doze_position(span.from - s->view.origin, 1000),
		 span.to == span.from ? ""
		 : past               ? " for "
				      : ", so far for ",
		 span.to == span.from
		     ? ""
		     : tui_duration(len, sizeof len, span.to - span.from, s->look->micro));
	tui_say(p, tui_state_style((enum doze_state)span.state), text);
	say_waits(s, p, w, &span);
}

static void say_step(const struct tui_scene *s, struct tui_paper *p,
		     const struct doze_pool_view *pool, const struct tui_event *e)
{
	char text[TUI_SENTENCE], line[DOZE_EVENT_LINE], before[80], after[80];

	snprintf(text, sizeof text, "Its last step in the trace, at %s: %s.",
		 doze_position(e->at - s->view.origin, 1000), tui_event_line(s, e, true, line));
	tui_say(p, TUI_PLAIN, text);
	tui_say(p, TUI_PLAIN, doze_event_why(text, sizeof text, pool, &e->ev));
	if (!e->ev.has_words || !pool)
		return;
	doze_word_sentence(before, sizeof before, pool, e->ev.old_word);
	doze_word_sentence(after, sizeof after, pool, e->ev.new_word);
	if (e->ev.old_word == e->ev.new_word)
		snprintf(text, sizeof text, "Counters: %s; unchanged by this step.", before);
	else
		snprintf(text, sizeof text, "Counters before: %s; after: %s.", before, after);
	tui_say(p, TUI_DIM, text);
}

static void say_wake(const struct tui_scene *s, struct tui_paper *p,
		     const struct doze_worker_view *w, int64_t t)
{
	const struct tui_ring *r;
	const struct tui_wake *item;
	char text[TUI_SENTENCE], late[32] = "unknown", who[32];
	const struct doze_wake *k;
	enum tui_style style;

	if (w->key.row >= s->history->n_lanes)
		return;
	r = &s->history->lanes[w->key.row].wakes;
	item = tui_ring_at(r, tui_ring_after(r, t) - 1);
	if (!item)
		return;
	k = &item->wake;
	if (k->waker < 0)
		snprintf(who, sizeof who, "an outside thread (tid %d)", k->waker_vtid);
	else
		snprintf(who, sizeof who, "w%d", (int)k->waker);
	if (k->notified && k->awake)
		tui_duration(late, sizeof late, k->awake - k->notified, s->look->micro);
	snprintf(text, sizeof text,
		 "Last woken by %s, for %s (wake #%" PRIu64 ", decision #%" PRIu64
		 ") at %s; notified to "
		 "awake: %s. Verdict: %s.",
		 who, doze_cause_name(k->cause), k->wake_id, k->decision_id,
		 doze_position(item->at - s->view.origin, 1000), late,
		 tui_verdict_word(k->verdict));
	(void)tui_wake_glyph(s->look, k->verdict, &style);
	tui_say(p, style, text);
}

static void draw(const struct tui_scene *s, struct tui_paper *p)
{
	const struct doze_worker_view *w = tui_selected(s);
	int64_t t = tui_view_focus(&s->view);
	const struct tui_event *e;

	p->x++;
	if (!w) {
		tui_say(p, TUI_DIM, "No worker is selected.");
		return;
	}
	say_state(s, p, w, t);
	e = event_before(s, w->key.row, t);
	if (e)
		say_step(s, p, tui_pool_of(s, &w->key), e);
	else
		tui_say(p, TUI_DIM, "The history has no event for this worker up to this time.");
	say_wake(s, p, w, t);
}

const struct tui_pane_type tui_pane_explain = {
    .name = "explain",
    .what = "what the selected worker is doing at the cursor, and why",
    .draw = draw,
};
