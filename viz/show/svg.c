/*
 * SPDX-License-Identifier: MIT
 *
 * svg.c - draws the lanes as a scalable picture, for a report or a slide. Time is divided into
 * columns (viz/show/cells), and each column shows the share of every state, so the size of the
 * picture does not depend on the length of the trace.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../trace/policies.h"
#include "../trace/utf8.h"
#include "../words/event_text.h"
#include "../words/palette.h"
#include "../words/pool_words.h"
#include "../words/quote.h"
#include "../words/units.h"
#include "cells.h"
#include "export.h"

enum {
	COLUMNS = 1200,
	LEFT = 90, /* width of the names left of the lanes, px */
	TOP = 70,
	LANE = 16,  /* height of a lane */
	PITCH = 26, /* distance between lanes; wakes are marked in the gaps */
	TICKS = 12,
	KINDS = DOZE_CELL_KINDS,
	MARKS = 200,
};

static const char *color_of(int kind)
{
	return kind == DOZE_CELL_UNKNOWN ? "url(#unknown)"
					 : doze_ink_state((enum doze_state)kind)->hex;
}

struct picture {
	struct doze_grid *grid; /* owned; null before the first event */
	struct {
		int64_t ts;
		char text[64];
	} mark[MARKS];
	size_t marks;
};

static bool begin(struct doze_export *x)
{
	x->own = calloc(1, sizeof(struct picture));
	return x->own != NULL;
}

static struct doze_grid *grid_of(void *ctx)
{
	struct doze_export *x = ctx;
	struct picture *p = x->own;
	const struct doze_selection *s = &doze_model_limits(x->model)->selection;

	if (p->grid)
		return p->grid;
	p->grid =
	    doze_grid_new(COLUMNS, doze_selected_lower(x->model), doze_selected_to(x->model, s));
	if (p->grid)
		doze_grid_begin(p->grid, x->origin);
	return p->grid;
}

static void on_interval(void *ctx, const struct doze_interval *iv)
{
	if (grid_of(ctx))
		doze_grid_interval(grid_of(ctx), iv);
}

static void on_verdict(void *ctx, const struct doze_wake *k)
{
	if (grid_of(ctx) && k->awake)
		doze_grid_wake(grid_of(ctx), k->target.row, k->awake);
}

/* Collects the storms of all pools in one lane, because the picture shows them behind all lanes. */
static void on_storm(void *ctx, const struct doze_storm *s)
{
	if (grid_of(ctx))
		doze_grid_storm(grid_of(ctx), 0, s->from, s->to);
}

static void on_mark(void *ctx, int64_t ts, uint32_t pool, int32_t worker, const char *text)
{
	struct picture *p = ((struct doze_export *)ctx)->own;

	(void)pool, (void)worker;
	if (p->marks == MARKS)
		return;
	p->mark[p->marks].ts = ts;
	doze_utf8_copy(p->mark[p->marks++].text, sizeof p->mark->text, text);
}

static void open_page(struct doze_export *x, size_t lanes)
{
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", x->out);
	doze_svg_begin(x->out, LEFT + COLUMNS + 20, TOP + lanes * PITCH + 30,
		       " font-family=\"sans-serif\" font-size=\"12\"");
	fprintf(x->out,
		"<style>text{fill:#222}.page{fill:#fff}.grid{stroke:#888;stroke-opacity:.35}"
		".mark{stroke:#888;stroke-dasharray:4 "
		"3}.wake{fill:#222}.storm{fill:%s;fill-opacity:.25}"
		"@media(prefers-color-scheme:dark){text,.wake{fill:#ddd}.page{fill:#1b1b1b}}"
		"</style>\n"
		"<defs><pattern id=\"unknown\" width=\"6\" height=\"6\" "
		"patternUnits=\"userSpaceOnUse\"><path d=\"M0 6L6 0\" stroke=\"#888\"/></pattern>"
		"</defs>\n<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n",
		doze_ink_mark(DOZE_MARK_wake)->hex);
}

static void text_at(FILE *out, int px, size_t py, const char *text)
{
	doze_svg_text(out, text, "x=\"%d\" y=\"%zu\"", px, py);
}

/* Returns the words for a kind of cell, in a program that uses libdoze or in another. */
static const char *kind_words(bool foreign, int k)
{
	return k == DOZE_CELL_UNKNOWN ? "unknown" : doze_state_words(foreign, (enum doze_state)k);
}

