/*
 * SPDX-License-Identifier: MIT
 *
 * scan.c - see scan.h.
 */
#include "scan.h"

#include <stdio.h>
#include <string.h>

#include "load.h"
#include "panes.h"
#include "search.h"

enum { DRAIN_MS = 10, MATCHES_MAX = 4096, CHUNK_BYTES = 4 << 20 };
#define CHUNK_NS INT64_C(10000000000)
#define LEAST_NS INT64_C(1000000000)

/* Returns the time from which memory has all events. */
static int64_t memory_begins(const struct tui_archive *a)
{
	const struct tui_ring *r = &a->newest->events;
	const struct tui_event *oldest = tui_ring_at(r, 0);

	return oldest && r->dropped ? oldest->at : INT64_MIN;
}

static void begin(struct tui_scan *c, struct tui_archive *a, struct tui_scene *s)
{
	struct tui_found *f = &s->found;

	tui_load_end(&c->load);
	snprintf(c->text, sizeof c->text, "%s", s->view.search);
	f->disk = (struct tui_ring){.item = sizeof(struct tui_event)};
	c->full = false;
	c->next = a->index.from;
}

/* Starts reading the next few seconds, or less if they exceed the maximum size of a read. */
static bool read_next(struct tui_scan *c, struct tui_archive *a, int64_t end)
{
	int64_t length = CHUNK_NS, to;
	char err[200];

	do {
		to = c->next + length < end ? c->next + length : end;
		length /= 2;
	} while (length > 1000000 && doze_packet_index_bytes(&a->index, c->next, to) > CHUNK_BYTES);
	c->full = !tui_load_begin(&c->load, &a->index, a->newest, c->next, to - 1, err, sizeof err);
	return !c->full;
}

/* Collects the matches in the part just read. Takes the names of pools and latches from that part's
 * history. */
static void collect(struct tui_scan *c, struct tui_scene *s)
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
static bool is_worth_reading(const struct tui_scan *c, const struct tui_scene *s, int64_t end)
{
	return !s->status.live || s->status.ended || end - c->next >= LEAST_NS;
}

bool tui_scan_step(struct tui_scan *c, struct tui_archive *a, struct tui_scene *s)
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
		if (!tui_load_drain(&c->load, DRAIN_MS))
			return false;
		collect(c, s);
		tui_load_end(&c->load);
		changed = true;
	}
	s->found.on_disk = !c->full && c->next < end;
	if (s->found.on_disk && is_worth_reading(c, s, end))
		(void)read_next(c, a, end);
	return changed || s->found.on_disk != was;
}

void tui_scan_end(struct tui_scan *c)
{
	tui_load_end(&c->load);
}
