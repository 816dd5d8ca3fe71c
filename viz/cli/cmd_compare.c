/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_compare.c - `doze compare A B`, or `A1 A2 ... vs B1 B2 ...`: compares two runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../model/path.h"
#include "../show/compare.h"
#include "../show/load_trace.h"
#include "../show/selected.h"
#include "../words/palette.h"
#include "cmd.h"
#include "options.h"

static void feed(void *ctx, struct doze_model *m, const struct doze_event *e)
{
	doze_phases_event(ctx, e);
	doze_model_feed(m, e);
}

/* Reads the recording into the model. Returns 0, or the exit code after printing an error. */
static int read_run(const char *dir, struct doze_phases *p)
{
	int rc = doze_load(dir, p->model, feed, p);
	const char *problem =
	    rc ? NULL : doze_selection_problem(doze_selection_of(p->model), p->model, true);

	doze_phases_finish(p);
	if (!problem)
		return rc;
	return cmd_fail(DOZE_EXIT_USAGE, "compare: %s: %s", dir, problem);
}

/* Loads the selected part of one recording. Sets *conclusive to exit code 4 if this is the first
 * inconclusive recording. */
static int load_run(const char *dir, const struct doze_options *o, struct doze_run *r,
		    int *conclusive)
{
	struct doze_model_options limits = DOZE_MODEL_DEFAULTS;
	struct doze_selected selected = {.to = &doze_phases_listener};
	struct doze_phases *p;
	int rc;

	limits.selection = o->selection;
	rc = o->phase ? doze_load_phase(dir, o->phase, o->no_summary, &limits.selection)
		      : DOZE_EXIT_OK;
	if (rc)
		return rc;
	p = selected.ctx = calloc(1, sizeof *p);
	if (p)
		p->model = doze_with_paths(doze_selected_model(&selected, &limits));
	if (p && p->model) {
		rc = read_run(dir, p);
		doze_run_take(r, p->model, p);
		r->chosen = !o->phase && doze_selection_by_time(&o->selection);
		if (!rc && !*conclusive)
			*conclusive = doze_load_conclusive(dir, p->model);
		doze_model_free(p->model);
	} else {
		doze_complain("compare: not enough memory: close other programs");
		rc = DOZE_EXIT_INPUT;
	}
	free(p);
	return rc;
}

static int load_side(char **dirs, size_t n, const struct doze_options *o, struct doze_side *s,
		     int *conclusive)
{
	if (n > DOZE_COMPARE_MAX)
		return cmd_fail(DOZE_EXIT_USAGE,
				"compare: %zu recordings on one side: give at most %d", n,
				DOZE_COMPARE_MAX);
	s->run = calloc(n, sizeof *s->run);
	if (!s->run)
		return cmd_fail(DOZE_EXIT_INPUT,
				"compare: not enough memory: give fewer recordings");
	for (; s->runs < n; s->runs++) {
		int rc = load_run(dirs[s->runs], o, &s->run[s->runs], conclusive);

		if (rc)
			return rc;
	}
	return DOZE_EXIT_OK;
}

/* Returns the number of recordings on the first side, which end at the operand `vs`; 1 if there are
 * two operands without `vs`; 0 after a usage error. Sets *second to the index of the first
 * recording of the other side. */
static size_t split(const struct doze_options *o, size_t *second)
{
	size_t n = (size_t)o->count, at = n;

	for (size_t i = 0; i < n; i++)
		if (!strcmp(o->operands[i], "vs"))
			at = i;
	if (at == n && n == 2) {
		*second = 1;
		return 1;
	}
	*second = at + 1;
	if (at && at + 1 < n)
		return at;
	doze_complain("compare: %s: usage: doze compare A B, or doze compare A1 A2 vs B1 B2",
		      n < 2     ? "two recordings are needed"
		      : at == n ? "more than two recordings without 'vs' between the sides"
				: "one side has no recording");
	return 0;
}

static void print(const struct doze_options *o, const struct doze_side *a,
		  const struct doze_side *b)
{
	struct doze_palette palette = {.ascii = o->ascii,
				       .color = doze_options_color(o, STDOUT_FILENO)};
	struct doze_paint p;
	FILE *out =
	    doze_paint_begin(&p, stdout, &palette, o->json ? DOZE_PAINT_JSON : DOZE_PAINT_TEXT);

	if (o->json)
		doze_compare_json(a, b, out);
	else
		doze_compare_print(a, b, out);
	doze_paint_end(&p);
}

int cmd_compare(const struct doze_cmd *cmd, int argc, char **argv)
{
	struct doze_side a = {0}, b = {0};
	struct doze_options o;
	int rc = doze_options_parse(cmd, &o, argc, argv), conclusive = 0;
	size_t first, second;

	if (rc >= 0)
		return rc;
	first = split(&o, &second);
	if (!first)
		return DOZE_EXIT_USAGE;
	rc = load_side(o.operands, first, &o, &a, &conclusive);
	if (!rc)
		rc = load_side(o.operands + second, (size_t)o.count - second, &o, &b, &conclusive);
	if (!rc)
		print(&o, &a, &b);
	free(a.run);
	free(b.run);
	return rc ? rc : conclusive;
}
