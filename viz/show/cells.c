/*
 * SPDX-License-Identifier: MIT
 *
 * cells.c - see cells.h.
 */
#include "cells.h"

#include <stdlib.h>
#include <string.h>

#include "lanes.h"

/* When the trace ends, at least half of the grid's cells are in use, so a column covers at least 8
 * cells, and its edges are accurate to 1/8 of its width. */
#define CELLS_PER_COLUMN 16
#define FIRST_CELL_NS    1024
#define FINER_CHANGES    2 /* at least one state begins and ends within the cell */
/* A `finer` cell shows an awake state if the worker was awake for at least 1/8 of the cell. */
#define NOTABLE 8

struct pool_lanes {
	struct doze_pool_cell **lane; /* owned arrays of cells; null: nothing seen yet */
	size_t count;
};

struct worker_lanes {
	struct doze_lane *lane; /* owned */
	size_t count;
};

struct doze_grid {
	size_t columns, cells;
	int64_t from, to;    /* the requested time range */
	int64_t origin, end; /* time range of the events so far */
	bool begun, fixed, missing;
	double cell_ns;
	struct worker_lanes workers;
	struct pool_lanes pools;
};

static int longest(const struct doze_cell *c, bool awake_only)
{
	int best = DOZE_STATE_none;

	for (int k = DOZE_STATE_active; k < DOZE_STATE_COUNT; k++)
		if (c->share[k] > c->share[best] &&
		    !(awake_only && (k == DOZE_STATE_sleeping || k == DOZE_STATE_stopped)))
			best = k;
	return best;
}

/* Decides what a cell shows. A cell during which events were lost is unknown. A cell in which a
 * state begins and ends is `finer`. If the worker was awake for at least an eighth of such a cell,
 * the cell shows the longest awake state, so that short work does not vanish between long sleeps.
 * All other cells show the longest state. */
struct doze_gist doze_cell_gist(const struct doze_cell *c)
{
	struct doze_gist g = {.finer = c->changes >= FINER_CHANGES};
	double all = 0, asleep = (double)c->share[DOZE_STATE_sleeping];

	for (int k = 0; k < DOZE_STATE_COUNT; k++)
		if (doze_state_is_alive((enum doze_state)k))
			all += (double)c->share[k];
	g.active = all > 0 ? (double)c->share[DOZE_STATE_active] / all : 0;
	if (c->share[DOZE_CELL_UNKNOWN] > 0)
		g.kind = DOZE_CELL_UNKNOWN;
	else
		g.kind = longest(c, g.finer && (all - asleep) * NOTABLE >= all && all > 0);
	return g;
}

struct doze_grid *doze_grid_new(size_t columns, int64_t from, int64_t to)
{
	struct doze_grid *g = calloc(1, sizeof *g);

	if (!g)
		return NULL;
	g->columns = columns;
	g->cells = columns * CELLS_PER_COLUMN;
	g->from = from;
	g->to = to;
	g->cell_ns = FIRST_CELL_NS;
	if (from != INT64_MIN && to != INT64_MAX && to > from) {
		g->fixed = true;
		g->begun = true;
		g->origin = from;
		g->end = to;
		g->cell_ns = (double)(to - from) / (double)g->cells;
	}
	return g;
}

void doze_grid_free(struct doze_grid *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->workers.count; i++)
		doze_lane_free(&g->workers.lane[i]);
	for (size_t i = 0; i < g->pools.count; i++)
		free(g->pools.lane[i]);
	free(g->workers.lane);
	free(g->pools.lane);
	free(g);
}

bool doze_grid_short(const struct doze_grid *g)
{
	return g->missing;
}

static struct doze_lane *worker_lane(struct doze_grid *g, uint32_t row)
{
	struct worker_lanes *w = &g->workers;

