/*
 * SPDX-License-Identifier: MIT
 *
 * latency.c - shows the delays in the whole trace so far, as percentiles and log-2 histograms,
 * and which workers wake others and are woken most often. The page of a delay explains what it
 * measures, and shows its whole histogram. All numbers come from the model (../../model/README.md
 * defines them).
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "../../words/units.h"
#include "../screen/phrases.h"
#include "panes.h"

enum {
	NAME_W = 17,
	COLUMN_W = 9,
	HIST_FIRST = 6, /* 2^6 ns = 64 ns */
	/* 2^31 ns = 2 s; values outside the range are counted in the first or last column */
	HIST_LAST = 31,
	WAKERS_MAX = 6,
	PAGE_BAR_W = 40,
};

/* ---- delays ---- */

static uint64_t row_count(const struct doze_hist *h, int row)
{
	uint64_t n = 0;
	int from = row == HIST_FIRST ? 0 : row;
	int to = row == HIST_LAST ? DOZE_HIST_ROWS - 1 : row;

	for (int r = from; r <= to; r++)
		n += doze_hist_row(h, (unsigned)r);
	return n;
}

/* Draws one column per power of two. The heights are relative to the highest column. */
static void draw_histogram(const struct tui_scene *s, struct tui_grid *g, int x, int y,
			   const struct doze_hist *h)
{
	uint64_t most = 1;

	for (int row = HIST_FIRST; row <= HIST_LAST; row++)
		if (row_count(h, row) > most)
			most = row_count(h, row);
	for (int row = HIST_FIRST; row <= HIST_LAST; row++) {
		uint64_t n = row_count(h, row), height = (n * (TUI_BARS - 1) + most - 1) / most;

		tui_put(g, x + row - HIST_FIRST, y, n ? s->glyphs->bar[height] : s->glyphs->rule,
			n ? TUI_ACTIVE : TUI_DIM);
	}
}

static void draw_delay(const struct tui_scene *s, struct tui_grid *g, int x, int y, int end,
		       const char *name, const struct doze_hist *h)
{
	static const double p[] = {0.5, 0.9, 0.99, 1};

	tui_text(g, x, y, x + NAME_W, TUI_PLAIN, name);
	x += NAME_W;
	tui_textf(g, x, y, end, TUI_PLAIN, "%7s", doze_count(h->n));
	x += 9;
	for (size_t i = 0; h->n && i < sizeof p / sizeof *p; i++) {
		int64_t ns = p[i] < 1 ? doze_hist_percentile(h, p[i]) : h->max;

		tui_text(g, x + (int)i * COLUMN_W, y, end, TUI_PLAIN, tui_ns(s, ns));
	}
	draw_histogram(s, g, x + 4 * COLUMN_W, y, h);
}

static void head(const struct tui_scene *s, struct tui_textbox *p)
{
	static const char *const names[] = {"p50", "p90", "p99", "max"};
	int x = p->x + NAME_W;

	tui_textf(p->g, p->x, p->y, p->end, TUI_BOLD, "delay, %s", tui_scope(s));
	tui_textf(p->g, x, p->y, p->end, TUI_BOLD, "%7s", "wakes");
	x += 9;
	for (int i = 0; i < 4; i++)
		tui_text(p->g, x + i * COLUMN_W, p->y, p->end, TUI_BOLD, names[i]);
	x += 4 * COLUMN_W;
	/* 2^10 ns is about 1 us, 2^20 about 1 ms, 2^30 about 1 s */
	tui_text(p->g, x + 10 - HIST_FIRST, p->y, p->end, TUI_DIM, "1us");
	tui_text(p->g, x + 20 - HIST_FIRST, p->y, p->end, TUI_DIM, "1ms");
	p->y++;
}

/* ---- wakers and the workers that they woke ---- */

/* Writes how many wakes were sent by outside threads and by the workers that sent most, in
 * descending order: "outside 40, w1 20 (0 in vain)". */
