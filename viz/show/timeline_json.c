/*
 * SPDX-License-Identifier: MIT
 *
 * timeline_json.c - writes a timeline as JSON: for each worker, the runs of equal columns.
 */
#include <string.h>

#include "../words/json_writer.h"
#include "inconclusive.h"
#include "selection_text.h"
#include "timeline_int.h"

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

void doze_timeline_json(const struct doze_timeline *t, const struct doze_model *m,
			const char *trace, FILE *out)
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
