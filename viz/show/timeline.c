/*
 * SPDX-License-Identifier: MIT
 *
 * timeline.c - collects what a timeline shows; timeline_print.c draws it.
 */
#include "timeline.h"

#include <stdlib.h>

#include "../trace/utf8.h"

#include "timeline_int.h"

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

	if (!t->grid || s->pool_row >= TIMELINE_POOLS)
		return;
	t->pool[s->pool_row].storms++;
	doze_grid_storm(t->grid, s->pool_row, s->from, s->to);
}

static void on_mark(void *ctx, int64_t ts, uint32_t pool, int32_t worker, const char *text)
{
	struct doze_timeline *t = ctx;
	struct timeline_mark *m;

	(void)pool, (void)worker;
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