static void wakers_line(const struct tui_scene *s, char *out, size_t size)
{
	uint64_t below = UINT64_MAX;
	char name[TUI_NAME];
	int at = snprintf(out, size, "Wakers: outside %" PRIu64, s->now.totals.outside_wakes);
	size_t listed = 0;

	while (listed < WAKERS_MAX) {
		uint64_t best = 0;

		for (size_t i = 0; i < s->now.n_workers; i++) {
			uint64_t n = s->now.workers[i].wakes_sent;

			if (n < below && n > best)
				best = n;
		}
		if (!best)
			break;
		for (size_t i = 0; i < s->now.n_workers && listed < WAKERS_MAX; i++) {
			const struct doze_worker_view *w = &s->now.workers[i];

			if (w->wakes_sent != best || at < 0 || (size_t)at >= size)
				continue;
			at += snprintf(out + at, size - (size_t)at,
				       ", %s %" PRIu64 " (%s%" PRIu64 " in vain)",
				       tui_worker_name(s, &w->key, name), w->wakes_sent,
				       tui_is_foreign(s) ? "at least " : "", w->futile_sent);
			listed++;
		}
		below = best;
	}
}

/* Writes how the wakes are distributed over the workers: one digit per worker, where 9 stands for
 * the worker that was woken most often. */
static void bias_line(const struct tui_scene *s, char *out, size_t size)
{
	uint64_t most = 1;
	int at = snprintf(out, size, "Wakes of each worker, from w0 (9: the most): ");

	for (size_t i = 0; i < s->now.n_lanes; i++)
		if (s->now.workers[s->now.lanes[i]].wakes > most)
			most = s->now.workers[s->now.lanes[i]].wakes;
	for (size_t i = 0; i < s->now.n_lanes && at > 0 && (size_t)at + 2 < size; i++) {
		uint64_t n = s->now.workers[s->now.lanes[i]].wakes;

		out[at++] = (char)('0' + (n * 9 + most - 1) / most);
	}
	if (at > 0)
		out[at] = '\0';
}

static void underwake_line(const struct tui_scene *s, char *out, size_t size)
{
	const struct doze_underwake_measures *u = &s->now.measures.underwake;

	if (!s->now.totals.jobs_level)
		snprintf(out, size, "Under-wakes: unknown (record with --detail=all).");
	else if (!u->spans)
		snprintf(out, size, "Under-wakes: none.");
	else
		snprintf(out, size, "Under-wakes: %" PRIu64 ", the worst %s at %s.", u->spans,
			 tui_ns(s, u->worst), doze_position(u->worst_at - s->view.origin, 1000));
}

static void wakes_line(const struct tui_scene *s, char *out, size_t size)
{
	const struct doze_measures *m = &s->now.measures;

	snprintf(out, size,
		 "Wakes per job %.3f; herd excess %" PRIu64 "; chains: %" PRIu64
		 " wakes, longest %u; storms %" PRIu64 ".",
		 s->now.amplification, s->now.herd_excess, m->chain.wakes, m->chain.longest,
		 m->storm.storms);
}

/* ---- the rows ---- */

/* A row shows either a delay (`hist` is its offset in the measures) or one line of text
 * (`line`). */
static const struct fact {
	const char *name;
	size_t hist;
	void (*line)(const struct tui_scene *, char *out, size_t size);
	const char *meaning;
} facts[] = {
    {"notify to awake", offsetof(struct doze_measures, notify_awake), NULL,
     "From the waker's signal to the first step of the woken worker: the time that the kernel "
     "needs to run it, which is longer if no CPU is free. Counts all wakes."},
    {"awake to found", offsetof(struct doze_measures, awake_found), NULL,
     "From the first step of the woken worker to the job that it finds. Counts only useful wakes."},
    {"publish to job", offsetof(struct doze_measures, publish_job), NULL,
     "From the post of a job to its start, if a worker was woken for it: the whole cost of "
     "sleeping. Counts only useful wakes."},
    {"publish to notify", offsetof(struct doze_measures, publish_notify), NULL,
     "From the post of a job to the signal: how long the poster, or the worker that passes the "
     "wake on, takes to decide and to send the wake. Counts only useful wakes."},
    {"search in vain", offsetof(struct doze_measures, futile_search), NULL,
     "From awake to asleep again, without a job: the time that a futile wake costs."},
    {"wakes", 0, wakes_line,
     "Herd excess: woken workers for which there was no job. Chains: wakes by workers that had "
     "been woken themselves. Storms: decisions that woke several workers, mostly in vain."},
    {"wakers", 0, wakers_line,
     "The threads that sent wakes, and how many of their wakes were in vain."},
    {"woken", 0, bias_line,
     "A policy that searches for a sleeper starting with worker 0 wakes the first workers most "
     "often."},
    {"under-wakes", 0, underwake_line,
     "Periods in which jobs waited although workers slept, and no worker had been woken for the "
     "jobs."},
};

