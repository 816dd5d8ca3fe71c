/*
 * SPDX-License-Identifier: MIT
 *
 * story.c - shows one line per decision: what the waker did, which workers it woke, and the
 * results. Enter shows the fan-out, the cost, the rule, and what other policies would have done.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../explain/symbols.h"
#include "../../trace/policies.h"
#include "../../words/event_text.h"
#include "../../words/units.h"
#include "../screen/header.h"
#include "../screen/phrases.h"
#include "panes.h"

/* Number of columns for a worker's name and for its result. If there is less room, only the number
 * of woken workers is shown. */
enum { NAME_COLUMNS = 4, OUTCOME_COLUMNS = 17 };

/* Id of a row that reports a hang. Such a row has no decision. */
#define HANG_ROW UINT64_MAX

static void list(const struct tui_scene *s, int order, struct tui_list *l)
{
	const struct tui_ring *r = &s->history->decisions.ring;
	struct doze_hang hang;
	bool hangs = tui_hang_at_focus(s, &hang);
	struct tui_item hang_row = {
	    .at = hangs ? hang.since : 0, .id = HANG_ROW, .sort = INT64_MAX};
	size_t i = 0;

	for (; i < r->count; i++) {
		const struct tui_decision *d = tui_ring_at(r, i);
		int64_t futile = d->verdicts[DOZE_VERDICT_futile];

		if (hangs && d->at > hang.since) {
			tui_list_add(l, hang_row);
			hangs = false;
		}
		if (tui_decision_shown(s, d))
			tui_list_add(l, (struct tui_item){.at = d->at,
							  .id = d->number,
							  .sort = order == 1 ? futile : d->searched,
							  .what = d});
	}
	if (hangs)
		tui_list_add(l, hang_row);
}

static void draw_hang(const struct tui_scene *s, struct tui_grid *g, int x, int y, int end)
{
	struct doze_hang hang;

	if (!tui_hang_at_focus(s, &hang))
		return;
	x = tui_put_time(s, g, x, y, hang.since);
	tui_textf(g, x, y, end, TUI_ALARM, "hang: %s", hang.why);
}

/* Writes the number of wakes per verdict, such as "▲5 △3", for a decision that woke more workers
 * than the row has room to name. */
static int put_herd(const struct tui_scene *s, const struct tui_decision *d, struct tui_grid *g,
		    int x, int y, int end)
{
	for (int v = DOZE_VERDICT_COUNT - 1; v >= 0; v--) {
		enum tui_style style;
		uint32_t ch = tui_wake_glyph(s->glyphs, (enum doze_verdict)v, &style);

		if (!d->verdicts[v])
			continue;
		tui_put(g, x, y, ch, style);
		x = tui_textf(g, x + 1, y, end, style, "%" PRIu32, d->verdicts[v]) + 1;
	}
	return x;
}

static int put_targets(const struct tui_scene *s, const struct tui_decision *d, struct tui_grid *g,
		       int x, int y, int end)
{
	char name[TUI_NAME];
	uint32_t i = 0;

	for (; i < d->targets && x + 4 < end; i++) {
		const struct tui_target *t = &d->target[i];
		const struct doze_worker_key k = tui_decision_key(d, t->index);
		enum tui_style style;
		uint32_t ch = tui_wake_glyph(s->glyphs, (enum doze_verdict)t->verdict, &style);

		tui_put(g, x, y, ch, style);
		x = tui_text(g, x + 1, y, end, style,
			     t->index < 0 ? (tui_is_foreign(s) ? "one" : "a sleeper")
					  : tui_worker_name(s, &k, name)) +
		    1;
	}
	if (d->wakes > i)
		x = tui_textf(g, x, y, end, TUI_PLAIN, "+%" PRIu32, d->wakes - i) + 1;
	return x;
}

