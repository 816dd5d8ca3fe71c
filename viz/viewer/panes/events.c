/*
 * SPDX-License-Identifier: MIT
 *
 * events.c - lists the recorded events, one per line. Consecutive steps of one latch, usually
 * three, share one line, that of the last step.
 */
#include "../screen/phrases.h"
#include "panes.h"

/* Returns whether the next event is another step of the same latch, so that this row is omitted. */
static bool is_folded(const struct tui_ring *r, size_t i)
{
	const struct tui_event *e = tui_ring_at(r, i), *next = tui_ring_at(r, i + 1);

	return e->ev.kind == DOZE_EV_latch && next && next->ev.kind == DOZE_EV_latch &&
	       next->ev.u.latch.id == e->ev.u.latch.id;
}

static void list(const struct tui_scene *s, int order, struct tui_list *l)
{
	const struct tui_ring *r = &s->history->events;

	(void)order;
	for (size_t i = 0; i < r->count; i++) {
		const struct tui_event *e = tui_ring_at(r, i);

		if (tui_event_shown(s, e) && !is_folded(r, i))
			tui_list_add(
			    l, (struct tui_item){.at = e->at, .id = r->dropped + i, .what = e});
	}
}

const struct tui_pane_type tui_pane_events = {
    .name = "events",
    .what = "the recorded events",
    .list = list,
    .row = tui_event_row,
    .nothing = "no event yet",
    .verb = "explain",
    .detail = tui_event_detail,
};