static const struct doze_hist *hist_of(const struct tui_scene *s, const struct fact *f)
{
	return (const void *)((const char *)&s->now.measures + f->hist);
}

/* The rows for programs without libdoze. */
static const struct fact foreign_facts[] = {
    {"call to awake", offsetof(struct doze_measures, notify_awake), NULL,
     "From the call that wakes until the woken thread returns from its wait: it may wait for a "
     "CPU, "
     "and for the mutex."},
    {"awake", offsetof(struct doze_measures, awake), NULL,
     "From a wake to the thread's next wait. How long a thread is awake does not show whether it "
     "was woken in vain."},
    {"wakers", 0, wakers_line,
     "The threads that woke others, and how many of these wakes, at least, were in vain."},
};

static void list(const struct tui_scene *s, int order, struct tui_list *l)
{
	bool foreign = tui_is_foreign(s);
	size_t n =
	    foreign ? sizeof foreign_facts / sizeof *foreign_facts : sizeof facts / sizeof *facts;

	(void)order;
	for (size_t i = 0; i < n; i++)
		tui_list_add(
		    l, (struct tui_item){.id = i, .what = foreign ? &foreign_facts[i] : &facts[i]});
}

static void row(const struct tui_scene *s, const struct tui_item *item, struct tui_grid *g, int x,
		int y, int end)
{
	const struct fact *f = item->what;
	char text[TUI_SENTENCE];

	if (!f->line) {
		draw_delay(s, g, x, y, end, f->name, hist_of(s, f));
		return;
	}
	f->line(s, text, sizeof text);
	tui_text(g, x, y, end, TUI_PLAIN, text);
}

/* ---- the page of a row ---- */

/* Draws one line per power of two: its range, a bar relative to the highest count, its count. */
static void draw_bars(const struct tui_scene *s, struct tui_textbox *p, const struct doze_hist *h)
{
	uint64_t most = 1;

	for (int r = 0; r < DOZE_HIST_ROWS; r++)
		if (doze_hist_row(h, (unsigned)r) > most)
			most = doze_hist_row(h, (unsigned)r);
	for (int r = 0; r < DOZE_HIST_ROWS - 1 && p->y < p->bottom; r++) {
		uint64_t n = doze_hist_row(h, (unsigned)r);
		int x;

		if (!n)
			continue;
		x = tui_textf(p->g, p->x, p->y, p->end, TUI_PLAIN, "below %8s ",
			      tui_ns(s, (int64_t)1 << (r + 1)));
		for (uint64_t i = 0; i < (n * PAGE_BAR_W + most - 1) / most; i++)
			tui_put(p->g, x++, p->y, s->glyphs->bar[TUI_BARS - 1], TUI_ACTIVE);
		tui_textf(p->g, x + 1, p->y++, p->end, TUI_PLAIN, "%" PRIu64, n);
	}
}

static void detail(const struct tui_scene *s, const struct tui_item *item, struct tui_textbox *p)
{
	const struct fact *f = item->what;
	char text[TUI_SENTENCE];

	if (f->line) {
		f->line(s, text, sizeof text);
		tui_say(p, TUI_BOLD, text);
		tui_say(p, TUI_PLAIN, f->meaning);
		return;
	}
	tui_sayf(p, TUI_BOLD, "%s: %" PRIu64 " measured", f->name, hist_of(s, f)->n);
	tui_say(p, TUI_PLAIN, f->meaning);
	draw_bars(s, p, hist_of(s, f));
}

const struct tui_pane_type tui_pane_latency = {
    .name = "latency",
    .what = "delays as percentiles and histograms, wakers, under-wakes",
    .list = list,
    .head = head,
    .row = row,
    .whole = true,
    .verb = "explain",
    .detail = detail,
};
