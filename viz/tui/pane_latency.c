/*
 * SPDX-License-Identifier: MIT
 *
 * pane_latency.c - delays of the whole trace so far, as percentiles and log-2 histograms; wakers
 * and woken workers.
 *
 * All numbers come from the model (../model/README.md defines them).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../text/units.h"
#include "clock.h"
#include "panes.h"

enum {
	NAME_W = 17,
	COLUMN_W = 9,
	HIST_FIRST = 6, /* 2^6 ns = 64 ns … */
	HIST_LAST = 31, /* … 2^31 ns = 2 s; values outside are counted at the ends */
	WAKERS_MAX = 6,
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

/* Draws a column for each power of two, relative to the highest one. */
static void draw_histogram(const struct tui_scene *s, struct tui_grid *g, int x, int y,
			   const struct doze_hist *h)
{
	uint64_t most = 1;

	for (int row = HIST_FIRST; row <= HIST_LAST; row++)
		if (row_count(h, row) > most)
			most = row_count(h, row);
	for (int row = HIST_FIRST; row <= HIST_LAST; row++) {
		uint64_t n = row_count(h, row), height = (n * (TUI_BARS - 1) + most - 1) / most;

		tui_put(g, x + row - HIST_FIRST, y, n ? s->look->bar[height] : s->look->rule,
			n ? TUI_ACTIVE : TUI_DIM);
	}
}

static void draw_delay(const struct tui_scene *s, struct tui_grid *g, int y, const char *name,
		       const struct doze_hist *h)
{
	static const double p[] = {0.5, 0.9, 0.99, 1};
	char text[32];
	int x = 1 + NAME_W;

	tui_text(g, 1, y, x, TUI_PLAIN, name);
	tui_textf(g, x, y, g->w, TUI_PLAIN, "%7s", tui_count(text, sizeof text, h->n));
	x += 9;
	for (size_t i = 0; h->n && i < sizeof p / sizeof *p; i++) {
		int64_t ns = p[i] < 1 ? doze_hist_percentile(h, p[i]) : h->max;

		tui_text(g, x + (int)i * COLUMN_W, y, g->w, TUI_PLAIN,
			 tui_duration(text, sizeof text, ns, s->look->micro));
	}
	draw_histogram(s, g, x + 4 * COLUMN_W, y, h);
}

static void draw_delay_head(struct tui_grid *g, int y)
{
	static const char *const names[] = {"p50", "p90", "p99", "max"};
	int x = 1 + NAME_W;

	tui_text(g, 1, y, g->w, TUI_BOLD, "delay");
	tui_textf(g, x, y, g->w, TUI_BOLD, "%7s", "wakes");
	x += 9;
	for (int i = 0; i < 4; i++)
		tui_text(g, x + i * COLUMN_W, y, g->w, TUI_BOLD, names[i]);
	x += 4 * COLUMN_W;
	/* 2^10 ns is about 1 us, 2^20 about 1 ms, 2^30 about 1 s */
	tui_text(g, x + 10 - HIST_FIRST, y, g->w, TUI_DIM, "1us");
	tui_text(g, x + 20 - HIST_FIRST, y, g->w, TUI_DIM, "1ms");
}

/* ---- wakers and woken ---- */

/* Writes "outside 40, w1 20 (0 futile)": the workers that sent the most wakes, in descending order.
 */
static void wakers_line(const struct tui_scene *s, char *out, size_t size)
{
	uint64_t below = UINT64_MAX;
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
				       ", w%d %" PRIu64 " (%" PRIu64 " futile)", (int)w->key.index,
				       w->wakes_sent, w->futile_sent);
			listed++;
		}
		below = best;
	}
}

/* Writes how evenly the wakes are spread: a digit per worker, relative to the most woken one. */
static void bias_line(const struct tui_scene *s, char *out, size_t size)
{
	uint64_t most = 1;
	int at = snprintf(out, size, "Woken, by worker (9: most): ");

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
	char wait[32];

	if (!s->now.totals.jobs_level)
		snprintf(out, size, "Under-wakes: unknown (record with --detail=jobs).");
	else if (!u->spans)
		snprintf(out, size, "Under-wakes: none.");
	else
		snprintf(out, size, "Under-wakes: %" PRIu64 ", the worst %s at %s.", u->spans,
			 tui_duration(wait, sizeof wait, u->worst, s->look->micro),
			 doze_position(u->worst_at - s->view.origin, 1000));
}

static void draw(const struct tui_scene *s, struct tui_paper *p)
{
	const struct doze_measures *m = &s->now.measures;
	const struct {
		const char *name;
		const struct doze_hist *hist;
	} delays[] = {{"notify to awake", &m->notify_awake},
		      {"awake to found", &m->awake_found},
		      {"publish to job", &m->publish_job},
		      {"publish to notify", &m->publish_notify},
		      {"futile search", &m->futile_search}};
	char text[TUI_SENTENCE];

	p->x++;
	if (p->y < p->bottom)
		draw_delay_head(p->g, p->y++);
	for (size_t i = 0; i < sizeof delays / sizeof *delays && p->y < p->bottom; i++)
		draw_delay(s, p->g, p->y++, delays[i].name, delays[i].hist);
	tui_sayf(p, TUI_PLAIN,
		 "Wakes per job %.3f; herd excess %" PRIu64 "; chains: %" PRIu64
		 " wakes, longest %u; storms %" PRIu64 ".",
		 s->now.amplification, s->now.herd_excess, m->chain.wakes, m->chain.longest,
		 m->storm.storms);
	wakers_line(s, text, sizeof text);
	tui_say(p, TUI_PLAIN, text);
	bias_line(s, text, sizeof text);
	tui_say(p, TUI_PLAIN, text);
	underwake_line(s, text, sizeof text);
	tui_say(p, TUI_PLAIN, text);
}

const struct tui_pane_type tui_pane_latency = {
    .name = "latency",
    .what = "delays as percentiles and histograms, wakers, under-wakes",
    .draw = draw,
};
