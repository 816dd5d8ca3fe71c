/*
 * SPDX-License-Identifier: MIT
 *
 * storms_paths.c - prints the critical path of each phase.
 */
#include <inttypes.h>

#include "../trace/utf8.h"
#include "../words/pool_words.h"
#include "../words/units.h"
#include "../words/wrap.h"
#include "selection_text.h"
#include "storms.h"

/* Maximum number of shares listed for a path, and the column at which each line of shares
 * begins. */
#define ITEMS  (DOZE_PATH_TOP + 1 + DOZE_PATH_PARTS)
#define COLUMN 26
#define PHASE  12 /* columns of a phase's name */

struct share {
	char name[40];
	int64_t ns;
	/* rest: the fraction that was cut off by rounding `percent` down, in millionths */
	int percent, rest;
};

/* Computes percentages that add up to 100: rounds all down, then gives the remaining points to
 * those with the largest fractions. */
static void to_percent(struct share *s, size_t n, int64_t all)
{
	int missing = 100;

	for (size_t i = 0; i < n; i++) {
		double exact = 100 * (double)s[i].ns / (double)all;

		s[i].percent = (int)exact;
		s[i].rest = (int)((exact - s[i].percent) * 1e6);
		missing -= s[i].percent;
	}
	for (; missing > 0 && n; missing--) {
		size_t most = 0;

		for (size_t i = 1; i < n; i++)
			if (s[i].rest > s[most].rest)
				most = i;
		s[most].percent++;
		s[most].rest = -1;
	}
}

static size_t items(const struct doze_path_line *p, struct share *s)
{
	size_t n = 0;

	for (int k = 0; k < DOZE_PATH_TOP; k++) {
		if (p->top[k].ns <= 0)
			continue;
		s[n].ns = p->top[k].ns;
		if (p->top[k].worker >= 0)
			snprintf(s[n++].name, sizeof s->name, "w%" PRId32, p->top[k].worker);
		else if (p->top[k].vtid >= 0)
			snprintf(s[n++].name, sizeof s->name, "outside (vtid %" PRId32 ")",
				 p->top[k].vtid);
		else
			snprintf(s[n++].name, sizeof s->name, "outside");
	}
	s[n].ns = p->others;
	snprintf(s[n++].name, sizeof s->name, "others");
	for (int k = 0; k < DOZE_PATH_PARTS; k++) {
		s[n].ns = p->part[k];
		snprintf(s[n++].name, sizeof s->name, "%s",
			 doze_path_part_name((enum doze_path_part)k));
	}
	return n;
}

static void line(const struct doze_path_line *p, FILE *out)
{
	struct share s[ITEMS];
	size_t n = items(p, s);
	const char *phase = *p->phase ? p->phase : "(start)";
	char text[64];
	size_t phase_columns, phase_bytes = doze_utf8_fit(phase, PHASE, &phase_columns);
	int column = COLUMN, width;

	to_percent(s, n, p->to - p->from);
	fprintf(out, "  %.*s%*s %9s  ", (int)phase_bytes, phase, (int)(PHASE - phase_columns), "",
		doze_duration(p->to - p->from));
	for (size_t i = 0; i < n; i++) {
		if (!s[i].percent)
			continue;
		width = snprintf(text, sizeof text, "%s %d%%", s[i].name, s[i].percent);
		if (column > COLUMN && column + 2 + width >= DOZE_TEXT_COLUMNS) {
			fprintf(out, ",\n%*s", COLUMN, "");
			column = COLUMN;
		} else if (column > COLUMN) {
			column += fprintf(out, ", ");
		}
		column += fprintf(out, "%s", text);
	}
	fputc('\n', out);
}

static void lines(const struct doze_storm_log *l, const struct doze_model *m, uint32_t row,
		  FILE *out)
{
	const char *pool = doze_pool_words(m, row);
	bool any = false;

	for (size_t i = 0; i < l->paths; i++) {
		if (l->path[i].pool_row != row)
			continue;
		if (!any && *pool)
			fprintf(out, "  in %s\n", pool);
		any = true;
		line(&l->path[i], out);
	}
}

void doze_storms_paths(const struct doze_storm_log *l, const struct doze_model *m, FILE *out)
{
	uint64_t missing = doze_paths_missing(m);

	if (missing)
		fprintf(out, "\nNo critical path for %s: too many workers at once\n",
			doze_plural(missing, "pool"));
	if (!l->paths || doze_selection_by_worker(doze_selection_of(m)))
		return;
	fputs("\nCritical path: what each phase's last piece of work had to wait for\n", out);
	if (!doze_model_totals(m)->jobs_level)
		fprintf(out,
			"  An estimate: level %s does not show which thread posted a stolen job\n"
			"  (record with --detail all)\n",
			doze_model_level(m));
	for (uint32_t row = 0; row < doze_model_pools(m); row++)
		lines(l, m, row, out);
}
