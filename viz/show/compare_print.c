/*
 * SPDX-License-Identifier: MIT
 *
 * compare_print.c - prints a comparison as text, per measure and phase.
 */
#include <math.h>
#include <string.h>

#include "../words/units.h"
#include "../words/wrap.h"
#include "compare.h"

static const char *number(char *buf, size_t size, double v, enum doze_unit u)
{
	if (isnan(v))
		snprintf(buf, size, "-");
	else if (u == DOZE_UNIT_ns)
		snprintf(buf, size, "%s", doze_duration((int64_t)v));
	else if (u == DOZE_UNIT_ratio)
		snprintf(buf, size, "%.3f", v);
	else if (v < 1e15 && v == floor(v))
		snprintf(buf, size, "%s", doze_count((uint64_t)(v < 0 ? 0 : v)));
	else
		snprintf(buf, size, "%.1f", v);
	return buf;
}

static const char *mean_text(char *buf, size_t size, const struct doze_mean *m, enum doze_unit u)
{
	char a[32], b[32];

	if (m->n > 1 && !isnan(m->mean))
		snprintf(buf, size, "%s +- %s", number(a, sizeof a, m->mean, u),
			 number(b, sizeof b, m->half, u));
	else
		number(buf, size, m->mean, u);
	return buf;
}

static const char *difference(char *buf, size_t size, double a, double b, enum doze_unit u)
{
	if (isnan(a) || isnan(b))
		snprintf(buf, size, "-");
	else if (u == DOZE_UNIT_ratio)
		snprintf(buf, size, "%+.3f", b - a);
	else if (a == 0 && b == 0)
		snprintf(buf, size, "=");
	else if (a == 0)
		snprintf(buf, size, "from 0");
	else if (b / a >= 10)
		snprintf(buf, size, "x %.0f", b / a);
	else
		snprintf(buf, size, "%+.1f %%", 100 * (b - a) / a);
	return buf;
}

static bool is_blank(const struct doze_mean *m)
{
	return isnan(m->mean) || (m->mean == 0 && m->half == 0);
}

/* Prints one line of the comparison. brief: omit the line if the measure is 0 or unknown on both
 * sides. */
static void print_line(const struct doze_side *a, const struct doze_side *b,
		       const struct doze_compare_line *l, bool brief, FILE *out)
{
	struct doze_mean x = doze_compare_mean(a, l), y = doze_compare_mean(b, l);
	char xs[80], ys[80], ds[40];
	const char *name = doze_compare_any_foreign(a, b) ? doze_compare_foreign_name(l) : l->name;

	if (!name)
		return;
	if (brief && is_blank(&x) && is_blank(&y))
		return;
	fprintf(out, "  %-24s %18s %18s %10s%s\n", name, mean_text(xs, sizeof xs, &x, l->unit),
		mean_text(ys, sizeof ys, &y, l->unit),
		difference(ds, sizeof ds, x.mean, y.mean, l->unit),
		doze_means_differ(&x, &y) ? " *" : "");
}

static void heading(const struct doze_side *a, const struct doze_side *b, FILE *out)
{
	char as[64], bs[64];
	const struct doze_run *x = &a->run[0], *y = &b->run[0];

	snprintf(as, sizeof as, "A (%s)",
		 x->is_foreign ? doze_plural(x->workers, "thread") : x->policy);
	snprintf(bs, sizeof bs, "B (%s)",
		 y->is_foreign ? doze_plural(y->workers, "thread") : y->policy);
	fprintf(out, "  %-24s %18s %18s %10s\n", "", as, bs, "B vs A");
}

static void all_lines(const struct doze_side *a, const struct doze_side *b,
		      enum doze_compare_where where, size_t index, FILE *out)
{
	struct doze_compare_line l;

	for (size_t i = 0; doze_compare_line(i, where, index, &l); i++)
		print_line(a, b, &l, where != DOZE_COMPARE_ALL, out);
}

static void phases(const struct doze_side *a, const struct doze_side *b, FILE *out)
{
	const struct doze_run *r = &a->run[0];
	bool marks = doze_compare_same_marks(a, b);
	size_t n = marks ? r->marks + 1 : DOZE_COMPARE_PARTS;

	fprintf(out, "\n%s\n(measures that are 0 or unknown on both sides are left out)\n",
		marks ? "By phase marks"
		      : "By quarters of the run (the traces do not have the same phase marks)");
	for (size_t i = 0; i < n; i++) {
		if (!marks)
			fprintf(out, "\n quarter %zu\n", i + 1);
		else if (i == 0)
			fprintf(out, "\n before %s\n", r->mark[0]);
		else
			fprintf(out, "\n from %s\n", r->mark[i - 1]);
		all_lines(a, b, marks ? DOZE_COMPARE_PHASE : DOZE_COMPARE_PART, i, out);
	}
}

static void inconclusive(const char *name, const struct doze_side *s, FILE *out)
{
	for (size_t i = 0; i < s->runs; i++) {
		char text[512];

		if (!*s->run[i].inconclusive)
			continue;
		snprintf(text, sizeof text, "\nInconclusive: recording %zu of %s: %s.\n", i + 1,
			 name, s->run[i].inconclusive);
		doze_wrap(out, text, 0);
	}
}

static void notes(const struct doze_side *a, const struct doze_side *b, FILE *out)
{
	const char *note;

	for (size_t i = 0; (note = doze_compare_note(a, b, i)); i++) {
		char text[200];

		snprintf(text, sizeof text, "\nWarning: %s.\n", note);
		doze_wrap(out, text, 0);
	}
}

void doze_compare_print(const struct doze_side *a, const struct doze_side *b, FILE *out)
{
	struct doze_compare_verdict v;

	doze_compare_verdict(a, b, &v);
	doze_wrap(out, strcat(v.text, "\n"), 0);
	fputc('\n', out);
	heading(a, b, out);
	all_lines(a, b, DOZE_COMPARE_ALL, 0, out);
	fputs("\n  - no value: nothing to measure, or not recorded\n", out);
	if (a->runs > 1 || b->runs > 1)
		fprintf(out,
			"  %zu and %zu recordings\n"
			"  +- half the width of the mean's 95 %% confidence interval\n"
			"  * statistically significant difference (Welch's t-test)\n",
			a->runs, b->runs);
	notes(a, b, out);
	phases(a, b, out);
	inconclusive("A", a, out);
	inconclusive("B", b, out);
}