static void row(const struct tui_scene *s, const struct tui_item *item, struct tui_grid *g, int x,
		int y, int end)
{
	const struct tui_decision *d = item->what;
	char text[DOZE_EVENT_LINE];
	enum tui_style style = TUI_DIM;
	bool futile = d && d->verdicts[DOZE_VERDICT_futile] > 0;

	if (!d) {
		draw_hang(s, g, x, y, end);
		return;
	}
	x = tui_put_time(s, g, x, y, d->at);
	x = tui_text(g, x, y, end, d->wakes ? TUI_PLAIN : TUI_DIM, tui_deed(s, d, text)) + 1;
	if (d->wakes) {
		tui_put(g, x, y, s->glyphs->arrow, TUI_PLAIN);
		x = x + 2 + NAME_COLUMNS * (int)d->wakes + OUTCOME_COLUMNS > end
			? put_herd(s, d, g, x + 2, y, end)
			: put_targets(s, d, g, x + 2, y, end);
		style = futile ? TUI_FUTILE : TUI_PLAIN;
	} else {
		x = tui_text(g, x - 1, y, end, TUI_DIM, ", wakes nobody:") + 1;
	}
	tui_text(g, x, y, end, style, tui_outcome(s, d, text));
}

static const char *empty(const struct tui_scene *s)
{
	return s->now.totals.events ? "no decision to wake a worker yet"
				    : "no event yet: the program has not started a doze pool";
}

/* ---- the page of a decision ---- */

static void say_post(const struct tui_scene *s, const struct tui_decision *d, struct tui_textbox *p)
{
	char deed[DOZE_EVENT_LINE], saw[80] = "";

	if (tui_is_foreign(s)) {
		tui_sayf(p, TUI_BOLD, "At %s %s wakes %s.", tui_ns(s, d->at - s->view.origin),
			 tui_deed(s, d, deed), doze_plural(d->wakes, "thread"));
		return;
	}
	if (d->posted && d->sleeping >= 0)
		snprintf(saw, sizeof saw, " It sees %" PRId32 " searching and %" PRId32 " asleep.",
			 d->idle < 0 ? 0 : d->idle, d->sleeping);
	tui_sayf(p, TUI_BOLD, "At %s %s%s%s.%s", tui_ns(s, d->at - s->view.origin),
		 tui_deed(s, d, deed), d->posted ? " to the queue " : "",
		 d->posted ? doze_queue_name(d->queue) : "", saw);
}

static void say_line(const struct tui_scene *s, const struct tui_decision *d, struct tui_textbox *p)
{
	const char *line =
	    doze_symbols_posted(tui_newest(s)->model, tui_decision_pool(s, d), d->caller);

	if (*line)
		tui_sayf(p, TUI_PLAIN, "P%s.", line + strlen(", p"));
}

static void say_cost(const struct tui_scene *s, const struct tui_decision *d, struct tui_textbox *p)
{
	if (d->verdicts[DOZE_VERDICT_futile] && !tui_is_foreign(s))
		tui_sayf(p, TUI_FUTILE,
			 "Cost: %s of futile search by %" PRIu32 " of %" PRIu32 " woken.",
			 tui_ns(s, d->searched), d->verdicts[DOZE_VERDICT_futile], d->wakes);
}

static void say_rule(const struct tui_scene *s, const struct tui_decision *d, struct tui_textbox *p)
{
	const struct doze_pool_view *pool = tui_decision_pool(s, d);
	struct doze_event post = {.kind = DOZE_EV_post};
	char text[TUI_SENTENCE];

	if (!d->posted || !pool || !doze_event_why(text, sizeof text, pool, &post)[0])
		return;
	if (tui_is_foreign(s))
		tui_say(p, TUI_PLAIN, text);
	else
		tui_sayf(p, TUI_PLAIN, "Rule of %s: %s", pool->policy, text);
}

/* Returns how many workers of the decision's pool were in a state when the decision was made, as
 * far as the history shows. */