static void legend(FILE *out, bool foreign)
{
	int px = LEFT;

	for (int k = 1; k < KINDS; k++) {
		if (foreign &&
		    !doze_policy_has_state(&doze_policy_foreign_descriptor, (enum doze_state)k) &&
		    k != DOZE_CELL_UNKNOWN)
			continue;
		fprintf(out, "<rect x=\"%d\" y=\"28\" width=\"12\" height=\"12\" fill=\"%s\"/>", px,
			color_of(k));
		text_at(out, px + 16, 38, kind_words(foreign, k));
		px += foreign ? 190 : 90;
	}
	fprintf(out, "<path class=\"wake\" d=\"M%d 39l4 -8l4 8z\"/>", px);
	text_at(out, px + 16, 38, "woken");
	fprintf(out, "<rect class=\"storm\" x=\"%d\" y=\"28\" width=\"12\" height=\"12\"/>",
		px + 90);
	text_at(out, px + 106, 38, "storm");
}

static void ticks(struct doze_export *x, const struct doze_grid *g, size_t lanes)
{
	int64_t from, to, step;

	doze_grid_range(g, &from, &to);
	step = doze_tick_step((to - from) / TICKS);
	for (int64_t t = (from - x->origin + step - 1) / step * step; t <= to - x->origin;
	     t += step) {
		int px = LEFT + (int)((double)COLUMNS * (double)(t - (from - x->origin)) /
				      (double)(to - from));

		fprintf(x->out, "<path class=\"grid\" d=\"M%d %d V%zu\"/>", px, TOP - 6,
			TOP + lanes * PITCH);
		doze_svg_text(x->out, doze_position(t, step),
			      "x=\"%d\" y=\"%d\" text-anchor=\"middle\"", px, TOP - 10);
	}
}

/* Computes the part of column c that state k fills, in px from the bottom of the lane. */
static void column_span(const struct doze_cell *c, int k, double *low, double *high)
{
	double sum = 0;

	*low = 0;
	for (int i = 1; i < KINDS; i++)
		sum += (double)c->share[i];
	for (int i = 1; i < k; i++)
		*low += (double)c->share[i];
	*high = *low + (double)c->share[k];
	if (sum > 0) {
		*low *= LANE / sum;
		*high *= LANE / sum;
	}
}

/* Draws one state of a lane as a single path, merging neighbours of equal height into one box. */
static void lane_state(FILE *out, const struct doze_cell *cells, int k, double foot,
		       const char *words)
{
	double low = 0, high = 0, l, h;
	size_t since = 0;
	bool any = false;

	for (size_t c = 0; c <= COLUMNS; c++) {
		l = h = 0;
		if (c < COLUMNS)
			column_span(&cells[c], k, &l, &h);
		if (l >= low && l <= low && h >= high && h <= high)
			continue;
		if (high - low > 0.01) {
			fprintf(out, "%sM%zu %.2fh%zuv%.2fh-%zuz", any ? "" : "<path d=\"",
				LEFT + since, foot - high, c - since, high - low, c - since);
			any = true;
		}
		low = l;
		high = h;
		since = c;
	}
	if (any)
		fprintf(out, "\" fill=\"%s\"><title>%s</title></path>\n", color_of(k), words);
}

static bool has_state(const struct doze_cell *cells, int k)
{
	for (size_t c = 0; c < COLUMNS; c++)
		if (cells[c].share[k] > 0)
			return true;
	return false;
}

static void lane_wakes(FILE *out, const struct doze_cell *cells, size_t foot)
{
	bool any = false;

	for (size_t c = 0; c < COLUMNS; c++) {
		if (!cells[c].wakes)
			continue;
		fprintf(out, "%sM%zu %zul2 -4l2 4z", any ? "" : "<path class=\"wake\" d=\"",
			LEFT + c - 2, foot + 6);
		any = true;
	}
	if (any)
		fputs("\"><title>woken</title></path>\n", out);
}

static bool is_shown(const struct doze_export *x, size_t row)
{
	return doze_worker_set_has(&doze_model_limits(x->model)->selection.workers,
				   doze_model_worker(x->model, row)->key.index);
}

/* Names a lane after its pool and its worker. Uses the pool's name, truncated to fit left of the
 * lanes, if that identifies the pool; otherwise its number. */
