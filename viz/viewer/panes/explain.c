/*
 * SPDX-License-Identifier: MIT
 *
 * explain.c - explains what the selected worker is doing at the cursor, and why: its state,
 * the step that led to it, the rule that applied, the counters before and after, its waker and the
 * verdict.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../explain/symbols.h"
#include "../../words/event_text.h"
#include "../../words/units.h"
#include "../screen/phrases.h"
#include "panes.h"

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
static void say_waits(const struct tui_scene *s, struct tui_textbox *p,
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

/* Writes what a waiting thread of a program without libdoze waits on, and where. Only its latest
 * wait is known. */
static void say_wait(const struct tui_scene *s, struct tui_textbox *p,
		     const struct doze_worker_view *w, const struct tui_span *span)
{
	static const char *const objects[DOZE_WAIT_KIND_COUNT] = {
	    [DOZE_WAIT_cond] = "a condition variable",
	    [DOZE_WAIT_sem] = "a semaphore",
	    [DOZE_WAIT_futex] = "a futex",
	};
	const struct doze_pool_view *pool = tui_pool_of(s, &w->key);

	if (span->state != DOZE_STATE_sleeping || w->wait.kind == DOZE_WAIT_none || !pool)
		return;
	tui_sayf(p, TUI_PLAIN, "It waits on %s, in %s.", objects[w->wait.kind],
		 doze_symbols_line(tui_newest(s)->model, pool, w->wait.caller));
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

static void say_state(const struct tui_scene *s, struct tui_textbox *p,
		      const struct doze_worker_view *w, int64_t t)
{
	struct tui_span span = {.from = w->since, .to = s->now.clock, .state = (uint8_t)w->state};
	const struct tui_span *past = w->key.row < s->history->n_lanes
					  ? tui_span_at(&s->history->lanes[w->key.row], t)
					  : NULL;
	char text[TUI_SENTENCE], name[TUI_NAME];

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
		tui_sayf(p, TUI_DIM, "%s %s at %s.", tui_worker_name(s, &w->key, name),
			 tui_is_foreign(s) ? "ended" : "stopped",
			 doze_position(span.from - s->view.origin, 1000));
		return;
	}
	snprintf(text, sizeof text, "%s %s%s from %s%s%s.", tui_worker_name(s, &w->key, name),
		 tui_state_phrase(s, (enum doze_state)span.state),
		 span.unknown ? ", as far as is known," : "",
		 doze_position(span.from - s->view.origin, 1000),
		 span.to == span.from ? ""
		 : past               ? " for "
				      : ", so far for ",
		 span.to == span.from ? "" : tui_ns(s, span.to - span.from));
	tui_say(p, tui_state_style((enum doze_state)span.state), text);
	if (tui_is_foreign(s))
		say_wait(s, p, w, &span);
	else
		say_waits(s, p, w, &span);
}

static void say_step(const struct tui_scene *s, struct tui_textbox *p,
		     const struct doze_pool_view *pool, const struct tui_event *e)
{
	char text[TUI_SENTENCE], line[DOZE_EVENT_LINE], before[80], after[80];

	snprintf(text, sizeof text, "Its last step in the trace, at %s: %s.",
		 doze_position(e->at - s->view.origin, 1000), tui_event_line(s, e, true, line));
	tui_say(p, TUI_PLAIN, text);
	tui_say(p, TUI_PLAIN, doze_event_why(text, sizeof text, pool, &e->ev));
	if (!e->ev.has_words || !pool || doze_pool_is_crew(pool))
		return;
	doze_word_sentence(before, sizeof before, pool, e->ev.old_word);
	doze_word_sentence(after, sizeof after, pool, e->ev.new_word);
	if (e->ev.old_word == e->ev.new_word)
		snprintf(text, sizeof text, "Counters: %s; unchanged by this step.", before);
	else
		snprintf(text, sizeof text, "Counters before: %s; after: %s.", before, after);
	tui_say(p, TUI_DIM, text);
}

static void say_wake(const struct tui_scene *s, struct tui_textbox *p,
		     const struct doze_worker_view *w, int64_t t)
{
	const struct tui_ring *r;
	const struct tui_wake *item;
	const char *late = "unknown";
	char text[TUI_SENTENCE], who[TUI_NAME];
	const struct doze_wake *k;
	enum tui_style style;

	if (w->key.row >= s->history->n_lanes)
		return;
	r = &s->history->lanes[w->key.row].wakes;
	item = tui_ring_at(r, tui_ring_after(r, t) - 1);
	if (!item)
		return;
	k = &item->wake;
	if (tui_is_foreign(s))
		tui_waker_name(s, &k->target, k->waker, k->waker_vtid, who);
	else if (k->waker < 0)
		snprintf(who, sizeof who, "an outside thread (tid %d)", k->waker_vtid);
	else
		snprintf(who, sizeof who, "w%d", (int)k->waker);
	if (k->notified && k->awake)
		late = tui_ns(s, k->awake - k->notified);
	if (tui_is_foreign(s))
		snprintf(text, sizeof text,
			 "Last woken by %s%s%s (wake #%" PRIu64
			 ") at %s; from the call to awake: %s. %s",
			 who, k->caller ? " in " : "",
			 k->caller ? doze_symbols_line(tui_newest(s)->model,
						       tui_pool_of(s, &w->key), k->caller)
				   : "",
			 k->wake_id, doze_position(item->at - s->view.origin, 1000), late,
			 tui_verdict_meaning(s, k->verdict));
	else
		snprintf(text, sizeof text,
			 "Last woken by %s, for %s (wake #%" PRIu64 ", decision #%" PRIu64
			 ") at %s; notified to "
			 "awake: %s. Verdict: %s.",
			 who, doze_cause_name(k->cause), k->wake_id, k->decision_id,
			 doze_position(item->at - s->view.origin, 1000), late,
			 tui_verdict_word(s, k->verdict));
	(void)tui_wake_glyph(s->glyphs, k->verdict, &style);
	tui_say(p, style, text);
}

static void draw(const struct tui_scene *s, struct tui_textbox *p)
{
	const struct doze_worker_view *w = tui_selected(s);
	int64_t t = tui_view_focus(&s->view);
	const struct tui_event *e;

	p->x++;
	if (!w) {
		tui_sayf(p, TUI_DIM, "No %s is selected.", tui_is_foreign(s) ? "thread" : "worker");
		return;
	}
	say_state(s, p, w, t);
	e = event_before(s, w->key.row, t);
	if (e)
		say_step(s, p, tui_pool_of(s, &w->key), e);
	else
		tui_say(p, TUI_DIM,
			tui_is_foreign(s)
			    ? "The history has no event of this thread up to this time."
			    : "The history has no event for this worker up to this time.");
	say_wake(s, p, w, t);
}

const struct tui_pane_type tui_pane_explain = {
    .name = "explain",
    .what = "what the selected worker is doing at the cursor, and why",
    .draw = draw,
};
