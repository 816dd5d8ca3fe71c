/*
 * SPDX-License-Identifier: MIT
 *
 * timeline.c - the view `timeline`: collects what a timeline shows, draws it as text, and writes it
 * as JSON.
 */
#include "timeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../trace/utf8.h"
#include "../words/event_text.h"
#include "../words/pool_words.h"
#include "../words/quote.h"
#include "../words/units.h"
#include "cells.h"
#include "load_trace.h"
#include "selected.h"
#include "view.h"

enum {
	/* number of columns left of the lane, including the lane's left border */
	TIMELINE_LABEL = 6,
	/* number of columns right of the lane: its right border, and the shares of time active
	 * and searching */
	TIMELINE_RIGHT = 14,
	TIMELINE_MARKS = 64,
	TIMELINE_POOLS = 256,
};

struct timeline_pool {
	uint64_t jec, words, storms;
	bool before; /* the before_* members hold the last counters before the displayed range */
	bool before_odd;
	uint32_t before_sleeping;
	/* events were lost from lost_from to lost_to, and no counters word has followed yet */
	bool lost;
	int64_t lost_from, lost_to;
};

struct timeline_mark {
	int64_t ts;
	char text[64];
};

struct doze_timeline {
	size_t columns; /* number of columns in a lane */
	struct doze_selection selection;
	const struct doze_model *model; /* not owned; null: doze_timeline_begin is called */
	int64_t origin;                 /* time of the first event */
	struct doze_grid *grid;
	bool short_of_memory;
	struct timeline_pool
	    pool[TIMELINE_POOLS]; /* by pool row; further pools have no counter lanes */
	size_t marks;
	uint64_t marks_seen;
	struct timeline_mark mark[TIMELINE_MARKS];
};

/* State while a timeline is being drawn. */
struct timeline_canvas {
	const struct doze_timeline *t;
	const struct doze_palette *p;
	FILE *out;
	const char *color; /* the current colour; "": none */
	bool foreign;      /* the program does not use libdoze */
	bool jec;          /* a JEC lane was drawn */
	bool letters;      /* a number above 9 was drawn */
	bool finer;        /* a cell with more states than it can show was drawn */
};

struct doze_timeline *doze_timeline_new(size_t columns, const struct doze_selection *selection)
{
	struct doze_timeline *t = calloc(1, sizeof *t);

	if (!t)
		return NULL;
	t->columns = columns > TIMELINE_LABEL + TIMELINE_RIGHT + 10
			 ? columns - TIMELINE_LABEL - TIMELINE_RIGHT
			 : 10;
	t->selection = *selection;
	return t;
}

void doze_timeline_free(struct doze_timeline *t)
{
	if (!t)
		return;
	doze_grid_free(t->grid);
	free(t);
}

void doze_timeline_begin(struct doze_timeline *t, int64_t ts)
{
	if (t->grid || t->short_of_memory)
		return;
	t->origin = ts;
	t->grid = doze_grid_new(t->columns, t->selection.from ? ts + t->selection.from : INT64_MIN,
				t->selection.to == INT64_MAX ? INT64_MAX : ts + t->selection.to);
	if (t->grid)
		doze_grid_begin(t->grid, ts);
	t->short_of_memory = !t->grid;
}

/* A part of a trace may begin with the counters word that preceded it. */
static void begin(struct doze_timeline *t)
{
	if (t->model)
		doze_timeline_begin(t, doze_model_totals(t->model)->first_ts);
}

/* Returns whether the displayed range contains a part of a span. */
static bool shows(const struct doze_timeline *t, int64_t from, int64_t to)
{
	return to - t->origin >= t->selection.from && from - t->origin <= t->selection.to;
}

static void on_interval(void *ctx, const struct doze_interval *iv)
{
	struct doze_timeline *t = ctx;

	if (t->grid)
		doze_grid_interval(t->grid, iv);
}

static void on_verdict(void *ctx, const struct doze_wake *k)
{
	struct doze_timeline *t = ctx;

	if (t->grid && k->awake)
		doze_grid_wake(t->grid, k->target.row, k->awake);
}

