/*
 * SPDX-License-Identifier: MIT
 *
 * search.c - see search.h.
 *
 * The matches are kept from frame to frame, so only new events are searched.
 */
#include "search.h"

#include <stdio.h>
#include <string.h>

#include "event_rows.h"
#include "words.h"

bool tui_search_matches(const struct tui_scene *s, const struct tui_event *e)
{
	char line[DOZE_EVENT_LINE], text[DOZE_EVENT_LINE + TUI_NAME], who[TUI_NAME];
	const struct doze_worker_key k = {
	    .host = e->ev.host, .vpid = e->ev.vpid, .pool = e->ev.pool, .index = e->ev.worker};

	if (!tui_event_shown(s, e))
		return false;
	snprintf(text, sizeof text, "%s %s", tui_worker_name(s, &k, who),
		 tui_event_line(s, e, false, line));
	return strstr(text, s->view.search) != NULL;
}

void tui_search_update(struct tui_scene *s)
{
	const struct tui_ring *r = &tui_newest(s)->events;
	struct tui_found *f = &s->found;
	uint64_t end = r->dropped + r->count;

	if (strcmp(f->text, s->view.search) != 0) {
		snprintf(f->text, sizeof f->text, "%s", s->view.search);
		f->numbers.count = 0;
		f->upto = r->dropped;
		/* drop the old text's matches on disk; tui_scan_step finds those of the new text */
		tui_ring_free(&f->disk);
		f->on_disk = false;
	}
	if (!f->text[0])
		return;
	for (f->upto = f->upto > r->dropped ? f->upto : r->dropped; f->upto < end; f->upto++) {
		const struct tui_event *e = tui_ring_at(r, (size_t)(f->upto - r->dropped));

		if (e->at > s->now.clock)
			break;
		if (tui_search_matches(s, e))
			tui_list_add(&f->numbers, (struct tui_item){.at = e->at, .id = f->upto});
	}
}
