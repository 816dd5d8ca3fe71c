/*
 * SPDX-License-Identifier: MIT
 *
 * overview.c - see overview.h.
 */
#include "overview.h"

#include <stdlib.h>
#include <string.h>

#include "../../trace/grow.h"

/* Memory is measured after this many items. */
enum { MEASURE_EVERY = 1 << 14 };
/* The shortest cell: about a microsecond. */
enum { FIRST_SHIFT = 10 };

/* ---- cells ---- */

static size_t cell_at(const struct tui_overview *o, int64_t t)
{
	return t > o->origin ? (size_t)((t - o->origin) >> o->shift) : 0;
}

static int64_t begin_of(const struct tui_overview *o, size_t cell)
{
	return o->origin + (int64_t)(cell << o->shift);
}

int64_t tui_overview_cell_ns(const struct tui_overview *o)
{
	return o->begun ? INT64_C(1) << o->shift : 0;
}

/* ---- the cells of wakes and counters, which are appended ---- */

void tui_tally_add(struct tui_tally *to, const struct tui_tally *from)
{
	for (int k = 0; k < TUI_WAKE_KINDS; k++)
		to->n[k] += from->n[k];
	to->ending += from->ending;
}

static void add_counters(struct tui_counter_cell *to, const struct tui_counter_cell *from)
{
	for (int i = 0; i < TUI_JEC; i++)
		to->ns[i] += from->ns[i];
	to->covered += from->covered;
	to->toggles += from->toggles;
	to->jec = from->jec;
	to->has_jec = from->has_jec;
}

/* Returns the tally of the cell, which is the lane's last one or a new one behind it; null if out
 * of memory. */
static struct tui_tally *tally_of(struct tui_overview_lane *l, uint32_t cell)
{
	struct tui_tally_cell *all;

	/* Wakes are stored in the order in which they are reported. One that is reported late is
	 * counted in the last cell. */
	if (l->n_wakes && l->wakes[l->n_wakes - 1].cell >= cell)
		return &l->wakes[l->n_wakes - 1].tally;
	all = doze_grow(l->wakes, &l->room, l->n_wakes, sizeof *all);
	if (!all)
		return NULL;
	l->wakes = all;
	all[l->n_wakes] = (struct tui_tally_cell){.cell = cell};
	return &all[l->n_wakes++].tally;
}

static struct tui_counter_cell *counters_of(struct tui_overview_pool *p, uint32_t cell)
{
	struct tui_counters_cell *all;

	if (p->n_counters && p->counters[p->n_counters - 1].cell >= cell)
		return &p->counters[p->n_counters - 1].sum;
	all = doze_grow(p->counters, &p->room, p->n_counters, sizeof *all);
	if (!all)
		return NULL;
	p->counters = all;
	all[p->n_counters] = (struct tui_counters_cell){.cell = cell};
	return &all[p->n_counters++].sum;
}

/* ---- merging pairs of cells ---- */

static void fold_wakes(struct tui_overview_lane *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->n_wakes; i++) {
		struct tui_tally_cell c = l->wakes[i];

		c.cell /= 2;
		if (kept && l->wakes[kept - 1].cell == c.cell)
			tui_tally_add(&l->wakes[kept - 1].tally, &c.tally);
		else
			l->wakes[kept++] = c;
	}
	l->n_wakes = kept;
}

static void fold_counters(struct tui_overview_pool *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->n_counters; i++) {
		struct tui_counters_cell c = p->counters[i];

		c.cell /= 2;
		if (kept && p->counters[kept - 1].cell == c.cell)
			add_counters(&p->counters[kept - 1].sum, &c.sum);
		else
			p->counters[kept++] = c;
	}
	p->n_counters = kept;
}

static void fold(struct tui_overview *o)
{
	for (size_t i = 0; i < o->lanes; i++) {
		if (!doze_lane_fold(&o->lane[i].states)) {
			doze_lane_free(&o->lane[i].states);
			o->incomplete = true;
		}
		fold_wakes(&o->lane[i]);
	}
	for (size_t i = 0; i < o->pools; i++)
		fold_counters(&o->pool[i]);
	o->shift++;
}

static size_t bytes_of(const struct tui_overview *o)
{
	size_t n = 0;

	for (size_t i = 0; i < o->lanes; i++)
		n += doze_lane_bytes(&o->lane[i].states) +
		     o->lane[i].n_wakes * sizeof(struct tui_tally_cell);
	for (size_t i = 0; i < o->pools; i++)
		n += o->pool[i].n_counters * sizeof(struct tui_counters_cell);
	return n;
}