/* After a loss, the pools' counters are unknown until the next event that contains a counters
 * word. */
static void on_lost(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	struct doze_timeline *t = ctx;

	(void)count;
	for (size_t i = 0; i < TIMELINE_POOLS; i++) {
		struct timeline_pool *p = &t->pool[i];

		if (!p->words)
			continue;
		p->lost_from = p->lost && p->lost_from < from ? p->lost_from : from;
		p->lost_to = p->lost && p->lost_to > to ? p->lost_to : to;
		p->lost = true;
	}
}

static void on_word(void *ctx, int64_t ts, const struct doze_pool_view *v, uint64_t word)
{
	struct doze_timeline *t = ctx;
	uint64_t jec = doze_word_jec(&v->layout, word);
	struct timeline_pool *p = v->row < TIMELINE_POOLS ? &t->pool[v->row] : NULL;

	begin(t);
	if (!t->grid || !p || v->layout.kind != DOZE_WORD_counters)
		return;
	if (ts < t->origin + t->selection.from) {
		p->before = true;
		p->before_odd = jec & 1;
		p->before_sleeping = doze_word_sleeping(&v->layout, word);
	}
	if (p->lost && ts > p->lost_to) {
		doze_grid_lost(t->grid, v->row, p->lost_from, ts);
		p->lost = false;
	}
	doze_grid_word(t->grid, v->row, ts, doze_word_sleeping(&v->layout, word), jec & 1,
		       p->jec != jec);
	p->jec = jec;
	p->words++;
}

static void on_storm(void *ctx, const struct doze_storm *s)
{
	struct doze_timeline *t = ctx;

	if (!t->grid || s->pool_row >= TIMELINE_POOLS || !shows(t, s->from, s->to))
		return;
	t->pool[s->pool_row].storms++;
	doze_grid_storm(t->grid, s->pool_row, s->from, s->to);
}

static void on_mark(void *ctx, int64_t ts, uint32_t pool, int32_t worker, const char *text)
{
	struct doze_timeline *t = ctx;
	struct timeline_mark *m;

	(void)pool, (void)worker;
	if (!shows(t, ts, ts))
		return;
	t->marks_seen++;
	if (t->marks == TIMELINE_MARKS)
		return;
	m = &t->mark[t->marks++];
	m->ts = ts;
	doze_utf8_copy(m->text, sizeof m->text, text);
}

const struct doze_model_listener doze_timeline_listener = {
    .on_interval = on_interval,
    .on_verdict = on_verdict,
    .on_word = on_word,
    .on_storm = on_storm,
    .on_mark = on_mark,
    .on_lost = on_lost,
};

/* ---- Text: around the lanes are the axis, the marks and the legend ---- */

/* Prints one column. Switches the colour only when it changes. */
static void put(struct timeline_canvas *c, const char *color, const char *glyph)
{
	if (strcmp(c->color, color) != 0) {
		fputs(doze_color_off(c->p), c->out);
		fputs(color, c->out);
		c->color = color;
	}
	fputs(glyph, c->out);
}

/* Switches the current colour off. */
static void plain(struct timeline_canvas *c)
{
	if (*c->color)
		fputs(doze_color_off(c->p), c->out);
	c->color = "";
}

/* Prints the glyph of a state or DOZE_CELL_UNKNOWN. */
static void put_kind(struct timeline_canvas *c, int kind)
{
	if (kind == DOZE_CELL_UNKNOWN)
		put(c, doze_color_mark(c->p, DOZE_MARK_unknown),
		    doze_glyph_mark(c->p, DOZE_MARK_unknown));
	else
		put(c, doze_color_state(c->p, (enum doze_state)kind),
		    doze_glyph_state(c->p, (enum doze_state)kind));
}

