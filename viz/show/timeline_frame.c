/*
 * SPDX-License-Identifier: MIT
 *
 * timeline_frame.c - draws everything around the lanes of a timeline: the axis, the marks, the
 * legend.
 */
#include <string.h>

#include "../trace/utf8.h"
#include "../words/foreign_text.h"
#include "../words/units.h"
#include "timeline_int.h"

int64_t timeline_column_of(const struct timeline_canvas *c, int64_t ts, int64_t from, int64_t to)
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

void timeline_ruler(struct timeline_canvas *c, int64_t from, int64_t to)
{
	int64_t origin = c->t->origin, step = tick_step(c, from, to);
	int64_t t = (from - origin + step - 1) / step * step;
	size_t at = 0;

	fprintf(c->out, "%*s", TIMELINE_LABEL, "");
	for (; t <= to - origin; t += step) {
		size_t column = (size_t)timeline_column_of(c, origin + t, from, to);
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
	timeline_put(c, doze_color_mark(c->p, m), doze_glyph_mark(c->p, m));
	timeline_plain(c);
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
		timeline_put_kind(c, (int)shown[i]);
		timeline_plain(c);
		fprintf(c->out, " %s", doze_state_words(true, shown[i]));
	}
}

void timeline_legend(struct timeline_canvas *c)
{
	static const enum doze_state shown[] = {DOZE_STATE_active, DOZE_STATE_idle,
						DOZE_STATE_sleepy, DOZE_STATE_sleeping};
	size_t used = 0;

	if (c->foreign)
		legend_foreign(c, &used);
	for (size_t i = 0; !c->foreign && i < sizeof shown / sizeof shown[0]; i++) {
		legend_space(c, &used, doze_state_name(shown[i]));
		timeline_put_kind(c, (int)shown[i]);
		timeline_plain(c);
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
void timeline_mark_line(struct timeline_canvas *c, int64_t from, int64_t to)
{
	int64_t at = 0;

	fprintf(c->out, "%*s", TIMELINE_LABEL, "");
	for (size_t i = 0; i < c->t->marks; i++) {
		const struct timeline_mark *m = &c->t->mark[i];
		int64_t column = timeline_column_of(c, m->ts, from, to),
			limit = (int64_t)c->t->columns;

		if (column < at)
			continue;
		for (size_t k = i + 1; k < c->t->marks && limit == (int64_t)c->t->columns; k++)
			if (timeline_column_of(c, c->t->mark[k].ts, from, to) > column)
				limit = timeline_column_of(c, c->t->mark[k].ts, from, to);
		size_t used, n = doze_utf8_fit(m->text, (size_t)(limit - column - 1), &used);
		fprintf(c->out, "%*s%s%.*s", (int)(column - at), "", c->p->ascii ? "v" : "▼",
			(int)n, m->text);
		at = column + 1 + (int64_t)used;
	}
	fputc('\n', c->out);
}

void timeline_marks(struct timeline_canvas *c, int64_t from, int64_t to)
{
	for (size_t i = 0; i < c->t->marks; i++)
		if (timeline_column_of(c, c->t->mark[i].ts, from, to) >= 0)
			fprintf(c->out, "%*smark at %s: %s\n", TIMELINE_LABEL, "",
				doze_position(c->t->mark[i].ts - c->t->origin, DOZE_LISTED),
				c->t->mark[i].text);
	if (c->t->marks_seen > c->t->marks)
		fprintf(c->out, "%*sand %s more\n", TIMELINE_LABEL, "",
			doze_plural(c->t->marks_seen - c->t->marks, "mark"));
}
