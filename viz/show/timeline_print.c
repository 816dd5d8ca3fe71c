/*
 * SPDX-License-Identifier: MIT
 *
 * timeline_print.c - draws a timeline. No line exceeds the requested width.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../words/pool_words.h"
#include "../words/units.h"
#include "inconclusive.h"
#include "timeline_int.h"

void timeline_put(struct timeline_canvas *c, const char *color, const char *glyph)
{
	if (strcmp(c->color, color) != 0) {
		fputs(doze_color_off(c->p), c->out);
		fputs(color, c->out);
		c->color = color;
	}
	fputs(glyph, c->out);
}

void timeline_plain(struct timeline_canvas *c)
{
	if (*c->color)
		fputs(doze_color_off(c->p), c->out);
	c->color = "";
}

static const char *bar(const struct timeline_canvas *c)
{
	return c->p->ascii ? "|" : "│";
}

static void begin_row(struct timeline_canvas *c, const char *label)
{
	fprintf(c->out, "%-*s%s", TIMELINE_LABEL - 1, label, bar(c));
}

static void end_row(struct timeline_canvas *c, const char *right)
{
	timeline_plain(c);
	fprintf(c->out, "%s%s\n", bar(c), right);
}

void timeline_put_kind(struct timeline_canvas *c, int kind)
{
	if (kind == DOZE_CELL_UNKNOWN)
		timeline_put(c, doze_color_mark(c->p, DOZE_MARK_unknown),
			     doze_glyph_mark(c->p, DOZE_MARK_unknown));
	else
		timeline_put(c, doze_color_state(c->p, (enum doze_state)kind),
			     doze_glyph_state(c->p, (enum doze_state)kind));
}

/* Draws a worker's lane. Returns whether the lane needs a row of marks below it. */
static bool state_row(struct timeline_canvas *c, const struct doze_worker_key *who)
{
	double active = 0, search = 0, all = 0;
	char label[16], right[32];
	bool marks = false, known = false;

	snprintf(label, sizeof label, "%c%d", c->foreign ? 't' : 'w', who->index);
	begin_row(c, label);
	for (size_t i = 0; i < c->t->columns; i++) {
		struct doze_cell cell = doze_grid_column(c->t->grid, who->row, i);

		struct doze_gist gist = doze_cell_gist(&cell);

		timeline_put_kind(c, gist.kind);
		marks |= cell.wakes || gist.finer;
		known |= gist.kind != DOZE_CELL_UNKNOWN && gist.kind != DOZE_STATE_none;
		c->finer |= gist.finer;
		active += (double)cell.share[DOZE_STATE_active];
		search += (double)(cell.share[DOZE_STATE_idle] + cell.share[DOZE_STATE_sleepy]);
		for (int k = 0; k < DOZE_STATE_COUNT; k++)
			if (doze_state_is_alive((enum doze_state)k))
				all += (double)cell.share[k];
	}
	/* The columns are aligned with the headings of timeline_ruler. The shares are relative to
	 * the time in known states, so a lane whose states are all unknown has none. */
	if (c->foreign) /* how long a thread works is not known */
		*right = 0;
	else if (all > 0 && known)
		snprintf(right, sizeof right, "%5.0f%%%6.0f%%", 100 * active / all,
			 100 * search / all);
	else
		snprintf(right, sizeof right, "%6s%7s", "-", "-");
	end_row(c, all > 0 ? right : "");
	return marks;
}

static void mark_row(struct timeline_canvas *c, uint32_t row)
{
	begin_row(c, "");
	for (size_t i = 0; i < c->t->columns; i++) {
		struct doze_cell cell = doze_grid_column(c->t->grid, row, i);

		bool finer = doze_cell_gist(&cell).finer;
		enum doze_mark m = !cell.wakes ? DOZE_MARK_finer
				   : finer     ? DOZE_MARK_wake_finer
					       : DOZE_MARK_wake;

		if (cell.wakes || finer)
			timeline_put(c, doze_color_mark(c->p, m), doze_glyph_mark(c->p, m));
		else
			timeline_put(c, "", " ");
	}
	end_row(c, "");
}

/* Hatches a cell in which lost events may have changed the counters. Returns whether it did so. */
static bool put_lost(struct timeline_canvas *c, size_t pool, size_t column,
		     const struct doze_pool_cell *cell)
{
	const struct timeline_pool *p = &c->t->pool[pool];
	int64_t from, to, lost;

	doze_grid_range(c->t->grid, &from, &to);
	lost = p->lost_from > from ? timeline_column_of(c, p->lost_from, from, to) : 0;
	if (!cell->lost && (!p->lost || lost < 0 || (int64_t)column < lost))
		return false;
	timeline_put_kind(c, DOZE_CELL_UNKNOWN);
	return true;
}

