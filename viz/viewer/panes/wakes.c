/*
 * SPDX-License-Identifier: MIT
 *
 * wakes.c - lists the wakes, one per line, with their verdicts and delays.
 */
#include <inttypes.h>

#include "../screen/phrases.h"
#include "panes.h"

enum { FROM_X = 17, TO_X = 33, CAUSE_X = 39, VERDICT_X = 50, AWAKE_X = 61, JOB_X = 71, ID_X = 81 };

static int64_t sort_of(const struct doze_wake *w, int order)
{
	switch (order) {
	case 1:
		return doze_wake_delay(w, DOZE_DELAY_notify_awake);
	case 2:
		return doze_wake_delay(w, DOZE_DELAY_futile_search);
	default:
		return 0;
	}
}

static void list(const struct tui_scene *s, int order, struct tui_list *l)
{
	for (size_t i = 0; i < s->now.n_lanes; i++) {
		uint32_t row = s->now.lanes[i];
		const struct tui_ring *r =
		    row < s->history->n_lanes ? &s->history->lanes[row].wakes : NULL;

		for (size_t k = 0; r && k < r->count; k++) {
			const struct tui_wake *w = tui_ring_at(r, k);

			if (w->at <= s->now.clock)
				tui_list_add(l, (struct tui_item){.at = w->at,
								  .id = (r->dropped + k) << 12 |
									(row & 0xfff),
								  .sort = sort_of(&w->wake, order),
								  .what = w});
		}
	}
	if (order == 0)
		tui_list_sort(l);
}

static void head(const struct tui_scene *s, struct tui_textbox *p)
{
	static const struct {
		int x;
		const char *name;
	} heads[] = {{TUI_TIME_W - 4, "time"}, {FROM_X, "waker"},      {TO_X, "wakes"},
		     {CAUSE_X, "cause"},       {VERDICT_X, "verdict"}, {AWAKE_X, "awake in"},
		     {JOB_X, "job in"}};

	for (size_t i = 0; i < sizeof heads / sizeof *heads - tui_is_foreign(s); i++)
		tui_text(p->g, p->x + heads[i].x, p->y, p->end, TUI_BOLD, heads[i].name);
	p->y++;
}

static void row(const struct tui_scene *s, const struct tui_item *item, struct tui_grid *g, int x,
		int y, int end)
{
	const struct tui_wake *t = item->what;
	const struct doze_wake *w = &t->wake;
	char name[TUI_NAME];
	enum tui_style style;
	uint32_t ch = tui_wake_glyph(s->glyphs, w->verdict, &style);

	tui_put_time(s, g, x, y, t->at);
	tui_put(g, x + FROM_X - 2, y, ch, style);
	tui_text(g, x + FROM_X, y, x + TO_X - 1, TUI_PLAIN,
		 tui_waker_name(s, &w->target, w->waker, w->waker_vtid, name));
	tui_text(g, x + TO_X, y, end, TUI_PLAIN,
		 w->target.index < 0 ? "one" : tui_worker_name(s, &w->target, name));
	tui_text(g, x + CAUSE_X, y, end, TUI_PLAIN, doze_cause_name(w->cause));
	tui_text(g, x + VERDICT_X, y, end, style, tui_verdict_word(s, w->verdict));
	if (w->notified && w->awake)
		tui_text(g, x + AWAKE_X, y, end, TUI_PLAIN, tui_ns(s, w->awake - w->notified));
	if (w->awake && w->first_job)
		tui_text(g, x + JOB_X, y, end, TUI_PLAIN, tui_ns(s, w->first_job - w->awake));
	tui_textf(g, x + ID_X, y, end, TUI_DIM, "#%" PRIu64, w->wake_id);
}

static void say_delay(const struct tui_scene *s, struct tui_textbox *p, const char *what,
		      int64_t from, int64_t to)
{
	if (from && to)
		tui_sayf(p, TUI_PLAIN, "  %-22s %s", what, tui_ns(s, to - from));
}

static void detail(const struct tui_scene *s, const struct tui_item *item, struct tui_textbox *p)
{
	const struct tui_wake *t = item->what;
	const struct doze_wake *w = &t->wake;
	char from[TUI_NAME], to[TUI_NAME];
	enum tui_style style;

	tui_wake_glyph(s->glyphs, w->verdict, &style);
	tui_sayf(p, TUI_BOLD,
		 "At %s %s wakes %s, cause %s (wake #%" PRIu64 ", decision %" PRIu64 ").",
		 tui_ns(s, t->at - s->view.origin),
		 tui_waker_name(s, &w->target, w->waker, w->waker_vtid, from),
		 w->target.index < 0 ? "one" : tui_worker_name(s, &w->target, to),
		 doze_cause_name(w->cause), w->wake_id, w->decision_id);
	tui_sayf(p, style, "Verdict %s: %s", tui_verdict_word(s, w->verdict),
		 tui_verdict_meaning(s, w->verdict));
	if (tui_is_foreign(s)) {
		say_delay(s, p, "call to awake", w->notified, w->awake);
		return;
	}
	say_delay(s, p, "published to notified", w->published, w->notified);
	say_delay(s, p, "notified to awake", w->notified, w->awake);
	say_delay(s, p, "awake to first job", w->awake, w->first_job);
	if (w->verdict == DOZE_VERDICT_futile)
		say_delay(s, p, "searched in vain", w->awake, w->ended);
}

const struct tui_pane_type tui_pane_wakes = {
    .name = "wakes",
    .what = "one line per wake, with its verdict and delays",
    .list = list,
    .head = head,
    .row = row,
    .nothing = "no wakes up to this time",
    .orders = {"time", "time to awake", "search in vain"},
    .verb = "delays",
    .detail = detail,
};
