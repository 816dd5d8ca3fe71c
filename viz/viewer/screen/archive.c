/*
 * SPDX-License-Identifier: MIT
 *
 * archive.c - see archive.h.
 */
#include "archive.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "../../model/model.h"
#include "../../words/temp.h"
#include "../store/feed.h"

/* ---- one read ---- */

enum { STOP_MS = 500 };
/* Without a checkpoint, a read begins this much earlier, because the workers' states are unknown
 * until the first snapshot; a trace has two snapshots per second. */
#define LATE_NS INT64_C(2000000000)

static bool make_folder(struct tui_disk_read *l, char *err, size_t err_size)
{
	if (doze_temp_make(l->folder, sizeof l->folder) == 0)
		return true;
	snprintf(err, err_size, "%.100s: %s", doze_temp_base(), strerror(errno));
	l->folder[0] = '\0';
	return false;
}

static bool open_part(struct tui_disk_read *l, const struct doze_packet_index *x, int64_t from,
		      int64_t to, char *err, size_t err_size)
{
	if (!make_folder(l, err, err_size) ||
	    doze_excerpt(x, from, to, l->folder, err, err_size) != 0)
		return false;
	l->reader = doze_reader_open_dir(l->folder, err, err_size);
	if (!l->reader)
		return false;
	l->feed = tui_feed_start(l->reader, NULL, &l->fd);
	if (!l->feed) {
		snprintf(err, err_size, "not enough memory or threads: close other programs");
		return false;
	}
	tui_feed_end_at(l->feed, to);
	return true;
}

bool tui_disk_read_begin(struct tui_disk_read *l, const struct doze_packet_index *x,
			 const struct tui_history *newest, int64_t from, int64_t to, char *err,
			 size_t err_size)
{
	const struct doze_checkpoint *c = tui_history_checkpoint(newest, from);
	int64_t begin = c ? doze_checkpoint_ts(c) + 1 : from - LATE_NS;

	*l = (struct tui_disk_read){.from = from, .to = to, .fd = -1};
	l->into = tui_history_new_at(c);
	if (l->into)
		l->into->selection = newest->selection;
	if (!l->into)
		snprintf(err, err_size, "out of memory: close other programs");
	else if (open_part(l, x, begin, to, err, err_size))
		return true;
	tui_disk_read_end(l);
	return false;
}

bool tui_disk_read_drain(struct tui_disk_read *l, int budget_ms)
{
	(void)tui_feed_drain(l->feed, l->into, budget_ms);
	if (!tui_feed_state(l->feed)->done)
		return false;
	tui_history_quiet(l->into, l->to);
	return true;
}

void tui_disk_read_end(struct tui_disk_read *l)
{
	/* If the feed does not stop, its thread still uses the reader, so do not free either of
	 * them. */
	if (!l->feed || tui_feed_stop(l->feed, STOP_MS))
		doze_reader_free(l->reader);
	tui_history_free(l->into);
	if (l->folder[0])
		doze_temp_remove(l->folder);
	*l = (struct tui_disk_read){.fd = -1};
}

enum { DRAIN_MS = 20, INDEX_NS = 500000000 };
#define MARGIN_LEAST INT64_C(1000000000)
/* What is read around the focus of a window that is too large to read: the second before it, which
 * the verdict describes, with some room, and a little after it. */
#define BEFORE_FOCUS INT64_C(1200000000)
#define BEHIND_FOCUS INT64_C(300000000)

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

/* ---- what to read ---- */

/* Extends the part on both sides by a margin that is cheap to read, so that small moves of the
 * window need no further read. */
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
	return p;
}

static bool is_small(const struct tui_archive *a, struct part p)
{
	return doze_packet_index_bytes(&a->index, p.from, p.to) <= TUI_ARCHIVE_BYTES;
}

/* Returns the part around the focus that the panes and the verdict need, as far as it is small
 * enough to read. */
static struct part around_focus(const struct tui_archive *a, const struct tui_view *v)
{
	int64_t t = tui_view_focus(v);
	struct part p = on_disk(a, (struct part){t - BEFORE_FOCUS, t + BEHIND_FOCUS});

	while (!is_small(a, p) && p.to - p.from > 1) {
		p.from += (t - p.from) / 2;
		p.to -= (p.to - t) / 2;
	}
	return p;
}

/* Returns the part that must be read: the window or, if that is too large, the part around the
 * focus. */
static struct part wanted(const struct tui_archive *a, const struct tui_scene *s,
			  struct part window)
{
	struct part p = on_disk(a, window);

	return s->view.at.follow || s->view.at.fit || !is_small(a, p) ? around_focus(a, &s->view)
								      : p;
}

static void say(struct tui_scene *s, const char *text)
{
	snprintf(s->disk, sizeof s->disk, "%s", text);
}

static void begin(struct tui_archive *a, struct tui_scene *s, struct part p)
{
	struct part wide = with_margin(a, p);
	char err[200];

	if (tui_disk_read_begin(&a->load, &a->index, a->newest, wide.from, wide.to, err,
				sizeof err)) {
		say(s, "reading from disk...");
		return;
	}
	snprintf(s->disk, sizeof s->disk, "cannot read this part: %.150s", err);
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
	a->past->complete_to = a->to;
	if (s->history == old)
		s->history = a->past;
	tui_history_free(old);
	tui_disk_read_end(&a->load);
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
	tui_disk_read_end(&a->load);
	s->disk[0] = '\0';
	return true;
}

/* Says that the lanes are less precise than the columns allow. */
static void say_coarse(const struct tui_archive *a, struct tui_scene *s, struct part window)
{
	if (tui_overview_cell_ns(&a->newest->dropped) > s->view.at.per_cell &&
	    !covers(a->from, a->to, window))
		say(s, "coarse, because this part is too large to read back: zoom in");
}

/* Reads what the window shows and is not in memory, unless that is being read already. */
static void want(struct tui_archive *a, struct tui_scene *s, struct part window)
{
	struct part p;

	if (is_loaded(a, s, window) || !tui_archive_index(a, s))
		return;
	p = wanted(a, s, window);
	if (p.from >= p.to || in_memory(a, s, p) || is_loaded(a, s, p)) {
		say_coarse(a, s, on_disk(a, window));
		return;
	}
	if ((a->load.feed && covers(a->load.from, a->load.to, p)) ||
	    (a->failed_from == p.from && a->failed_to == p.to))
		return;
	tui_disk_read_end(&a->load); /* end a read for an earlier position of the window */
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

/* Returns whether everything that the screen shows is in memory, or is drawn from the overview. */
static bool needs_nothing(const struct tui_archive *a, const struct tui_scene *s,
			  struct part window)
{
	bool whole = (s->view.at.follow || s->view.at.fit) && !s->view.at.has_cursor;

	if (window.from >= window.to)
		return true;
	/* The panes show the end of the run. A history that was loaded lacks it. */
	if (whole && a->newest->complete_from > a->newest->clock)
		return false;
	return whole || in_memory(a, s, window);
}

bool tui_archive_step(struct tui_archive *a, struct tui_scene *s)
{
	struct part p = window(&s->view);
	bool changes = false;

	if (!a->folder || !s->now.totals.events || s->lesson.file)
		return false;
	if (a->load.feed && tui_disk_read_drain(&a->load, DRAIN_MS)) {
		take_loaded(a, s);
		changes = true;
	}
	if (needs_nothing(a, s, p)) {
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
	tui_disk_read_end(&a->load);
	tui_history_free(a->past);
	doze_packet_index_free(&a->index);
}
