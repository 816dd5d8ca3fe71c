/*
 * SPDX-License-Identifier: MIT
 *
 * misses.c - lists near misses: sleeps that were averted at the last moment, and what averted
 * them.
 */
#include "../screen/phrases.h"
#include "panes.h"

static void list(const struct tui_scene *s, int order, struct tui_list *l)
{
	const struct tui_ring *r = &s->history->events;

	for (size_t i = 0; i < r->count; i++) {
		const struct tui_event *e = tui_ring_at(r, i);

		if (e->ev.kind == DOZE_EV_sleep_abort && tui_event_shown(s, e))
			tui_list_add(l, (struct tui_item){
					    .at = e->at,
					    .id = r->dropped + i,
					    .sort = order ? (int64_t)e->ev.u.sleep_abort.by : 0,
					    .what = e});
	}
}

static const char *saved_by(enum doze_abort by)
{
	switch (by) {
	case DOZE_ABORT_jec:
		return "a post toggled the jobs event counter after the worker had remembered its "
		       "value";
	case DOZE_ABORT_latch:
		return "the latch that it waits for was set";
	case DOZE_ABORT_injector:
		return "at its last check a job was in the injector";
	case DOZE_ABORT_broadcast:
		return "at its last check a broadcast job was in its queue";
	default:
		return "work arrived";
	}
}

static void row(const struct tui_scene *s, const struct tui_item *item, struct tui_grid *g, int x,
		int y, int end)
{
	const struct tui_event *e = item->what;
	char who[TUI_NAME];

	x = tui_put_time(s, g, x, y, e->at);
	x = tui_textf(g, x, y, end, TUI_SLEEPY, "%s almost slept: ", tui_event_who(s, e, who));
	tui_text(g, x, y, end, TUI_PLAIN, saved_by(e->ev.u.sleep_abort.by));
}

static void detail(const struct tui_scene *s, const struct tui_item *item, struct tui_textbox *p)
{
	const struct tui_event *e = item->what;

	tui_event_detail(s, item, p);
	tui_sayf(
	    p, TUI_PLAIN,
	    "Without this check the worker would have gone to sleep although %s: a lost wakeup.",
	    saved_by(e->ev.u.sleep_abort.by));
}

const struct tui_pane_type tui_pane_misses = {
    .name = "misses",
    .what = "near misses: sleeps averted at the last moment",
    .list = list,
    .row = row,
    .nothing = "no sleep was averted at the last moment",
    .orders = {"time", "cause"},
    .verb = "explain",
    .detail = detail,
};
