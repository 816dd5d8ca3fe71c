/*
 * SPDX-License-Identifier: MIT
 *
 * archive.c - see archive.h.
 */
#include "archive.h"

#include <poll.h>
#include <stdio.h>

#include "clock.h"
#include "load.h"

enum { DRAIN_MS = 20, INDEX_NS = 500000000 };
#define MARGIN_LEAST INT64_C(1000000000)

/* ---- parts of the trace ---- */

/* A part of the trace, from one time to another. */
struct part {
	int64_t from, to;
};

/* Returns the part of the trace that the window shows. */
static struct part window(const struct tui_view *v)
{
	struct part p = {tui_view_left(v), v->at.right};

	p.from = p.from < v->first ? v->first : p.from;
	p.to = p.to > v->last ? v->last : p.to;
	return p;
}

/* Returns whether the part is in memory. While a recording is still loading, memory ends at the
 * reader's clock. */
static bool in_memory(const struct tui_archive *a, const struct tui_scene *s, struct part p)
{
	const struct tui_history *h = a->newest;

	return p.from >= tui_history_kept(h) &&
	       (s->status.live || !s->status.loading || p.to <= h->clock);
}

/* Returns the part, limited to what is still on disk. */
static struct part on_disk(const struct tui_archive *a, struct part p)
{
	p.from = p.from < a->index.from ? a->index.from : p.from;
	p.to = p.to > a->index.to ? a->index.to : p.to;
	return p;
}

static bool covers(int64_t from, int64_t to, struct part p)
{
	return from <= p.from && to >= p.to;
}

/* ---- reading parts from disk ---- */

/* Extends the part on both sides by a margin that is cheap to read, so that small moves of the
 * window need no further read. If the part itself is too large to read, returns from > to. */
static struct part with_margin(const struct tui_archive *a, struct part p)
{
	int64_t margin = p.to - p.from > MARGIN_LEAST ? p.to - p.from : MARGIN_LEAST;
	uint64_t most = doze_packet_index_bytes(&a->index, p.from, p.to) * 5 / 4;

	for (; margin > 1000000 && most <= TUI_ARCHIVE_BYTES; margin /= 4) {
		struct part wide = on_disk(a, (struct part){p.from - margin, p.to + margin});

		if (doze_packet_index_bytes(&a->index, wide.from, wide.to) <=
		    (most < TUI_ARCHIVE_LITTLE ? TUI_ARCHIVE_LITTLE : most))
			return wide;
	}
	if (doze_packet_index_bytes(&a->index, p.from, p.to) <= TUI_ARCHIVE_BYTES)
		return p;
	return (struct part){1, 0};
}

static void say(struct tui_scene *s, const char *text)
{
	snprintf(s->disk, sizeof s->disk, "%s", text);
}

static void begin(struct tui_archive *a, struct tui_scene *s, struct part p)
{
	struct part wide = with_margin(a, p);
	char err[200];

	if (wide.from > wide.to) {
		say(s, "too much for memory: zoom in to read this part from disk");
	} else if (!tui_load_begin(&a->load, &a->index, a->newest, wide.from, wide.to, err,
				   sizeof err)) {
		snprintf(s->disk, sizeof s->disk, "cannot read this part: %.150s", err);
	} else {
		say(s, "reading from disk...");
		return;
	}
	a->failed_from = p.from;
	a->failed_to = p.to;
}

/* Called when a read is complete: makes the scene show the history that was read. */
static void take_loaded(struct tui_archive *a, struct tui_scene *s)
{
	struct tui_history *old = a->past;

	a->past = a->load.into;
	a->load.into = NULL;
	a->from = a->load.from;
	a->to = a->load.to;
	a->past->complete_from = a->from;
	if (s->history == old)
		s->history = a->past;
	tui_history_free(old);
	tui_load_end(&a->load);
	s->disk[0] = '\0';
}

bool tui_archive_index(struct tui_archive *a, const struct tui_scene *s)
{
	char err[200];

	if (!s->status.live && a->index.root)
		return true;
	if (a->index.root && tui_now_ns() - a->indexed_at < INDEX_NS)
		return true;
	a->indexed_at = tui_now_ns();
	return doze_packet_index_update(&a->index, a->folder, err, sizeof err) == 0;
}

/* Returns whether a->past already covers the part, so that no read is necessary. */
static bool is_loaded(struct tui_archive *a, struct tui_scene *s, struct part p)
{
	if (!a->past || !covers(a->from, a->to, p))
		return false;
	tui_load_end(&a->load);
	s->disk[0] = '\0';
	return true;
}

static void want(struct tui_archive *a, struct tui_scene *s, struct part p)
{
	if (is_loaded(a, s, p) || !tui_archive_index(a, s))
		return;
	p = on_disk(a, p);
	if (p.from >= p.to || is_loaded(a, s, p) ||
	    (a->load.feed && covers(a->load.from, a->load.to, p)) ||
	    (a->failed_from == p.from && a->failed_to == p.to))
		return;
	tui_load_end(&a->load); /* end a read for an earlier position of the window */
	begin(a, s, p);
}

/* ---- the archive ---- */

void tui_archive_open(struct tui_archive *a, const char *folder, struct tui_history *newest)
{
	char err[200];

	*a = (struct tui_archive){.folder = folder, .newest = newest, .load.fd = -1};
	if (folder && !newest->live &&
	    doze_packet_index_update(&a->index, folder, err, sizeof err) != 0)
		/* Print no error: if the trace cannot be read, the viewer's main reader reports
		 * why; if only the index cannot be built, the viewer works without the archive. */
		a->folder = NULL;
}

int64_t tui_archive_end(const struct tui_archive *a)
{
	bool large = a->folder && !a->newest->live &&
		     doze_packet_index_bytes(&a->index, INT64_MIN, INT64_MAX) > TUI_ARCHIVE_LARGE;

	return large ? a->index.to : INT64_MIN;
}

static bool show(struct tui_scene *s, struct tui_history *h)
{
	bool changes = s->history != h;

	s->history = h;
	return changes;
}

bool tui_archive_step(struct tui_archive *a, struct tui_scene *s)
{
	struct part p = window(&s->view);
	bool changes = false;

	if (!a->folder || !s->now.totals.events || s->lesson.file)
		return false;
	if (a->load.feed && tui_load_drain(&a->load, DRAIN_MS)) {
		take_loaded(a, s);
		changes = true;
	}
	if (p.from >= p.to || s->view.at.follow || s->view.at.fit || in_memory(a, s, p)) {
		s->disk[0] = '\0';
		return show(s, a->newest) || changes;
	}
	want(a, s, p);
	if (a->past && a->from <= p.to && a->to >= p.from)
		return show(s, a->past) || changes;
	return show(s, a->newest) || changes;
}

void tui_archive_wait(struct tui_archive *a, struct tui_scene *s)
{
	(void)tui_archive_step(a, s);
	while (a->load.feed) {
		(void)poll(NULL, 0, TUI_BULK_MS);
		(void)tui_archive_step(a, s);
	}
}

void tui_archive_close(struct tui_archive *a, struct tui_scene *s)
{
	if (!a->folder)
		return;
	s->history = a->newest;
	tui_load_end(&a->load);
	tui_history_free(a->past);
	doze_packet_index_free(&a->index);
}
