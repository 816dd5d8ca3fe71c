/*
 * SPDX-License-Identifier: MIT
 *
 * event_rows.c - see event_rows.h.
 */
#include "event_rows.h"

#include "../explain/symbols.h"
#include "../words/event_text.h"
#include "words.h"

enum { WHO_W = 8 };

bool tui_event_shown(const struct tui_scene *s, const struct tui_event *e)
{
	const struct doze_worker_key k = {
	    .host = e->ev.host, .vpid = e->ev.vpid, .pool = e->ev.pool};

	return e->at <= s->now.clock && tui_view_shows(&s->view, e->ev.worker) &&
	       e->ev.kind != DOZE_EV_snapshot &&
	       (!s->view.pool || tui_pool_number(s, &k) == s->view.pool);
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
	const struct doze_wording as = {.model = tui_is_foreign(s) ? tui_newest(s)->model
								   : s->history->model,
					.pool = tui_pool_of(s, &who),
					.utf8 = s->look->micro[0] != 'u',
					.decisions = explained,
					.place = doze_symbols_line,
					.latch_ids = explained};

	return doze_event_text(out, DOZE_EVENT_LINE, &e->ev, &as, e->note[0] ? e->note : NULL);
}

void tui_event_row(const struct tui_scene *s, const struct tui_item *item, struct tui_grid *g,
		   int x, int y, int end)
{
	const struct tui_event *e = item->what;
	const struct doze_worker_key k = {
	    .host = e->ev.host, .vpid = e->ev.vpid, .pool = e->ev.pool, .index = e->ev.worker};
	char text[DOZE_EVENT_LINE], who[TUI_NAME];

	x = tui_put_time(s, g, x, y, e->at);
	tui_text(g, x, y, end, TUI_PLAIN, tui_worker_name(s, &k, who));
	tui_text(g, x + WHO_W, y, end, event_style(e), tui_event_line(s, e, false, text));
}

void tui_event_detail(const struct tui_scene *s, const struct tui_item *item, struct tui_paper *p)
{
	const struct tui_event *e = item->what;
	const struct doze_worker_key k = {
	    .host = e->ev.host, .vpid = e->ev.vpid, .pool = e->ev.pool, .index = e->ev.worker};
	const struct doze_pool_view *pool = tui_pool_of(s, &k);
	char text[TUI_SENTENCE], line[DOZE_EVENT_LINE], who[TUI_NAME], before[80], after[80];

	tui_sayf(p, TUI_BOLD, "At %s %s: %s.", tui_ns(s, e->at - s->view.origin),
		 tui_waker_name(s, &k, e->ev.worker, e->ev.vtid, who),
		 tui_event_line(s, e, true, line));
	tui_sayf(p, TUI_DIM, "event %s, process %d, thread %d, CPU %d", doze_event_name(e->ev.kind),
		 (int)e->ev.vpid, (int)e->ev.vtid, (int)e->ev.cpu);
	tui_say(p, TUI_PLAIN, doze_event_why(text, sizeof text, pool, &e->ev));
	if (!e->ev.has_words || !pool)
		return;
	tui_sayf(p, TUI_PLAIN, "Counters before: %s; after: %s.",
		 doze_word_sentence(before, sizeof before, pool, e->ev.old_word),
		 doze_word_sentence(after, sizeof after, pool, e->ev.new_word));
}