/* Returns the column of a time, or -1 if it is outside the range. */
static int64_t column_of(const struct timeline_canvas *c, int64_t ts, int64_t from, int64_t to)
{
	if (ts < from || ts > to)
		return -1;
	ts = (int64_t)((double)(ts - from) * (double)c->t->columns / (double)(to - from));
	return ts < (int64_t)c->t->columns ? ts : (int64_t)c->t->columns - 1;
}

/* Returns a round distance between ticks that leaves enough space for the labels. */
static int64_t tick_step(const struct timeline_canvas *c, int64_t from, int64_t to)
{
	double column_ns = (double)(to - from) / (double)c->t->columns;
	int64_t step = doze_tick_step((int64_t)(column_ns * 8));

	while ((double)(strlen(doze_position(to - c->t->origin, step)) + 2) * column_ns >
	       (double)step)
		step = doze_tick_step(step + 1);
	return step;
}

/* Prints the time axis. */
static void ruler(struct timeline_canvas *c, int64_t from, int64_t to)
{
	int64_t origin = c->t->origin, step = tick_step(c, from, to);
	int64_t t = (from - origin + step - 1) / step * step;
	size_t at = 0;

	fprintf(c->out, "%*s", TIMELINE_LABEL, "");
	for (; t <= to - origin; t += step) {
		size_t column = (size_t)column_of(c, origin + t, from, to);
		const char *text = doze_position(t, step);

		if (column + strlen(text) + 1 > c->t->columns)
			break;
		fprintf(c->out, "%*s%s%s", (int)(column - at), "", c->p->ascii ? "'" : "╵", text);
		at = column + 1 + strlen(text);
	}
	fprintf(c->out, "%*s%s\n", (int)(c->t->columns - at), "",
		c->foreign ? "" : " active search");
}

/* Separates two legend entries: by a space, or by a line break if the next entry does not fit. */
static void legend_space(const struct timeline_canvas *c, size_t *used, const char *text)
{
	size_t need = strlen(text) + 4, width = c->t->columns + TIMELINE_LABEL + TIMELINE_RIGHT;

	if (*used && *used + need <= width) {
		fputs("  ", c->out);
	} else {
		fprintf(c->out, "%s%*s", *used ? "\n" : "", TIMELINE_LABEL, "");
		*used = TIMELINE_LABEL;
	}
	*used += need;
}

static void legend_mark(struct timeline_canvas *c, size_t *used, enum doze_mark m, const char *text)
{
	legend_space(c, used, text);
	put(c, doze_color_mark(c->p, m), doze_glyph_mark(c->p, m));
	plain(c);
	fprintf(c->out, " %s", text);
}

/* Prints text, wrapped to the width of the timeline. */
static void legend_text(const struct timeline_canvas *c, const char *text)
{
	size_t width = c->t->columns + TIMELINE_LABEL + TIMELINE_RIGHT, used = width;

	for (const char *word = text; *word; word += strcspn(word, " "), word += *word == ' ') {
		int len = (int)strcspn(word, " ");

		if (used + 1 + (size_t)len > width) {
			fprintf(c->out, "%s%*s", word == text ? "" : "\n", TIMELINE_LABEL - 1, "");
			used = TIMELINE_LABEL - 1;
		}
		fprintf(c->out, " %.*s", len, word);
		used += 1 + (size_t)len;
	}
	fputc('\n', c->out);
}

/* The states of threads in a program without libdoze. */
static void legend_foreign(struct timeline_canvas *c, size_t *used)
{
	static const enum doze_state shown[] = {DOZE_STATE_active, DOZE_STATE_idle,
						DOZE_STATE_sleeping};

	for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
		legend_space(c, used, doze_state_words(true, shown[i]));
		put_kind(c, (int)shown[i]);
		plain(c);
		fprintf(c->out, " %s", doze_state_words(true, shown[i]));
	}
}