static uint32_t count_at(const struct tui_scene *s, const struct tui_decision *d,
			 enum doze_state state)
{
	uint32_t n = 0;

	for (size_t row = 0; row < s->now.n_workers && row < s->history->n_lanes; row++) {
		const struct doze_worker_key *k = &s->now.workers[row].key;
		const struct tui_span *span = tui_span_at(&s->history->lanes[row], d->at - 1);

		n += span && span->state == state && k->pool == d->pool && k->vpid == d->vpid &&
		     k->host == d->host;
	}
	return n;
}

/* Returns what the poster of a decision knew when it chose how many workers to wake. If the policy
 * does not count workers, takes their number from the history. */
static struct doze_wake_facts facts_of(const struct tui_scene *s, const struct tui_decision *d,
				       uint32_t workers)
{
	struct doze_wake_facts f = {.jobs = d->jobs,
				    .workers = workers,
				    .was_empty = d->was_empty,
				    .local = d->queue == DOZE_QUEUE_local};

	f.idle = d->idle >= 0 ? (uint32_t)d->idle
			      : count_at(s, d, DOZE_STATE_idle) + count_at(s, d, DOZE_STATE_sleepy);
	f.sleeping = d->sleeping >= 0 ? (uint32_t)d->sleeping : count_at(s, d, DOZE_STATE_sleeping);
	if (f.sleeping < d->wakes)
		f.sleeping = d->wakes;
	return f;
}

/* Writes which workers the rules of the other policies would wake for the same post. This is only a
 * model, because under another policy other workers would be asleep. */
static void say_others(const struct tui_scene *s, const struct tui_decision *d,
		       struct tui_textbox *p)
{
	const struct doze_pool_view *pool = tui_decision_pool(s, d);
	struct doze_wake_facts f;
	char text[TUI_SENTENCE];
	int n = 0;

	if (!d->posted || !pool || d->repeats || tui_is_foreign(s))
		return;
	f = facts_of(s, d, pool->workers);
	for (size_t i = 0; doze_policy_at(i); i++) {
		const struct doze_policy_descriptor *o = doze_policy_at(i);

		if (o->wakes && n >= 0 && (size_t)n < sizeof text)
			n += snprintf(text + n, sizeof text - (size_t)n, "%s%s %" PRIu32,
				      n ? ", " : "", o->name, doze_policy_post_wakes(o, &f));
	}
	if (n)
		tui_sayf(p, TUI_DIM, "Woken for this post by other rules (a model): %s.", text);
}

static void say_hang(const struct tui_scene *s, struct tui_textbox *p)
{
	struct doze_hang hang;

	if (!tui_hang_at_focus(s, &hang))
		return;
	tui_sayf(p, TUI_ALARM, "The pool hung at %s: %s.", tui_ns(s, hang.since - s->view.origin),
		 hang.why);
	tui_say(p, TUI_PLAIN,
		"Nothing in the pool changes any more. 'doze diagnose' names what the pool waits "
		"for and who should have woken it, 'doze why' the steps that led here.");
}

static void detail(const struct tui_scene *s, const struct tui_item *item, struct tui_textbox *p)
{
	const struct tui_decision *d = item->what;
	char text[DOZE_EVENT_LINE];

	if (!d) {
		say_hang(s, p);
		return;
	}
	say_post(s, d, p);
	if (!tui_is_foreign(s))
		say_line(s, d, p);
	tui_fan_out(s, d, p);
	if (!d->wakes)
		tui_sayf(p, TUI_PLAIN, "It wakes no worker: %s.", tui_outcome(s, d, text));
	say_cost(s, d, p);
	say_rule(s, d, p);
	say_others(s, d, p);
}

const struct tui_pane_type tui_pane_story = {
    .name = "story",
    .what = "one line per decision: who woke whom, with the result",
    .list = list,
    .row = row,
    .empty = empty,
    .orders = {"time", "wakes in vain", "search in vain"},
    .verb = "fan-out",
    .detail = detail,
};
