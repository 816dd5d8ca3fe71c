/*
 * SPDX-License-Identifier: MIT
 *
 * draw_wakes.c - draws the rows of wakes, which show how many wakes there were, and whether they
 * were useful.
 *
 * A row consists of entries such as "▲1△7", each followed by a blank. An entry begins at the column
 * of its first wake and counts all wakes in the columns that it covers, so the numbers in a row add
 * up to the number of wakes on the screen.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"
#include "phrases.h"

struct entry {
	int x, width; /* width: number of columns that the text needs, without the blank after it */
	struct tui_tally sum;
};

/* ---- counting ---- */

/* Counts what a history has of a worker's wakes, per column. */
static void add_history(const struct tui_scene *s, const struct tui_history *h, uint32_t row,
			struct tui_tally *columns)
{
	const struct tui_view *v = &s->view;
	int64_t left = tui_view_left(v);
	const struct tui_ring *r;

	for (int c = 0; c < v->cells; c++)
		tui_overview_wakes(&h->dropped, row, left + c * v->at.per_cell,
				   left + (c + 1) * v->at.per_cell, &columns[c]);
	if (row >= h->n_lanes)
		return;
	r = &h->lanes[row].wakes;
	for (size_t i = tui_ring_after(r, left - 1); i < r->count; i++) {
		const struct tui_wake *w = tui_ring_at(r, i);
		int64_t cell = tui_view_cell(v, w->at);

		if (cell >= v->cells || w->at > s->now.clock)
			break;
		columns[cell].n[tui_wake_kind(w->wake.verdict)]++;
		columns[cell].ending += w->wake.cause == DOZE_CAUSE_terminate;
	}
}

/* Adds a worker's wakes to the columns. As in the lanes, a column that was read back from disk is
 * counted from that part. */
static void add_lane(const struct tui_scene *s, uint32_t row, struct tui_tally *columns)
{
	size_t n = (size_t)s->view.cells;
	struct tui_tally *whole = calloc(2 * n, sizeof *whole), *part = whole ? whole + n : NULL;

	if (!whole)
		return;
	add_history(s, tui_newest(s), row, whole);
	if (s->history != tui_newest(s))
		add_history(s, s->history, row, part);
	for (int c = 0; c < s->view.cells; c++)
		tui_tally_add(&columns[c], tui_is_read_back(s, c) ? &part[c] : &whole[c]);
	free(whole);
}

static uint32_t total(const struct tui_tally *t)
{
	return t->n[TUI_USEFUL] + t->n[TUI_FUTILE_WAKE] + t->n[TUI_OPEN] + t->n[TUI_OTHER];
}

/* ---- entries ---- */

static int width_of(const struct tui_tally *t)
{
	int width = 0;

	for (int k = 0; k < TUI_WAKE_KINDS; k++)
		if (t->n[k])
			width += 1 + snprintf(NULL, 0, "%" PRIu32, t->n[k]);
	return width;
}

/* Makes an entry that begins at column x. Wakes in the columns that its text covers are added to
 * it, which may make the text longer, until no column is left to add. */
static struct entry entry_at(const struct tui_tally *columns, int n, int x)
{
	struct entry e = {.x = x, .width = width_of(&columns[x]), .sum = columns[x]};

	for (int next = x + 1; next < n && next <= x + e.width; next++) {
		tui_tally_add(&e.sum, &columns[next]);
		e.width = width_of(&e.sum);
	}
	return e;
}

/* Moves the last entry to the left until it ends at column `end`. If that entry then touches the
 * previous one, merges the two. Returns the number of entries. */
static size_t fit_last(struct entry *e, size_t n, int end)
{
	while (n && e[n - 1].x + e[n - 1].width > end) {
		e[n - 1].x = end - e[n - 1].width;
		if (n < 2 || e[n - 2].x + e[n - 2].width < e[n - 1].x)
			break;
		tui_tally_add(&e[n - 2].sum, &e[n - 1].sum);
		e[n - 2].width = width_of(&e[n - 2].sum);
		n--;
	}
	return n;
}

/* ---- drawing ---- */

