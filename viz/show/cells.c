/*
 * SPDX-License-Identifier: MIT
 *
 * cells.c - see cells.h.
 */
#include "cells.h"

#include <stdlib.h>
#include <string.h>

#include "../trace/grow.h"

/*
 * ---- Lanes ----
 *
 * Sums of floating-point numbers depend on their order, so all functions add
 * in the order in which an array with every cell would be added up: a picture does not change with
 * the way in which its cells are stored.
 */

/* Cells with the same content, at least one. A lane's runs are in ascending order, do not overlap,
 * and do not contain empty cells. */
struct doze_cell_run {
	uint32_t first, count;
	struct doze_cell cell;
};

static size_t end_of(const struct doze_cell_run *r)
{
	return (size_t)r->first + r->count;
}

static void add(struct doze_cell *to, const struct doze_cell *from)
{
	for (int k = 0; k < DOZE_CELL_KINDS; k++)
		to->share[k] += from->share[k];
	to->changes += from->changes;
	to->wakes += from->wakes;
}

/* Makes room for more runs; 0 is allowed only if the lane has one. */
static bool grow(struct doze_lane *l, size_t more)
{
	struct doze_cell_run *run = doze_grow(l->run, &l->room, l->count + more - 1, sizeof *run);

	l->run = run ? run : l->run;
	return run != NULL;
}

static bool is_same(const struct doze_cell *a, const struct doze_cell *b)
{
	for (int i = 0; i < DOZE_CELL_KINDS; i++)
		if (a->share[i] != b->share[i])
			return false;
	return a->changes == b->changes && a->wakes == b->wakes;
}

/* Appends a run behind all others, or extends the last one. */
static bool append(struct doze_lane *l, size_t first, size_t count, const struct doze_cell *c)
{
	struct doze_cell_run *last = l->count ? &l->run[l->count - 1] : NULL;

	if (last && end_of(last) == first && is_same(&last->cell, c)) {
		last->count += (uint32_t)count;
		return true;
	}
	if (!grow(l, 1))
		return false;
	l->run[l->count++] = (struct doze_cell_run){(uint32_t)first, (uint32_t)count, *c};
	return true;
}