static void jec_row(struct timeline_canvas *c, size_t pool)
{
	bool known = c->t->pool[pool].before, odd = c->t->pool[pool].before_odd;

	c->jec = true;
	begin_row(c, "JEC");
	for (size_t i = 0; i < c->t->columns; i++) {
		struct doze_pool_cell cell = doze_grid_pool_column(c->t->grid, pool, i);
		enum doze_mark m = cell.toggles > 1                ? DOZE_MARK_both
				   : (cell.words ? cell.odd : odd) ? DOZE_MARK_odd
								   : DOZE_MARK_even;

		known |= cell.words > 0;
		odd = cell.words ? cell.odd : odd;
		if (!put_lost(c, pool, i, &cell))
			timeline_put(c, "", known ? doze_glyph_mark(c->p, m) : " ");
	}
	end_row(c, "");
}

/* Returns 0 to 9, a to z for 10 to 35, or # for larger numbers. */
static char digit_of(struct timeline_canvas *c, uint32_t n)
{
	c->letters |= n > 9;
	return n < 10 ? (char)('0' + n) : n < 36 ? (char)('a' + n - 10) : '#';
}

static void sleeping_row(struct timeline_canvas *c, size_t pool)
{
	const struct timeline_pool *p = &c->t->pool[pool];
	char digit[2] = {p->before ? digit_of(c, p->before_sleeping) : ' ', 0};

	begin_row(c, "slept");
	for (size_t i = 0; i < c->t->columns; i++) {
		struct doze_pool_cell cell = doze_grid_pool_column(c->t->grid, pool, i);

		if (cell.words)
			digit[0] = digit_of(c, cell.sleeping);
		if (!put_lost(c, pool, i, &cell))
			timeline_put(c, "", digit);
	}
	end_row(c, "");
}

static void storm_row(struct timeline_canvas *c, size_t pool)
{
	begin_row(c, "storm");
	for (size_t i = 0; i < c->t->columns; i++) {
		struct doze_pool_cell cell = doze_grid_pool_column(c->t->grid, pool, i);

		timeline_put(c, cell.storm ? doze_color_mark(c->p, DOZE_MARK_wake) : "",
			     cell.storm ? "!" : " ");
	}
	end_row(c, "");
}

static void pool_heading(struct timeline_canvas *c, const struct doze_model *m, size_t pool)
{
	const struct doze_pool_view *v = doze_model_pool(m, pool);
	const char *name = doze_pool_name(m, (uint32_t)pool);

	fprintf(c->out, "%s %u", doze_pool_is_crew(v) ? "crew" : "pool", v->pool);
	if (*name || (doze_pool_is_crew(v) && *v->name))
		fprintf(c->out, " '%s'", v->name);
	if (doze_pool_is_crew(v))
		fprintf(c->out, ", %s", doze_plural(v->workers, "thread"));
	else
		fprintf(c->out, ", %s, %s", v->policy, doze_plural(v->workers, "worker"));
	if (doze_model_pools(m) > 1)
		fprintf(c->out, ", process %d", v->vpid);
	fputc('\n', c->out);
}

static int by_index(const void *a, const void *b)
{
	const struct doze_worker_view *x = *(const struct doze_worker_view *const *)a;
	const struct doze_worker_view *y = *(const struct doze_worker_view *const *)b;

	return (x->key.index > y->key.index) - (x->key.index < y->key.index);
}

/* Returns the workers of a pool in the order of their indices (rows are in order of appearance).
 * The caller owns the array. */
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

static void lanes(struct timeline_canvas *c, const struct doze_model *m, size_t pool)
{
	size_t n;
	const struct doze_worker_view **list = workers_of(m, pool, &n);

	for (size_t i = 0; i < n; i++)
		if (doze_worker_set_has(&c->t->selection.workers, list[i]->key.index) &&
		    state_row(c, &list[i]->key))
			mark_row(c, list[i]->key.row);
	free(list);
}

static void print_pool(struct timeline_canvas *c, const struct doze_model *m, size_t pool)
{
	const struct doze_pool_view *v = doze_model_pool(m, pool);

	pool_heading(c, m, pool);
	lanes(c, m, pool);
	if (pool >= TIMELINE_POOLS)
		return;
	if (c->t->pool[pool].words && doze_pool_has_jec(v))
		jec_row(c, pool);
	if (c->t->pool[pool].words && v->layout.bits_sleeping)
		sleeping_row(c, pool);
	if (c->t->pool[pool].storms)
		storm_row(c, pool);
}

void doze_timeline_print(const struct doze_timeline *t, const struct doze_model *m,
			 const struct doze_palette *p, FILE *out)
{
	struct timeline_canvas c = {
	    .t = t, .p = p, .out = out, .color = "", .foreign = doze_model_is_foreign(m)};
	int64_t from, to;

	if (!t->grid) {
		fputs("nothing to show: the trace has no events\n", out);
		return;
	}
	doze_grid_range(t->grid, &from, &to);
	fprintf(out, "%s of trace, %s per column\n", doze_duration(to - from),
		doze_duration((to - from) / (int64_t)t->columns));
	for (size_t i = 0; i < doze_model_pools(m); i++) {
		if (t->marks)
			timeline_mark_line(&c, from, to);
		timeline_ruler(&c, from, to);
		print_pool(&c, m, i);
	}
	timeline_legend(&c);
	timeline_marks(&c, from, to);
	if (doze_grid_short(t->grid))
		fputs("not enough memory: some lanes are missing\n", out);
	doze_inconclusive_line(m, out);
}