static void put_entry(const struct tui_glyphs *k, struct tui_grid *g, int x, int y, int end,
		      const struct tui_tally *t)
{
	static const enum doze_verdict verdict[TUI_WAKE_KINDS] = {
	    DOZE_VERDICT_useful, DOZE_VERDICT_futile, DOZE_VERDICT_open, DOZE_VERDICT_terminate};

	for (int i = 0; i < TUI_WAKE_KINDS; i++) {
		enum tui_style style;
		uint32_t glyph = tui_wake_glyph(k, verdict[i], &style);

		if (!t->n[i])
			continue;
		tui_put(g, x, y, glyph, style);
		x = tui_textf(g, x + 1, y, end, style, "%" PRIu32, t->n[i]);
	}
}

static void draw_row(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g,
		     int y, const struct tui_tally *columns)
{
	int cells = s->view.cells;
	struct entry *e = calloc((size_t)cells, sizeof *e);
	size_t n = 0;

	for (int x = 0; e && x < cells; x++) {
		if (!total(&columns[x]))
			continue;
		e[n] = entry_at(columns, cells, x);
		x += e[n++].width;
	}
	n = fit_last(e, n, cells);
	for (size_t i = 0; i < n; i++)
		put_entry(s->glyphs, g, l->lane_x + e[i].x, y, l->lane_x + cells, &e[i].sum);
	free(e);
}

/* Writes "29, 3△" (the number of wakes, and of those in vain), or a shorter form if there is less
 * room: "53/120", or only the share. */
static void put_counts(struct tui_grid *g, int x, int y, int end, uint32_t n, uint32_t futile,
		       uint32_t glyph)
{
	if (!futile) {
		tui_textf(g, x, y, end, TUI_PLAIN, "%" PRIu32, n);
		return;
	}
	if (x + snprintf(NULL, 0, "%" PRIu32 ", %" PRIu32 "-", n, futile) <= end) {
		x = tui_textf(g, x, y, end, TUI_PLAIN, "%" PRIu32 ", ", n);
		x = tui_textf(g, x, y, end, TUI_FUTILE, "%" PRIu32, futile);
	} else if (x + snprintf(NULL, 0, "%" PRIu32 "/%" PRIu32, futile, n) <= end) {
		x = tui_textf(g, x, y, end, TUI_FUTILE, "%" PRIu32, futile);
		tui_textf(g, x, y, end, TUI_PLAIN, "/%" PRIu32, n);
		return;
	} else {
		x = tui_textf(g, x, y, end, TUI_FUTILE, "%.0f%% ", 100.0 * futile / n);
	}
	tui_put(g, x, y, glyph, TUI_FUTILE);
}

/* Draws the row's name and the number of visible wakes. Like the verdict, does not count the wakes
 * that end the pool. */
static void draw_label(const struct tui_scene *s, struct tui_grid *g, int y,
		       const struct tui_tally *columns)
{
	int x = tui_text(g, 1, y, TUI_LABEL_W, TUI_PLAIN, "wakes");
	struct tui_tally sum = {.ending = 0};

	for (int i = 0; i < s->view.cells; i++)
		tui_tally_add(&sum, &columns[i]);
	/* In a program without libdoze, more wakes may be in vain than those that show it. */
	if (total(&sum) > sum.ending && tui_is_foreign(s))
		tui_textf(g, x + 1, y, TUI_LABEL_W - 1, TUI_PLAIN, "%" PRIu32, total(&sum));
	else if (total(&sum) > sum.ending)
		put_counts(g, x + 1, y, TUI_LABEL_W - 1, total(&sum) - sum.ending,
			   sum.n[TUI_FUTILE_WAKE], s->glyphs->wake_futile);
}

void tui_draw_wakes(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g)
{
	size_t bytes = (size_t)s->view.cells * sizeof(struct tui_tally);
	struct tui_tally *columns = calloc(1, bytes);

	for (size_t i = 0; columns && s->view.marks && i < s->now.n_lanes; i++) {
		size_t on_screen = i - s->view.first_lane;

		if (l->lane_h < 2) {
			add_lane(s, s->now.lanes[i], columns);
			continue;
		}
		if (i < s->view.first_lane || on_screen >= (size_t)l->lanes_n)
			continue;
		memset(columns, 0, bytes);
		add_lane(s, s->now.lanes[i], columns);
		draw_row(s, l, g, l->lanes_y + (int)on_screen * l->lane_h + 1, columns);
	}
	if (columns && l->wakes_y >= 0) {
		draw_label(s, g, l->wakes_y, columns);
		draw_row(s, l, g, l->wakes_y, columns);
	}
	free(columns);
}