/* Prepares the overview for an item that ends at `to`. */
static void cover(struct tui_overview *o, int64_t from, int64_t to)
{
	if (!o->begun) {
		o->begun = true;
		o->origin = from;
		o->shift = FIRST_SHIFT;
	}
	while (cell_at(o, to) >= TUI_OVERVIEW_CELLS)
		fold(o);
	if (++o->added % MEASURE_EVERY == 0 && bytes_of(o) > TUI_OVERVIEW_BYTES)
		fold(o);
}

/* ---- adding ---- */

static struct tui_overview_lane *lane_of(struct tui_overview *o, uint32_t row)
{
	struct tui_overview_lane *all = doze_grow(o->lane, &o->lanes, row, sizeof *all);

	o->incomplete |= !all;
	o->lane = all ? all : o->lane;
	return all ? &all[row] : NULL;
}

void tui_overview_span(struct tui_overview *o, uint32_t row, int64_t from, int64_t to, int kind,
		       bool is_change)
{
	struct tui_overview_lane *l = lane_of(o, row);

	if (!l)
		return;
	cover(o, from, to);
	for (size_t i = cell_at(o, from), last = cell_at(o, to > from ? to - 1 : to); i <= last;
	     i++) {
		int64_t begin = begin_of(o, i), end = begin_of(o, i + 1);
		struct doze_cell c = {.changes = is_change};

		c.share[kind] = (float)((to < end ? to : end) - (from > begin ? from : begin));
		is_change = false;
		o->incomplete |= !doze_lane_add(&l->states, i, &c);
	}
}

void tui_overview_wake(struct tui_overview *o, uint32_t row, int64_t at, enum tui_wake_kind kind,
		       bool is_ending)
{
	struct tui_overview_lane *l = lane_of(o, row);
	struct tui_tally *t;

	if (!l)
		return;
	cover(o, at, at);
	t = tally_of(l, (uint32_t)cell_at(o, at));
	o->incomplete |= !t;
	if (t) {
		t->n[kind]++;
		t->ending += is_ending;
	}
}

static void add_part(struct tui_counter_cell *sum, const struct tui_counters *c, int64_t ns)
{
	for (int k = 0; k < TUI_JEC; k++)
		sum->ns[k] += (double)c->count[k] * (double)ns;
	sum->covered += ns;
	sum->jec = c->jec;
	sum->has_jec = c->has_jec;
}

void tui_overview_counters(struct tui_overview *o, size_t pool, int64_t from, int64_t to,
			   const struct tui_counters *c)
{
	struct tui_overview_pool *all = doze_grow(o->pool, &o->pools, pool, sizeof *all);
	uint64_t toggles = c->toggles;

	o->incomplete |= !all;
	if (!all)
		return;
	o->pool = all;
	cover(o, from, to);
	for (size_t i = cell_at(o, from), last = cell_at(o, to > from ? to - 1 : to); i <= last;
	     i++) {
		int64_t begin = begin_of(o, i), end = begin_of(o, i + 1);
		struct tui_counter_cell *sum = counters_of(&all[pool], (uint32_t)i);

		o->incomplete |= !sum;
		if (!sum)
			return;
		add_part(sum, c, (to < end ? to : end) - (from > begin ? from : begin));
		sum->toggles += toggles;
		toggles = 0;
	}
}

void tui_overview_free(struct tui_overview *o)
{
	for (size_t i = 0; i < o->lanes; i++) {
		doze_lane_free(&o->lane[i].states);
		free(o->lane[i].wakes);
	}
	for (size_t i = 0; i < o->pools; i++)
		free(o->pool[i].counters);
	free(o->lane);
	free(o->pool);
	*o = (struct tui_overview){0};
}

void tui_overview_limit(struct tui_overview *o, uint64_t most)
{
	while (o->begun && bytes_of(o) > most && o->shift < 62)
		fold(o);
}

void tui_overview_saved(struct tui_overview *o, struct doze_saved *s)
{
	(void)doze_saved_value(s, o->origin);
	(void)doze_saved_value(s, o->shift);
	(void)doze_saved_value(s, o->begun);
	(void)doze_saved_value(s, o->incomplete);
	(void)doze_saved_array(s, o->lane, o->lanes);
	(void)doze_saved_array(s, o->pool, o->pools);
	/* The loaded lanes and pools have the addresses of arrays that no longer exist. */
	for (size_t i = 0; i < o->lanes && s->loads; i++)
		o->lane[i] = (struct tui_overview_lane){0};
	for (size_t i = 0; i < o->pools && s->loads; i++)
		o->pool[i] = (struct tui_overview_pool){0};
	for (size_t i = 0; i < o->lanes; i++) {
		struct tui_overview_lane *l = &o->lane[i];

		doze_lane_saved(&l->states, s);
		(void)doze_saved_array(s, l->wakes, l->n_wakes);
		l->room = s->loads ? l->n_wakes : l->room;
	}
	for (size_t i = 0; i < o->pools; i++) {
		(void)doze_saved_array(s, o->pool[i].counters, o->pool[i].n_counters);
		o->pool[i].room = s->loads ? o->pool[i].n_counters : o->pool[i].room;
	}
}