static void legend(struct timeline_canvas *c)
{
	static const enum doze_state shown[] = {DOZE_STATE_active, DOZE_STATE_idle,
						DOZE_STATE_sleepy, DOZE_STATE_sleeping};
	size_t used = 0;

	if (c->foreign)
		legend_foreign(c, &used);
	for (size_t i = 0; !c->foreign && i < sizeof shown / sizeof shown[0]; i++) {
		legend_space(c, &used, doze_state_name(shown[i]));
		put_kind(c, (int)shown[i]);
		plain(c);
		fprintf(c->out, " %s", doze_state_name(shown[i]));
	}
	legend_mark(c, &used, DOZE_MARK_unknown, "unknown");
	legend_mark(c, &used, DOZE_MARK_wake, "woken");
	if (c->finer) {
		legend_mark(c, &used, DOZE_MARK_wake_finer, "woken and finer");
		legend_mark(c, &used, DOZE_MARK_finer, "finer");
	}
	if (c->jec) {
		legend_mark(c, &used, DOZE_MARK_even, "JEC even");
		legend_mark(c, &used, DOZE_MARK_odd, "odd");
		legend_mark(c, &used, DOZE_MARK_both, "toggles");
	}
	fputc('\n', c->out);
	if (c->finer)
		legend_text(
		    c, "Finer: the cell has more states than it can show. It shows the longest "
		       "awake state if the worker was awake for at least an eighth of it. "
		       "Zoom in with --from and --to.");
	if (c->letters)
		legend_text(c, "slept: a is 10 asleep, b 11, ... z 35, # more.");
}

/* Prints each mark's text above its column, truncated where the next mark begins. */
static void mark_line(struct timeline_canvas *c, int64_t from, int64_t to)
{
	int64_t at = 0;

	fprintf(c->out, "%*s", TIMELINE_LABEL, "");
	for (size_t i = 0; i < c->t->marks; i++) {
		const struct timeline_mark *m = &c->t->mark[i];
		int64_t column = column_of(c, m->ts, from, to), limit = (int64_t)c->t->columns;

		if (column < at)
			continue;
		for (size_t k = i + 1; k < c->t->marks && limit == (int64_t)c->t->columns; k++)
			if (column_of(c, c->t->mark[k].ts, from, to) > column)
				limit = column_of(c, c->t->mark[k].ts, from, to);
		size_t used, n = doze_utf8_fit(m->text, (size_t)(limit - column - 1), &used);
		fprintf(c->out, "%*s%s%.*s", (int)(column - at), "", c->p->ascii ? "v" : "▼",
			(int)n, m->text);
		at = column + 1 + (int64_t)used;
	}
	fputc('\n', c->out);
}

/* Lists the marks below the lanes, with their full texts. */
static void marks(struct timeline_canvas *c, int64_t from, int64_t to)
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

/* ---- Text: the lanes. No line exceeds the requested width ---- */

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
	plain(c);
	fprintf(c->out, "%s%s\n", bar(c), right);
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

		put_kind(c, gist.kind);
		marks |= cell.wakes || gist.finer;
		known |= gist.kind != DOZE_CELL_UNKNOWN && gist.kind != DOZE_STATE_none;
		c->finer |= gist.finer;
		active += (double)cell.share[DOZE_STATE_active];
		search += (double)(cell.share[DOZE_STATE_idle] + cell.share[DOZE_STATE_sleepy]);
		for (int k = 0; k < DOZE_STATE_COUNT; k++)
			if (doze_state_is_alive((enum doze_state)k))
				all += (double)cell.share[k];
	}
	/* The columns are aligned with the headings of ruler(). The shares are relative to
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
			put(c, doze_color_mark(c->p, m), doze_glyph_mark(c->p, m));
		else
			put(c, "", " ");
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
	lost = p->lost_from > from ? column_of(c, p->lost_from, from, to) : 0;
	if (!cell->lost && (!p->lost || lost < 0 || (int64_t)column < lost))
		return false;
	put_kind(c, DOZE_CELL_UNKNOWN);
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
			put(c, "", known ? doze_glyph_mark(c->p, m) : " ");
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
			put(c, "", digit);
	}
	end_row(c, "");
}

static void storm_row(struct timeline_canvas *c, size_t pool)
{
	begin_row(c, "storm");
	for (size_t i = 0; i < c->t->columns; i++) {
		struct doze_pool_cell cell = doze_grid_pool_column(c->t->grid, pool, i);

		put(c, cell.storm ? doze_color_mark(c->p, DOZE_MARK_wake) : "",
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
			mark_line(&c, from, to);
		ruler(&c, from, to);
		print_pool(&c, m, i);
	}
	legend(&c);
	marks(&c, from, to);
	if (doze_grid_short(t->grid))
		fputs("not enough memory: some lanes are missing\n", out);
	doze_inconclusive_line(m, out);
}

/* ---- JSON: for each worker, the runs of equal columns ---- */

