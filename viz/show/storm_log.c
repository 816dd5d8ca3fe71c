/*
 * SPDX-License-Identifier: MIT
 *
 * storm_log.c - keeps the storms and the critical paths of a trace, up to a limit.
 */
#include <stdlib.h>
#include <string.h>

#include "../trace/utf8.h"

#include "selection_text.h"
#include "storms.h"

static void on_storm(void *ctx, const struct doze_storm *s)
{
	struct doze_storm_log *l = ctx;

	if (l->count == l->capacity && l->capacity < DOZE_STORMS_KEPT) {
		size_t capacity = l->capacity ? 2 * l->capacity : 64;
		struct doze_storm *more = realloc(l->storm, capacity * sizeof *more);

		if (more) {
			l->storm = more;
			l->capacity = capacity;
		}
	}
	if (l->count < l->capacity)
		l->storm[l->count++] = *s;
	else
		l->left_out++;
}

/* Moves the thread with the most work from the path to the line. outside: consider only outside
 * threads. */
static void take_top(struct doze_path_line *l, struct doze_path *p, int k, bool outside)
{
	uint32_t best = p->named;

	for (uint32_t i = 0; i < p->named; i++)
		if ((best == p->named || p->work[i].ns > p->work[best].ns) &&
		    !(outside && p->work[i].worker >= 0))
			best = i;
	if (best == p->named)
		return;
	l->top[k].worker = p->work[best].worker;
	l->top[k].vtid = p->work[best].vtid;
	l->top[k].ns = p->work[best].ns;
	p->work[best].ns = 0;
}

/* Returns whether the path is inside the selected range. Other paths are not shown, because their
 * waits may end outside the range. */
static bool is_inside(struct doze_storm_log *l, const struct doze_path *p)
{
	int64_t origin = doze_model_totals(l->model)->first_ts;
	int64_t from = p->from - origin, to = p->to - origin;
	const struct doze_selection *s = doze_selection_of(l->model);

	if (from >= s->from && to <= s->to)
		return true;
	l->paths_cut += to > s->from && from < s->to;
	return false;
}

static void keep_path(struct doze_storm_log *l, uint32_t row, int64_t ts)
{
	struct doze_path p;
	struct doze_path_line *line;

	if (l->paths == DOZE_PATHS_KEPT || !doze_path_of(l->model, row, ts, &p) || p.to <= p.from)
		return;
	if (!is_inside(l, &p))
		return;
	line = &l->path[l->paths++];
	*line =
	    (struct doze_path_line){.pool_row = row, .from = p.from, .to = p.to, .last = p.last};
	memcpy(line->part, p.part, sizeof line->part);
	memcpy(line->phase, l->phase, sizeof line->phase);
	/* The busiest outside thread is always named, because the pool waits for it. */
	take_top(line, &p, DOZE_PATH_TOP - 1, true);
	for (int k = 0; k < DOZE_PATH_TOP - 1; k++)
		take_top(line, &p, k, false);
	if (line->top[DOZE_PATH_TOP - 1].ns <= 0)
		take_top(line, &p, DOZE_PATH_TOP - 1, false);
	line->others = p.others;
	for (uint32_t i = 0; i < p.named; i++)
		line->others += p.work[i].ns;
}

static void end_phase(struct doze_storm_log *l, int64_t ts)
{
	for (uint32_t i = 0; l->model && i < doze_model_pools(l->model); i++)
		keep_path(l, i, ts);
}

static void on_mark(void *ctx, int64_t ts, uint32_t pool, int32_t worker, const char *text)
{
	struct doze_storm_log *l = ctx;

	(void)pool, (void)worker;
	end_phase(l, ts);
	doze_utf8_copy(l->phase, sizeof l->phase, text);
}

const struct doze_model_listener doze_storm_listener = {.on_storm = on_storm, .on_mark = on_mark};

void doze_storm_log_finish(struct doze_storm_log *l)
{
	if (l->model)
		end_phase(l, doze_model_totals(l->model)->last_ts);
}

void doze_storm_log_free(struct doze_storm_log *l)
{
	free(l->storm);
	*l = (struct doze_storm_log){0};
}

const struct doze_storm *doze_storm_worst(const struct doze_storm_log *l)
{
	const struct doze_storm *worst = NULL;

	for (size_t i = 0; i < l->count; i++)
		if (!worst || l->storm[i].burnt > worst->burnt)
			worst = &l->storm[i];
	return worst;
}
