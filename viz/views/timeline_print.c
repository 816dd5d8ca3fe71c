/*
 * SPDX-License-Identifier: MIT
 *
 * timeline_print.c - draws a timeline. Every line is at most as wide as asked for.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../options.h"
#include "timeline_int.h"
#include "units.h"

#define FINER_CHANGES 3 /* so many changes in one cell, and what it shows is not all of it */

struct canvas {
	const struct doze_timeline *t;
	const struct doze_palette *p;
	FILE *out;
	const char *color; /* the one that is on, "" = none */
};

/* One column, its colour changed only where it must be. */
static void put(struct canvas *c, const char *color, const char *glyph)
{
	if (strcmp(c->color, color) != 0) {
		fputs(doze_color_off(c->p), c->out);
		fputs(color, c->out);
		c->color = color;
	}
	fputs(glyph, c->out);
}

static void plain(struct canvas *c)
{
	if (*c->color)
		fputs(doze_color_off(c->p), c->out);
	c->color = "";
}

static const char *bar(const struct canvas *c)
{
	return c->p->ascii ? "|" : "│";
}

static void begin_row(struct canvas *c, const char *label)
{
	fprintf(c->out, "%-*s%s", TIMELINE_LABEL - 1, label, bar(c));
}

static void end_row(struct canvas *c, const char *right)
{
	plain(c);
	fprintf(c->out, "%s%s\n", bar(c), right);
}

/* The kind that fills most of the cell; none if nothing is known of it. */
static int main_kind(const struct doze_cell *cell)
{
	int best = DOZE_STATE_none;

	for (int k = 0; k < DOZE_CELL_KINDS; k++)
		if (cell->share[k] > cell->share[best])
			best = k;
	return best;
}

static void put_kind(struct canvas *c, int kind)
{
	if (kind == DOZE_CELL_UNKNOWN)
		put(c, doze_color_mark(c->p, DOZE_MARK_unknown),
		    doze_glyph_mark(c->p, DOZE_MARK_unknown));
	else
		put(c, doze_color_state(c->p, (enum doze_state)kind),
		    doze_glyph_state(c->p, (enum doze_state)kind));
}

/* Column of a time, or -1 when it is not in the picture. */
static int64_t column_of(const struct canvas *c, int64_t ts, int64_t from, int64_t to)
{
	if (ts < from || ts > to)
		return -1;
	ts = (int64_t)((double)(ts - from) * (double)c->t->columns / (double)(to - from));
	return ts < (int64_t)c->t->columns ? ts : (int64_t)c->t->columns - 1;
}

/* Returns whether the lane has anything to mark below it. */
static bool state_row(struct canvas *c, const struct doze_worker_key *who)
{
	double active = 0, all = 0;
	char label[16], right[16];
	bool marks = false;

	snprintf(label, sizeof label, "w%d", who->index);
	begin_row(c, label);
	for (size_t i = 0; i < c->t->columns; i++) {
		struct doze_cell cell = doze_grid_column(c->t->grid, who->row, i);

		put_kind(c, main_kind(&cell));
		marks |= cell.wakes || cell.changes >= FINER_CHANGES;
		active += (double)cell.share[DOZE_STATE_active];
		for (int k = DOZE_STATE_active; k < DOZE_STATE_stopped; k++)
			all += (double)cell.share[k];
	}
	snprintf(right, sizeof right, "%4.0f%%", all > 0 ? 100 * active / all : 0);
	end_row(c, all > 0 ? right : "");
	return marks;
}

static void mark_row(struct canvas *c, uint32_t row)
{
	begin_row(c, "");
	for (size_t i = 0; i < c->t->columns; i++) {
		struct doze_cell cell = doze_grid_column(c->t->grid, row, i);

		if (cell.wakes)
			put(c, doze_color_mark(c->p, DOZE_MARK_wake),
			    doze_glyph_mark(c->p, DOZE_MARK_wake));
		else if (cell.changes >= FINER_CHANGES)
			put(c, "", doze_glyph_mark(c->p, DOZE_MARK_finer));
		else
			put(c, "", " ");
	}
	end_row(c, "");
}

/* Whether events were lost that may have changed the counters: then they are hatched, as the lanes.
 */
static bool put_lost(struct canvas *c, size_t pool, size_t column,
		     const struct doze_pool_cell *cell)
{
	const struct timeline_pool *p = &c->t->pool[pool];
	int64_t from, to, lost;

	doze_grid_range(c->t->grid, &from, &to);
	lost = p->lost_from > from ? column_of(c, p->lost_from, from, to) : 0;
	if (!cell->lost && (!p->lost || lost < 0 || (int64_t)column < lost))
		return false;
	put_kind(c, DOZE_CELL_UNKNOWN);
	return true;
}

