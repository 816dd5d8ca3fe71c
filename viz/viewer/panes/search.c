/*
 * SPDX-License-Identifier: MIT
 *
 * search.c - searches all events for a text, also those that exist only on disk, and lists the
 * matches.
 */
#include <stdio.h>
#include <string.h>

#include "../screen/archive.h"
#include "../screen/phrases.h"
#include "panes.h"

/*
 * ---- searching in memory
 *
 * The matches are kept from frame to frame, so only new events are searched.
 */

bool tui_search_matches(const struct tui_scene *s, const struct tui_event *e)
{
	char line[DOZE_EVENT_LINE], text[DOZE_EVENT_LINE + TUI_NAME], who[TUI_NAME];

	if (!tui_event_shown(s, e))
		return false;
	snprintf(text, sizeof text, "%s %s", tui_event_who(s, e, who),
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
		/* drop the old text's matches on disk; tui_disk_search_step finds those of the new
		 * text */
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

/* ---- searching on disk ---- */

enum { DRAIN_MS = 10, MATCHES_MAX = 4096, CHUNK_BYTES = 4 << 20 };
#define CHUNK_NS INT64_C(10000000000)
#define LEAST_NS INT64_C(1000000000)

/* Returns the time from which memory has all events. */
static int64_t memory_begins(const struct tui_archive *a)
{
	const struct tui_ring *r = &a->newest->events;
	const struct tui_event *oldest = tui_ring_at(r, 0);

	if (!r->dropped)
		return INT64_MIN;
	return oldest ? oldest->at : a->newest->complete_from;
}

static void begin(struct tui_disk_search *c, struct tui_archive *a, struct tui_scene *s)
{
	struct tui_found *f = &s->found;

	tui_disk_read_end(&c->load);
	snprintf(c->text, sizeof c->text, "%s", s->view.search);
	f->disk = (struct tui_ring){.item = sizeof(struct tui_event)};
	c->full = false;
	c->next = a->index.from;
}

/* Starts reading the next few seconds, or less if they exceed the maximum size of a read. */
static bool read_next(struct tui_disk_search *c, struct tui_archive *a, int64_t end)
{
	int64_t length = CHUNK_NS, to;
	char err[200];

	do {
		to = c->next + length < end ? c->next + length : end;
		length /= 2;
	} while (length > 1000000 && doze_packet_index_bytes(&a->index, c->next, to) > CHUNK_BYTES);
	c->full =
	    !tui_disk_read_begin(&c->load, &a->index, a->newest, c->next, to - 1, err, sizeof err);
	return !c->full;
}

/* Collects the matches in the part just read. Takes the names of pools and latches from that part's
 * history. */
static void collect(struct tui_disk_search *c, struct tui_scene *s)
{
	struct tui_history *shown = s->history;
	const struct tui_ring *r = &c->load.into->events;

	s->history = c->load.into;
	for (size_t i = tui_ring_after(r, c->load.from - 1); i < r->count && !c->full; i++) {
		const struct tui_event *e = tui_ring_at(r, i);

		if (e->at > c->load.to)
			break;
		if (tui_search_matches(s, e))
			tui_ring_push(&s->found.disk, e, MATCHES_MAX);
		c->full = s->found.disk.count == MATCHES_MAX;
	}
	s->history = shown;
	c->next = c->load.to + 1;
}

/* Returns whether to start another read. While the program runs, the history keeps dropping events,
 * which must then be searched on disk. Each read needs a thread and a Babeltrace graph, so wait
 * until there is at least a second of the trace to read. */
static bool is_worth_reading(const struct tui_disk_search *c, const struct tui_scene *s,
			     int64_t end)
{
	return !s->status.live || s->status.ended || end - c->next >= LEAST_NS;
}

bool tui_disk_search_step(struct tui_disk_search *c, struct tui_archive *a, struct tui_scene *s)
{
	bool was = s->found.on_disk, changed = false;
	int64_t end;

	if (!a->folder || !s->view.search[0] || s->view.pane != TUI_PANE_search ||
	    !tui_archive_index(a, s))
		return false;
	if (strcmp(c->text, s->view.search) != 0) {
		begin(c, a, s);
		changed = true;
	}
	end = memory_begins(a);
	if (c->load.feed) {
		if (!tui_disk_read_drain(&c->load, DRAIN_MS))
			return false;
		collect(c, s);
		tui_disk_read_end(&c->load);
		changed = true;
	}
	s->found.on_disk = !c->full && c->next < end;
	if (s->found.on_disk && is_worth_reading(c, s, end))
		(void)read_next(c, a, end);
	return changed || s->found.on_disk != was;
}

void tui_disk_search_end(struct tui_disk_search *c)
{
	tui_disk_read_end(&c->load);
}

/* ---- the pane ---- */

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