static const char *kind_name(int kind)
{
	return kind == DOZE_CELL_UNKNOWN ? "unknown" : doze_state_name((enum doze_state)kind);
}

static int64_t column_start(const struct doze_timeline *t, size_t column)
{
	int64_t from, to;

	doze_grid_range(t->grid, &from, &to);
	return from - t->origin +
	       (int64_t)((double)(to - from) * (double)column / (double)t->columns);
}

static void write_run(struct doze_json *j, const struct doze_timeline *t, size_t begin, size_t end,
		      const struct doze_gist *g, uint32_t wakes)
{
	if (begin == end)
		return;
	doze_json_open(j, NULL, '{');
	doze_json_int(j, "from", column_start(t, begin));
	doze_json_int(j, "to", column_start(t, end));
	doze_json_string(j, "state", kind_name(g->kind));
	doze_json_bool(j, "finer", g->finer);
	doze_json_uint(j, "wakes", wakes);
	doze_json_close(j, '}');
}

static void write_spans(struct doze_json *j, const struct doze_timeline *t, uint32_t row)
{
	struct doze_gist shown = {0};
	uint32_t wakes = 0;
	size_t begin = 0;

	doze_json_open(j, "spans", '[');
	for (size_t c = 0; c < t->columns; c++) {
		struct doze_cell cell = doze_grid_column(t->grid, row, c);
		struct doze_gist g = doze_cell_gist(&cell);

		if (c && (g.kind != shown.kind || g.finer != shown.finer)) {
			write_run(j, t, begin, c, &shown, wakes);
			begin = c;
			wakes = 0;
		}
		shown = g;
		wakes += cell.wakes;
	}
	write_run(j, t, begin, t->columns, &shown, wakes);
	doze_json_close(j, ']');
}

/* Writes the time in each state within the range, in ns. */
static void write_times(struct doze_json *j, const struct doze_timeline *t, uint32_t row)
{
	double sum[DOZE_CELL_KINDS] = {0};

	for (size_t c = 0; c < t->columns; c++) {
		struct doze_cell cell = doze_grid_column(t->grid, row, c);

		for (int k = 1; k < DOZE_CELL_KINDS; k++)
			sum[k] += (double)cell.share[k];
	}
	doze_json_open(j, "time", '{');
	for (int k = 1; k < DOZE_CELL_KINDS; k++)
		doze_json_int(j, kind_name(k), (int64_t)sum[k]);
	doze_json_close(j, '}');
}

static void write_workers(struct doze_json *j, const struct doze_timeline *t,
			  const struct doze_model *m)
{
	doze_json_open(j, "workers", '[');
	for (size_t i = 0; i < doze_model_workers(m); i++) {
		const struct doze_worker_view *w = doze_model_worker(m, i);

		if (!doze_worker_set_has(&t->selection.workers, w->key.index))
			continue;
		doze_json_open(j, NULL, '{');
		doze_json_int(j, "vpid", w->key.vpid);
		doze_json_uint(j, "pool", w->key.pool);
		doze_json_int(j, "worker", w->key.index);
		write_times(j, t, w->key.row);
		write_spans(j, t, w->key.row);
		doze_json_close(j, '}');
	}
	doze_json_close(j, ']');
}