static void jec_row(struct canvas *c, size_t pool)
{
	bool known = c->t->pool[pool].before, odd = c->t->pool[pool].before_odd;

	begin_row(c, "JEC");
	for (size_t i = 0; i < c->t->columns; i++) {
		struct doze_pool_cell cell = doze_grid_pool_column(c->t->grid, pool, i);
		enum doze_mark m = cell.toggles > 1                ? DOZE_MARK_both
				   : (cell.words ? cell.odd : odd) ? DOZE_MARK_odd
								   : DOZE_MARK_even;

		known |= cell.words > 0;
		odd = cell.words ? cell.odd : odd;
		if (!put_lost(c, pool, i, &cell))
			put(c, "", known ? doze_glyph_mark(c->p, m) : " ");
	}
	end_row(c, "");
}

static char digit_of(uint32_t n)
{
	return n > 9 ? '+' : (char)('0' + n);
}

static void sleeping_row(struct canvas *c, size_t pool)
{
	const struct timeline_pool *p = &c->t->pool[pool];
	char digit[2] = {p->before ? digit_of(p->before_sleeping) : ' ', 0};

	begin_row(c, "slept");
	for (size_t i = 0; i < c->t->columns; i++) {
		struct doze_pool_cell cell = doze_grid_pool_column(c->t->grid, pool, i);

		if (cell.words)
			digit[0] = digit_of(cell.sleeping);
		if (!put_lost(c, pool, i, &cell))
			put(c, "", digit);
	}
	end_row(c, "");
}

static void storm_row(struct canvas *c, size_t pool)
{
	begin_row(c, "storm");
	for (size_t i = 0; i < c->t->columns; i++) {
		struct doze_pool_cell cell = doze_grid_pool_column(c->t->grid, pool, i);

		put(c, cell.storm ? doze_color_mark(c->p, DOZE_MARK_wake) : "",
		    cell.storm ? "!" : " ");
	}
	end_row(c, "");
}

/* Round times, so far apart that the labels have room. */
static int64_t tick_step(const struct canvas *c, int64_t from, int64_t to)
{
	double column_ns = (double)(to - from) / (double)c->t->columns;
	int64_t step = doze_tick_step((int64_t)(column_ns * 8));

	while ((double)(strlen(doze_position(to - c->t->origin, step)) + 2) * column_ns >
	       (double)step)
		step = doze_tick_step(step + 1);
	return step;
}

static void ruler(struct canvas *c, int64_t from, int64_t to)
{
	int64_t origin = c->t->origin, step = tick_step(c, from, to);
	int64_t t = (from - origin + step - 1) / step * step;
	size_t at = 0;

	fprintf(c->out, "%*s", TIMELINE_LABEL, "");
	for (; t <= to - origin; t += step) {
		size_t column = (size_t)column_of(c, origin + t, from, to);
		const char *text = doze_position(t, step);

		if (column + strlen(text) + 2 > c->t->columns)
			break;
		fprintf(c->out, "%*s%s%s", (int)(column - at), "", c->p->ascii ? "'" : "╵", text);
		at = column + 1 + strlen(text);
	}
	fprintf(c->out, "%*s\n", (int)(c->t->columns - at), "");
}

static void pool_heading(struct canvas *c, const struct doze_pool_view *v, bool several)
{
	fprintf(c->out, "pool %u, %s, %s", v->pool, v->policy, doze_plural(v->workers, "worker"));
	if (several)
		fprintf(c->out, ", process %d", v->vpid);
	fputc('\n', c->out);
}

static int by_index(const void *a, const void *b)
{
	const struct doze_worker_view *x = *(const struct doze_worker_view *const *)a;
	const struct doze_worker_view *y = *(const struct doze_worker_view *const *)b;

	return (x->key.index > y->key.index) - (x->key.index < y->key.index);
}

/* The workers of a pool: rows are in order of appearance, lanes in order of index. Owned. */
static const struct doze_worker_view **workers_of(const struct doze_model *m, size_t pool,
						  size_t *count)
{
	size_t all = doze_model_workers(m);
	const struct doze_worker_view **list = malloc((all + 1) * sizeof *list);

	*count = 0;
	for (size_t i = 0; list && i < all; i++)
		if (doze_model_worker(m, i)->pool_row == pool)
			list[(*count)++] = doze_model_worker(m, i);
	if (list)
		qsort(list, *count, sizeof *list, by_index);
	return list;
}

static void lanes(struct canvas *c, const struct doze_model *m, size_t pool,
		  const struct doze_options *only)
{
	size_t n;
	const struct doze_worker_view **list = workers_of(m, pool, &n);

	for (size_t i = 0; i < n; i++)
		if ((!only || doze_options_shows(only, list[i]->key.index)) &&
		    state_row(c, &list[i]->key))
			mark_row(c, list[i]->key.row);
	free(list);
}