	if (row >= w->count) {
		struct doze_lane *more = realloc(w->lane, (row + 1) * sizeof *more);

		if (!more) {
			g->missing = true;
			return NULL;
		}
		memset(more + w->count, 0, (row + 1 - w->count) * sizeof *more);
		w->lane = more;
		w->count = row + 1;
	}
	return &w->lane[row];
}

static struct doze_pool_cell *pool_lane(struct doze_grid *g, size_t pool)
{
	struct pool_lanes *p = &g->pools;

	if (pool >= p->count) {
		struct doze_pool_cell **more = realloc(p->lane, (pool + 1) * sizeof *more);

		if (!more)
			goto missing;
		memset(more + p->count, 0, (pool + 1 - p->count) * sizeof *more);
		p->lane = more;
		p->count = pool + 1;
	}
	if (!p->lane[pool])
		p->lane[pool] = calloc(g->cells, sizeof **p->lane);
	if (p->lane[pool])
		return p->lane[pool];
missing:
	g->missing = true;
	return NULL;
}

static void add_pool_cell(struct doze_pool_cell *to, const struct doze_pool_cell *from)
{
	if (from->words)
		to->odd = from->odd;
	to->words += from->words;
	to->toggles += from->toggles;
	to->sleeping = from->sleeping > to->sleeping ? from->sleeping : to->sleeping;
	to->storm |= from->storm;
	to->lost |= from->lost;
}

/* Merges cells 2i and 2i+1 into cell i. */
static void fold_pool(const struct doze_grid *g, struct doze_pool_cell *p)
{
	size_t half = g->cells / 2;

	for (size_t i = 0; i < half; i++) {
		struct doze_pool_cell a = p[2 * i];

		add_pool_cell(&a, &p[2 * i + 1]);
		p[i] = a;
	}
	memset(p + half, 0, half * sizeof *p);
}

static void fold(struct doze_grid *g)
{
	for (size_t i = 0; i < g->workers.count; i++)
		if (!doze_lane_fold(&g->workers.lane[i])) {
			doze_lane_free(&g->workers.lane[i]);
			g->missing = true;
		}
	for (size_t i = 0; i < g->pools.count; i++)
		if (g->pools.lane[i])
			fold_pool(g, g->pools.lane[i]);
	g->cell_ns *= 2;
}

void doze_grid_begin(struct doze_grid *g, int64_t ts)
{
	if (g->begun)
		return;
	g->begun = true;
	g->origin = g->from > ts ? g->from : ts;
	g->end = g->origin;
}

/* Clips [*a, *b] to the requested range and extends the grid to cover it. Returns false when
 * nothing remains. */
static bool cover(struct doze_grid *g, int64_t *a, int64_t *b)
{
	*a = *a < g->from ? g->from : *a;
	*b = *b > g->to ? g->to : *b;
	if (*b < *a)
		return false;
	doze_grid_begin(g, *a);
	*a = *a < g->origin ? g->origin : *a;
	if (*b < *a)
		return false;
	while (!g->fixed && (double)(*b - g->origin) >= g->cell_ns * (double)g->cells)
		fold(g);
	g->end = *b > g->end ? *b : g->end;
	return true;
}

static size_t cell_at(const struct doze_grid *g, int64_t ts)
{
	size_t i = (size_t)((double)(ts - g->origin) / g->cell_ns);

	return i < g->cells ? i : g->cells - 1;
}

void doze_grid_interval(struct doze_grid *g, const struct doze_interval *iv)
{
	int64_t a = iv->from, b = iv->to;
	int kind = iv->unknown ? DOZE_CELL_UNKNOWN : (int)iv->state;
	struct doze_lane *w;
	size_t i, last;

	if (!cover(g, &a, &b))
		return;
	w = worker_lane(g, iv->who.row);
	if (!w)
		return;
	i = cell_at(g, a);
	last = cell_at(g, b);
	for (size_t first = i; i <= last; i++) {
		double lo = (double)(a - g->origin), hi = (double)(b - g->origin);
		double begin = (double)i * g->cell_ns, end = begin + g->cell_ns;
		struct doze_cell cell = {.changes = i == first && a == iv->from &&
						    iv->why != DOZE_REASON_start};

		lo = lo > begin ? lo : begin;
		hi = hi < end || i == last ? hi : end;
		cell.share[kind] = (float)(hi > lo ? hi - lo : 0);
		g->missing |= !doze_lane_add(w, i, &cell);
	}
}