static void lane_name(const struct doze_model *m, const struct doze_worker_view *w, char *name,
		      size_t size)
{
	const char *pool = doze_pool_name(m, w->pool_row);
	char letter = doze_pool_is_crew(doze_model_pool(m, w->pool_row)) ? 't' : 'w';

	if (*pool)
		snprintf(name, size, "%.*s/%c%" PRId32, (int)doze_utf8_fit(pool, 7, NULL), pool,
			 letter, w->key.index);
	else
		snprintf(name, size, "%" PRIu32 "/%c%" PRId32, w->key.pool, letter, w->key.index);
}

/* Draws a row of the model as the nth lane of the picture. */
static void lane(struct doze_export *x, const struct doze_grid *g, size_t row, size_t nth)
{
	const struct doze_worker_view *w = doze_model_worker(x->model, row);
	struct doze_cell *cells = calloc(COLUMNS, sizeof(*cells));
	size_t top = TOP + nth * PITCH;
	char name[64];

	if (!cells)
		return;
	lane_name(x->model, w, name, sizeof name);
	fprintf(x->out, "<g id=\"lane%zu\">", row);
	text_at(x->out, 8, top + 12, name);
	for (size_t c = 0; c < COLUMNS; c++)
		cells[c] = doze_grid_column(g, (uint32_t)row, c);
	for (int k = 1; k < KINDS; k++)
		if (has_state(cells, k))
			lane_state(x->out, cells, k, (double)(top + LANE),
				   kind_words(doze_model_is_foreign(x->model), k));
	lane_wakes(x->out, cells, top + LANE);
	fputs("</g>\n", x->out);
	free(cells);
	x->rows++;
}

/* Draws the storms of all pools behind the lanes. */
static void storms(struct doze_export *x, const struct doze_grid *g, size_t lanes)
{
	for (size_t c = 0; c < COLUMNS; c++)
		if (doze_grid_pool_column(g, 0, c).storm)
			fprintf(x->out,
				"<rect class=\"storm\" x=\"%zu\" y=\"%d\" width=\"1\" "
				"height=\"%zu\"/>\n",
				LEFT + c, TOP - 4, lanes * PITCH);
}

/* Draws a line for each mark, with its text unless that would cover the previous text. */
static void marks(struct doze_export *x, const struct doze_grid *g, size_t lanes)
{
	const struct picture *p = x->own;
	size_t foot = TOP + lanes * PITCH;
	int64_t from, to;
	int free_from = 0;

	doze_grid_range(g, &from, &to);
	for (size_t i = 0; i < p->marks; i++) {
		int px = LEFT + (int)((double)COLUMNS * (double)(p->mark[i].ts - from) /
				      (double)(to > from ? to - from : 1));

		fprintf(x->out, "<path class=\"mark\" d=\"M%d %d V%zu\"/>\n", px, TOP - 4,
			foot + 6);
		if (px < free_from)
			continue;
		text_at(x->out, px + 3, foot + 14, p->mark[i].text);
		free_from = px + 8 + 7 * (int)doze_utf8_columns(p->mark[i].text, SIZE_MAX);
	}
}

static void draw(struct doze_export *x, const struct doze_grid *g)
{
	size_t lanes = 0, n = 0;

	for (size_t row = 0; row < doze_model_workers(x->model); row++)
		lanes += is_shown(x, row);
	open_page(x, lanes);
	text_at(x->out, 8, 18, x->trace);
	legend(x->out, doze_model_is_foreign(x->model));
	if (g) {
		storms(x, g, lanes);
		ticks(x, g, lanes);
		for (size_t row = 0; row < doze_model_workers(x->model); row++)
			if (is_shown(x, row))
				lane(x, g, row, n++);
		marks(x, g, lanes);
	}
	fputs("</svg>\n", x->out);
}

static void end(struct doze_export *x)
{
	struct picture *p = x->own;

	if (!p)
		return;
	draw(x, p->grid);
	doze_grid_free(p->grid);
	free(p);
}

const struct doze_export_format doze_export_svg = {
    .name = "svg",
    .what = "a picture of the lanes, with wakes and storms",
    .listener = {.on_interval = on_interval,
		 .on_verdict = on_verdict,
		 .on_storm = on_storm,
		 .on_mark = on_mark},
    .begin = begin,
    .end = end,
};