static void print_pool(struct canvas *c, const struct doze_model *m, size_t pool,
		       const struct doze_options *only)
{
	const struct doze_pool_view *v = doze_model_pool(m, pool);

	pool_heading(c, v, doze_model_pools(m) > 1);
	lanes(c, m, pool, only);
	if (pool >= TIMELINE_POOLS)
		return;
	if (c->t->pool[pool].words && v->layout.bits_jec)
		jec_row(c, pool);
	if (c->t->pool[pool].words && v->layout.bits_sleeping)
		sleeping_row(c, pool);
	if (c->t->pool[pool].storms)
		storm_row(c, pool);
}

/* The entries that fit, in as many lines as it takes. */
static void legend_space(const struct canvas *c, size_t *used, const char *text)
{
	size_t need = strlen(text) + 4, width = c->t->columns + TIMELINE_LABEL + 8;

	if (*used && *used + need <= width) {
		fputs("  ", c->out);
	} else {
		fprintf(c->out, "%s%*s", *used ? "\n" : "", TIMELINE_LABEL, "");
		*used = TIMELINE_LABEL;
	}
	*used += need;
}

static void legend(struct canvas *c)
{
	static const enum doze_state shown[] = {DOZE_STATE_active, DOZE_STATE_idle,
						DOZE_STATE_sleepy, DOZE_STATE_sleeping};
	static const struct {
		enum doze_mark mark;
		const char *text;
	} marks[] = {
	    {DOZE_MARK_unknown, "unknown"}, {DOZE_MARK_wake, "woken"}, {DOZE_MARK_finer, "finer"}};
	size_t used = 0;

	for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
		legend_space(c, &used, doze_state_name(shown[i]));
		put_kind(c, (int)shown[i]);
		plain(c);
		fprintf(c->out, " %s", doze_state_name(shown[i]));
	}
	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		legend_space(c, &used, marks[i].text);
		put(c, doze_color_mark(c->p, marks[i].mark), doze_glyph_mark(c->p, marks[i].mark));
		plain(c);
		fprintf(c->out, " %s", marks[i].text);
	}
	fputc('\n', c->out);
}

/* Each mark above its column, with as much of its text as fits before the next. */
static void mark_line(struct canvas *c, int64_t from, int64_t to)
{
	int64_t at = 0;

	fprintf(c->out, "%*s", TIMELINE_LABEL, "");
	for (size_t i = 0; i < c->t->marks; i++) {
		const struct timeline_mark *m = &c->t->mark[i];
		int64_t column = column_of(c, m->ts, from, to), room = (int64_t)c->t->columns;

		if (column < at)
			continue;
		for (size_t k = i + 1; k < c->t->marks && room == (int64_t)c->t->columns; k++)
			if (column_of(c, c->t->mark[k].ts, from, to) > column)
				room = column_of(c, c->t->mark[k].ts, from, to);
		fprintf(c->out, "%*s%s%.*s", (int)(column - at), "", c->p->ascii ? "v" : "▼",
			(int)(room - column - 1), m->text);
		at = column + 1 + (int64_t)strnlen(m->text, (size_t)(room - column - 1));
	}
	fputc('\n', c->out);
}

static void print_marks(struct canvas *c, int64_t from, int64_t to)
{
	for (size_t i = 0; i < c->t->marks; i++)
		if (column_of(c, c->t->mark[i].ts, from, to) >= 0)
			fprintf(c->out, "%*smark at %s: %s\n", TIMELINE_LABEL, "",
				doze_position(c->t->mark[i].ts - c->t->origin, DOZE_LISTED),
				c->t->mark[i].text);
	if (c->t->marks_seen > c->t->marks)
		fprintf(c->out, "%*sand %s more\n", TIMELINE_LABEL, "",
			doze_plural(c->t->marks_seen - c->t->marks, "mark"));
}

void doze_timeline_print(const struct doze_timeline *t, const struct doze_model *m,
			 const struct doze_options *only, const struct doze_palette *p, FILE *out)
{
	struct canvas c = {.t = t, .p = p, .out = out, .color = ""};
	int64_t from, to;

	if (!t->grid) {
		fputs("nothing to show: the trace has no event\n", out);
		return;
	}
	doze_grid_range(t->grid, &from, &to);
	fprintf(out, "%s of trace, one column is %s\n", doze_duration(to - from),
		doze_duration((to - from) / (int64_t)t->columns));
	for (size_t i = 0; i < doze_model_pools(m); i++) {
		if (t->marks)
			mark_line(&c, from, to);
		ruler(&c, from, to);
		print_pool(&c, m, i, only);
	}
	legend(&c);
	print_marks(&c, from, to);
	if (doze_grid_short(t->grid))
		fputs("memory ran short: some lanes are missing\n", out);
}