bool tui_overview_copy(struct tui_overview *to, const struct tui_overview *from)
{
	struct doze_saved s = {0};
	struct tui_overview copy = *from;
	bool ok;

	tui_overview_saved(&copy, &s);
	s.loads = true;
	tui_overview_saved(to, &s);
	to->added = from->added;
	ok = !s.failed;
	doze_saved_free(&s);
	return ok;
}

/* ---- reading ---- */

/* Returns the index of the first of n entries, each of which begins with its cell, whose cell is
 * not before `cell`. */
static size_t first_at(const void *entries, size_t n, size_t size, size_t cell)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint32_t its;

		memcpy(&its, (const char *)entries + middle * size, sizeof its);
		if (its >= cell)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* The cells that a column covers. */
struct cells {
	size_t first, last; /* exclusive: the cells whose middle is in the column */
	/* The column is shorter than a cell: `first` is the cell that contains it. */
	bool is_part;
	double part; /* the column's share of the cell's length */
};

static struct cells cells_of(const struct tui_overview *o, int64_t from, int64_t to)
{
	int64_t half = tui_overview_cell_ns(o) / 2;
	struct cells c = {.is_part = to - from < 2 * half};

	/* The middle of cell i is in [from, to) if its beginning is in [from - half, to - half). */
	c.first = from - half <= o->origin ? 0 : cell_at(o, from - half - 1) + 1;
	c.last = to - half <= o->origin ? 0 : cell_at(o, to - half - 1) + 1;
	if (c.is_part)
		c.part = (double)(to - from) / (double)(2 * half);
	return c;
}

void tui_overview_states(const struct tui_overview *o, uint32_t row, int64_t from, int64_t to,
			 struct doze_cell *out)
{
	struct cells c;
	struct doze_cell sum;

	if (!o->begun || row >= o->lanes || to <= o->origin)
		return;
	c = cells_of(o, from, to);
	if (c.is_part) {
		c.first = cell_at(o, from);
		c.last = c.first + 1;
	}
	sum = doze_lane_sum(&o->lane[row].states, c.first, c.last);
	for (int k = 0; k < DOZE_CELL_KINDS; k++)
		out->share[k] += c.is_part ? (float)((double)sum.share[k] * c.part) : sum.share[k];
	out->changes += sum.changes;
}

void tui_overview_wakes(const struct tui_overview *o, uint32_t row, int64_t from, int64_t to,
			struct tui_tally *out)
{
	const struct tui_overview_lane *l;
	struct cells c;
	size_t i;

	if (!o->begun || row >= o->lanes || to <= o->origin)
		return;
	l = &o->lane[row];
	c = cells_of(o, from, to);
	i = first_at(l->wakes, l->n_wakes, sizeof *l->wakes, c.first);
	for (; i < l->n_wakes && l->wakes[i].cell < c.last; i++)
		tui_tally_add(out, &l->wakes[i].tally);
}

/* Adds the part of a cell that belongs to a column shorter than the cell. */
static void add_share(struct tui_counter_cell *out, const struct tui_counter_cell *cell,
		      double part, bool has_middle)
{
	struct tui_counter_cell c = *cell;

	for (int k = 0; k < TUI_JEC; k++)
		c.ns[k] *= part;
	c.covered = (int64_t)((double)c.covered * part);
	c.toggles = has_middle ? c.toggles : 0;
	add_counters(out, &c);
}

void tui_overview_counts(const struct tui_overview *o, size_t pool, int64_t from, int64_t to,
			 struct tui_counter_cell *out)
{
	const struct tui_overview_pool *p;
	struct cells c;
	size_t i, end;

	if (!o->begun || pool >= o->pools || to <= o->origin)
		return;
	p = &o->pool[pool];
	c = cells_of(o, from, to);
	i = c.is_part ? cell_at(o, from) : c.first;
	end = c.is_part ? i + 1 : c.last;
	i = first_at(p->counters, p->n_counters, sizeof *p->counters, i);
	for (; i < p->n_counters && p->counters[i].cell < end; i++) {
		if (c.is_part)
			add_share(out, &p->counters[i].sum, c.part, c.first < c.last);
		else
			add_counters(out, &p->counters[i].sum);
	}
}
