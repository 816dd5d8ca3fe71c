/*
 * SPDX-License-Identifier: MIT
 *
 * pane_search.c - lists all events that contain the search text, including events that exist only
 * on disk.
 */
#include "event_rows.h"
#include "panes.h"

/* Marks the ids of matches that exist only on disk. */
#define ON_DISK (UINT64_C(1) << 63)

static void list(const struct tui_scene *s, int order, struct tui_list *l)
{
	const struct tui_ring *r = &tui_newest(s)->events;
	const struct tui_list *f = &s->found.numbers;

	(void)order;
	for (size_t i = 0; i < s->found.disk.count; i++) {
		const struct tui_event *e = tui_ring_at(&s->found.disk, i);

		tui_list_add(l, (struct tui_item){.at = e->at, .id = ON_DISK | i, .what = e});
	}
	for (size_t i = 0; i < f->count; i++) {
		if (f->item[i].id < r->dropped)
			continue; /* the event was dropped from the history */
		tui_list_add(l, (struct tui_item){
				    .at = f->item[i].at,
				    .id = f->item[i].id,
				    .what = tui_ring_at(r, (size_t)(f->item[i].id - r->dropped))});
	}
}

static const char *empty(const struct tui_scene *s)
{
	if (s->found.on_disk)
		return "searching on disk...";
	return s->view.search[0] ? "no event contains this text"
				 : "/ searches all events for a text";
}

const struct tui_pane_type tui_pane_search = {
    .name = "search",
    .what = "all events that contain the search text",
    .list = list,
    .row = tui_event_row,
    .empty = empty,
    .orders = {"time"},
    .verb = "explain",
    .detail = tui_event_detail,
};