/* Returns the index of the first run that ends behind cell i. */
static size_t run_at(const struct doze_lane *l, size_t i)
{
	size_t low = 0, high = l->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (end_of(&l->run[middle]) > i)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Inserts n runs at index `at`, for the caller to fill in. */
static bool insert(struct doze_lane *l, size_t at, size_t n)
{
	if (!grow(l, n))
		return false;
	memmove(&l->run[at + n], &l->run[at], (l->count - at) * sizeof *l->run);
	l->count += n;
	return true;
}

/* Splits run `at`, so that cell i has a run of its own. Returns its index, or -1 if out of
 * memory. */
static int64_t split(struct doze_lane *l, size_t at, size_t i)
{
	struct doze_cell_run r = l->run[at];
	size_t before = i - r.first, behind = end_of(&r) - i - 1;
	size_t n = (before ? 1u : 0u) + (behind ? 1u : 0u);

	if (!insert(l, at, n))
		return -1;
	if (before)
		l->run[at++] = (struct doze_cell_run){r.first, (uint32_t)before, r.cell};
	l->run[at] = (struct doze_cell_run){(uint32_t)i, 1, r.cell};
	if (behind)
		l->run[at + 1] =
		    (struct doze_cell_run){(uint32_t)(i + 1), (uint32_t)behind, r.cell};
	return (int64_t)at;
}

bool doze_lane_add(struct doze_lane *l, size_t i, const struct doze_cell *what)
{
	size_t at;
	int64_t own;

	if (!l->count || i >= end_of(&l->run[l->count - 1]))
		return append(l, i, 1, what);
	at = run_at(l, i);
	if (i < l->run[at].first) {
		if (!insert(l, at, 1))
			return false;
		l->run[at] = (struct doze_cell_run){(uint32_t)i, 1, *what};
		return true;
	}
	own = split(l, at, i);
	if (own < 0)
		return false;
	add(&l->run[own].cell, what);
	return true;
}

/* Merges a run into a lane of half as many cells. *odd is the previous cell if it has an even index
 * and is not merged yet; otherwise its count is 0. */
static bool fold_run(struct doze_lane *to, const struct doze_cell_run *r, struct doze_cell_run *odd)
{
	size_t i = r->first, end = end_of(r);
	struct doze_cell sum = r->cell;

	if (odd->count && end_of(odd) == i) {
		add(&odd->cell, &r->cell);
		i++;
	}
	if (odd->count && !append(to, odd->first / 2, 1, &odd->cell))
		return false;
	odd->count = 0;
	if (i < end && i % 2) {
		if (!append(to, i / 2, 1, &r->cell))
			return false;
		i++;
	}
	add(&sum, &r->cell);
	if (end - i >= 2 && !append(to, i / 2, (end - i) / 2, &sum))
		return false;
	if ((end - i) % 2)
		*odd = (struct doze_cell_run){(uint32_t)(end - 1), 1, r->cell};
	return true;
}

bool doze_lane_fold(struct doze_lane *l)
{
	struct doze_lane to = {0};
	struct doze_cell_run odd = {0};
	bool ok = true;

	for (size_t n = 0; ok && n < l->count; n++)
		ok = fold_run(&to, &l->run[n], &odd);
	if (ok && odd.count)
		ok = append(&to, odd.first / 2, 1, &odd.cell);
	doze_lane_free(ok ? l : &to);
	if (ok)
		*l = to;
	return ok;
}

struct doze_cell doze_lane_sum(const struct doze_lane *l, size_t first, size_t last)
{
	struct doze_cell sum = {0};

	for (size_t at = run_at(l, first); at < l->count && l->run[at].first < last; at++) {
		const struct doze_cell_run *r = &l->run[at];
		size_t i = r->first > first ? r->first : first;
		size_t end = end_of(r) < last ? end_of(r) : last;

		for (; i < end; i++)
			add(&sum, &r->cell);
	}
	return sum;
}

size_t doze_lane_bytes(const struct doze_lane *l)
{
	return l->count * sizeof *l->run;
}

void doze_lane_free(struct doze_lane *l)
{
	free(l->run);
	*l = (struct doze_lane){0};
}

void doze_lane_saved(struct doze_lane *l, struct doze_saved *s)
{
	(void)doze_saved_array(s, l->run, l->count);
	l->room = s->loads ? l->count : l->room;
}

/* When the trace ends, at least half of the grid's cells are in use, so a column covers at least 8
 * cells, and its edges are accurate to 1/8 of its width. */
#define CELLS_PER_COLUMN 16
#define FIRST_CELL_NS    1024
#define FINER_CHANGES    2 /* at least one state begins and ends within the cell */
/* A `finer` cell shows an awake state if the worker was awake for at least 1/8 of the cell. */
#define NOTABLE 8

struct doze_grid {
	size_t columns, cells;
	int64_t from, to;    /* the requested time range */
	int64_t origin, end; /* time range of the events so far */
	bool begun, fixed, missing;
	double cell_ns;
	struct doze_lane *lane;            /* owned, and so is their content; by worker row */
	struct doze_pool_cell **pool_lane; /* owned; by pool row */
	size_t lanes, pool_lanes;
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
	for (size_t i = 0; i < g->lanes; i++)
		doze_lane_free(&g->lane[i]);
	for (size_t i = 0; i < g->pool_lanes; i++)
		free(g->pool_lane[i]);
	free(g->lane);
	free(g->pool_lane);
	free(g);
}

bool doze_grid_short(const struct doze_grid *g)
{
	return g->missing;
}

static struct doze_lane *worker_lane(struct doze_grid *g, uint32_t row)
{
	struct doze_lane *lane = doze_grow(g->lane, &g->lanes, row, sizeof *lane);

	g->missing |= !lane;
	g->lane = lane ? lane : g->lane;
	return lane ? &lane[row] : NULL;
}

static struct doze_pool_cell *pool_lane(struct doze_grid *g, size_t pool)
{
	struct doze_pool_cell **lane =
	    doze_grow(g->pool_lane, &g->pool_lanes, pool, sizeof(struct doze_pool_cell *));

	g->pool_lane = lane ? lane : g->pool_lane;
	if (lane && !lane[pool])
		lane[pool] = calloc(g->cells, sizeof **lane);
	g->missing |= !lane || !lane[pool];
	return lane ? lane[pool] : NULL;
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
	for (size_t i = 0; i < g->lanes; i++)
		if (!doze_lane_fold(&g->lane[i])) {
			doze_lane_free(&g->lane[i]);
			g->missing = true;
		}
	for (size_t i = 0; i < g->pool_lanes; i++)
		if (g->pool_lane[i])
			fold_pool(g, g->pool_lane[i]);
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

	if (row >= g->lanes)
		return (struct doze_cell){0};
	column_cells(g, column, &first, &last);
	return doze_lane_sum(&g->lane[row], first, last);
}

struct doze_pool_cell doze_grid_pool_column(const struct doze_grid *g, size_t pool, size_t column)
{
	struct doze_pool_cell sum = {0};
	size_t i, last;
	const struct doze_pool_cell *p;

	if (pool >= g->pool_lanes || !g->pool_lane[pool])
		return sum;
	p = g->pool_lane[pool];
	for (column_cells(g, column, &i, &last); i < last; i++)
		add_pool_cell(&sum, &p[i]);
	return sum;
}