static void write_marks(struct doze_json *j, const struct doze_timeline *t)
{
	doze_json_open(j, "marks", '[');
	for (size_t i = 0; i < t->marks; i++) {
		doze_json_open(j, NULL, '{');
		doze_json_int(j, "at", t->mark[i].ts - t->origin);
		doze_json_string(j, "text", t->mark[i].text);
		doze_json_close(j, '}');
	}
	doze_json_close(j, ']');
}

/* Writes the timeline as JSON, without the counters. */
static void write_json(const struct doze_timeline *t, const struct doze_model *m, const char *trace,
		       FILE *out)
{
	struct doze_json j = {.out = out};
	const struct doze_totals *n = doze_model_totals(m);

	doze_json_open(&j, NULL, '{');
	doze_json_string(&j, "format", "doze-timeline/1");
	doze_json_string(&j, "trace", trace);
	doze_selection_json(&j, &t->selection);
	doze_json_int(&j, "duration", n->last_ts - n->first_ts);
	doze_json_string(&j, "inconclusive", doze_inconclusive(m));
	if (t->grid) {
		write_workers(&j, t, m);
		write_marks(&j, t);
	}
	doze_json_close(&j, '}');
}

/* ---- The view ---- */

struct timeline {
	struct doze_timeline *timeline; /* owned */
	unsigned width;                 /* 0: use the width of the request */
};

static const char *check_width(const char *value, void *target)
{
	static char allowed[48];
	unsigned n;

	snprintf(allowed, sizeof allowed, "a number from %d to %d", DOZE_TIMELINE_NARROWEST,
		 DOZE_TIMELINE_WIDEST);
	if (doze_check_count(value, &n) || n < DOZE_TIMELINE_NARROWEST || n > DOZE_TIMELINE_WIDEST)
		return allowed;
	*(unsigned *)target = n;
	return NULL;
}

static const struct doze_view_option options[] = {
    {.option = {"width", 'W', "COLUMNS", "width of the output (default: the terminal's, or 80)",
		check_width, NULL},
     .offset = offsetof(struct timeline, width),
     .only = DOZE_VIEW_COMMAND},
    {.option = {"columns", 0, "N", "width of the output, 20 to 10000 (default 80)", check_width,
		NULL},
     .offset = offsetof(struct timeline, width),
     .only = DOZE_VIEW_SINK},
    {.option = {0}},
};

static struct doze_model *timeline_open(void *state, const struct doze_view_request *r)
{
	struct doze_model_options limits = DOZE_MODEL_DEFAULTS;
	struct timeline *t = state;
	struct doze_model *m;
	size_t columns = r->columns;

	/* Limit the model only to the pool: the timeline itself applies the time range and the
	 * workers. */
	limits.selection = doze_selection_of_pool(&r->selection);
	if (columns < DOZE_TIMELINE_NARROWEST)
		columns = DOZE_TIMELINE_NARROWEST;
	t->timeline = doze_timeline_new(t->width ? t->width : columns, &r->selection);
	if (!t->timeline)
		return NULL;
	m = doze_model_new_with(&limits, &doze_timeline_listener, t->timeline);
	t->timeline->model = m;
	return m;
}

static void timeline_feed(void *state, struct doze_model *m, const struct doze_event *e)
{
	begin(((struct timeline *)state)->timeline);
	doze_model_feed(m, e);
}

static void timeline_print(void *state, const struct doze_model *m,
			   const struct doze_view_request *r)
{
	const struct timeline *t = state;

	if (r->json)
		write_json(t->timeline, m, r->trace, r->out);
	else
		doze_timeline_print(t->timeline, m, &r->palette, r->out);
}

static void timeline_close(void *state)
{
	doze_timeline_free(((struct timeline *)state)->timeline);
}

const struct doze_view doze_timeline_view = {
    .name = "timeline",
    .takes = DOZE_VIEW_DRAWS,
    .options = options,
    .size = sizeof(struct timeline),
    .open = timeline_open,
    .part = doze_view_any_part,
    .feed = timeline_feed,
    .print = timeline_print,
    .json = timeline_print,
    .close = timeline_close,
};