void doze_grid_wake(struct doze_grid *g, uint32_t row, int64_t ts)
{
	static const struct doze_cell wake = {.wakes = 1};
	int64_t a = ts, b = ts;
	struct doze_lane *w;

	if (!cover(g, &a, &b) || a != ts)
		return;
	w = worker_lane(g, row);
	if (w)
		g->missing |= !doze_lane_add(w, cell_at(g, ts), &wake);
}

void doze_grid_word(struct doze_grid *g, size_t pool, int64_t ts, uint32_t sleeping, bool odd,
		    bool toggled)
{
	int64_t a = ts, b = ts;
	struct doze_pool_cell *p;

	if (!cover(g, &a, &b) || a != ts)
		return;
	p = pool_lane(g, pool);
	if (!p)
		return;
	p += cell_at(g, ts);
	p->toggles += toggled;
	p->words++;
	p->odd = odd;
	if (sleeping > p->sleeping)
		p->sleeping = (uint16_t)(sleeping < UINT16_MAX ? sleeping : UINT16_MAX);
}

/* Merges `what` into every cell from `from` to `to`. */
static void pool_span(struct doze_grid *g, size_t pool, int64_t from, int64_t to,
		      struct doze_pool_cell what)
{
	struct doze_pool_cell *p;

	if (!cover(g, &from, &to))
		return;
	p = pool_lane(g, pool);
	for (size_t i = cell_at(g, from), last = cell_at(g, to); p && i <= last; i++)
		add_pool_cell(&p[i], &what);
}

void doze_grid_storm(struct doze_grid *g, size_t pool, int64_t from, int64_t to)
{
	pool_span(g, pool, from, to, (struct doze_pool_cell){.storm = true});
}

void doze_grid_lost(struct doze_grid *g, size_t pool, int64_t from, int64_t to)
{
	pool_span(g, pool, from, to, (struct doze_pool_cell){.lost = true});
}

void doze_grid_range(const struct doze_grid *g, int64_t *from, int64_t *to)
{
	*from = g->origin;
	*to = g->end > g->origin ? g->end : g->origin + 1;
}

/* Returns the cells that column c covers: those whose middle is in the column, but at least one. */
static void column_cells(const struct doze_grid *g, size_t c, size_t *first, size_t *last)
{
	int64_t from, to;
	double column_ns;

	doze_grid_range(g, &from, &to);
	column_ns = (double)(to - from) / (double)g->columns;
	*first = (size_t)((double)c * column_ns / g->cell_ns + 0.5);
	*last = (size_t)((double)(c + 1) * column_ns / g->cell_ns + 0.5);
	*first = *first < g->cells ? *first : g->cells - 1;
	*last = *last > *first ? *last : *first + 1;
	*last = *last < g->cells ? *last : g->cells;
}

struct doze_cell doze_grid_column(const struct doze_grid *g, uint32_t row, size_t column)
{
	size_t first, last;

	if (row >= g->workers.count)
		return (struct doze_cell){0};
	column_cells(g, column, &first, &last);
	return doze_lane_sum(&g->workers.lane[row], first, last);
}

struct doze_pool_cell doze_grid_pool_column(const struct doze_grid *g, size_t pool, size_t column)
{
	struct doze_pool_cell sum = {0};
	size_t i, last;
	const struct doze_pool_cell *p;

	if (pool >= g->pools.count || !g->pools.lane[pool])
		return sum;
	p = g->pools.lane[pool];
	for (column_cells(g, column, &i, &last); i < last; i++)
		add_pool_cell(&sum, &p[i]);
	return sum;
}
