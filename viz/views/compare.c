/*
 * SPDX-License-Identifier: MIT
 *
 * compare.c - two sides, measure by measure and phase by phase.
 */
#include "compare.h"

#include <math.h>
#include <string.h>

#include "doubt.h"
#include "interval.h"
#include "json_writer.h"
#include "units.h"
#include "wrap.h"

static const char *const time_names[DOZE_COMPARE_TIMES] = {
    "notify to awake, p50", "notify to awake, p99", "publish to job, p50",
    "publish to job, p99",  "futile search, p50",
};

void doze_run_take(struct doze_run *r, const struct doze_model *m, const struct doze_phases *p)
{
	const struct doze_measures *s = doze_model_measures(m);
	const struct doze_pool_view *v = doze_model_pool(m, 0);

	snprintf(r->policy, sizeof r->policy, "%s", v ? v->policy : "?");
	snprintf(r->doubt, sizeof r->doubt, "%s", doze_doubt(m) ? doze_doubt(m) : "");
	r->all = p->end;
	r->times[0] = (double)doze_hist_percentile(&s->notify_awake, 0.5);
	r->times[1] = (double)doze_hist_percentile(&s->notify_awake, 0.99);
	r->times[2] = (double)doze_hist_percentile(&s->publish_job, 0.5);
	r->times[3] = (double)doze_hist_percentile(&s->publish_job, 0.99);
	r->times[4] = (double)doze_hist_percentile(&s->futile_search, 0.5);
	for (size_t i = 0; i < DOZE_COMPARE_PARTS; i++)
		r->part[i] = doze_phase_part(p, i, DOZE_COMPARE_PARTS);
	r->marks = p->marks;
	for (size_t i = 0; i <= p->marks; i++)
		r->phase[i] = doze_phase(p, i);
	for (size_t i = 0; i < p->marks; i++)
		memcpy(r->mark[i], p->mark[i].text, sizeof r->mark[i]);
}

/* ---- one line of the comparison ---- */

enum where { WHOLE, PHASE, PART, TIME };

struct line {
	const char *name;
	enum doze_unit unit;
	enum where where;
	size_t index;                     /* of the phase, the part or the time */
	const struct doze_metric *metric; /* null for TIME */
};

static double value(const struct doze_run *r, const struct line *l)
{
	switch (l->where) {
	case PHASE:
		return l->metric->of(&r->phase[l->index]);
	case PART:
		return l->metric->of(&r->part[l->index]);
	case TIME:
		return r->times[l->index];
	default:
		return l->metric->of(&r->all);
	}
}

static struct doze_mean mean_of(const struct doze_side *s, const struct line *l)
{
	double v[DOZE_COMPARE_MAX];

	for (size_t i = 0; i < s->runs; i++)
		v[i] = value(&s->run[i], l);
	return doze_mean_of(v, s->runs);
}

static const char *number(char *buf, size_t size, double v, enum doze_unit u)
{
	if (u == DOZE_UNIT_ns)
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

	if (m->n > 1)
		snprintf(buf, size, "%s +- %s", number(a, sizeof a, m->mean, u),
			 number(b, sizeof b, m->half, u));
	else
		number(buf, size, m->mean, u);
	return buf;
}

static const char *difference(char *buf, size_t size, double a, double b, enum doze_unit u)
{
	if (u == DOZE_UNIT_ratio)
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

static void print_line(const struct doze_side *a, const struct doze_side *b, const struct line *l,
		       FILE *out)
{
	struct doze_mean x = mean_of(a, l), y = mean_of(b, l);
	char xs[80], ys[80], ds[40];

	fprintf(out, "  %-21s %19s %19s %10s%s\n", l->name, mean_text(xs, sizeof xs, &x, l->unit),
		mean_text(ys, sizeof ys, &y, l->unit),
		difference(ds, sizeof ds, x.mean, y.mean, l->unit),
		doze_means_differ(&x, &y) ? " *" : "");
}

/* ---- text ---- */

/* Marks of the same text in the same order on both sides and in all runs. */
static bool same_marks(const struct doze_side *a, const struct doze_side *b)
{
	const struct doze_run *first = &a->run[0];

	for (size_t i = 0; i < a->runs + b->runs; i++) {
		const struct doze_run *r = i < a->runs ? &a->run[i] : &b->run[i - a->runs];

		if (r->marks != first->marks)
			return false;
		for (size_t k = 0; k < r->marks; k++)
			if (strcmp(r->mark[k], first->mark[k]) != 0)
				return false;
	}
	return first->marks > 0;
}

static void heading(const struct doze_side *a, const struct doze_side *b, FILE *out)
{
	char as[64], bs[64];

	snprintf(as, sizeof as, "A (%s)", a->run[0].policy);
	snprintf(bs, sizeof bs, "B (%s)", b->run[0].policy);
	fprintf(out, "  %-21s %19s %19s %10s\n", "", as, bs, "B to A");
}

static void phase_lines(const struct doze_side *a, const struct doze_side *b, enum where where,
			size_t i, FILE *out)
{
	for (const struct doze_metric *k = doze_metrics; k->name; k++) {
		struct line l = {k->name, k->unit, where, i, k};

		if (k->phases)
			print_line(a, b, &l, out);
	}
}

static void phases(const struct doze_side *a, const struct doze_side *b, FILE *out)
{
	const struct doze_run *r = &a->run[0];
	bool marks = same_marks(a, b);
	size_t n = marks ? r->marks + 1 : DOZE_COMPARE_PARTS;

	fprintf(out, "\n%s\n",
		marks ? "By phase marks"
		      : "By quarters of the run (the two have no common phase marks)");
	for (size_t i = 0; i < n; i++) {
		if (!marks)
			fprintf(out, "\n quarter %zu\n", i + 1);
		else if (i == 0)
			fprintf(out, "\n before %s\n", r->mark[0]);
		else
			fprintf(out, "\n from %s\n", r->mark[i - 1]);
		phase_lines(a, b, marks ? PHASE : PART, i, out);
	}
}

static void doubts(const char *name, const struct doze_side *s, FILE *out)
{
	for (size_t i = 0; i < s->runs; i++) {
		char text[512];

		if (!*s->run[i].doubt)
			continue;
		snprintf(text, sizeof text, "\nInconclusive: recording %zu of %s: %s.\n", i + 1,
			 name, s->run[i].doubt);
		doze_wrap(out, text, 0);
	}
}

void doze_compare_print(const struct doze_side *a, const struct doze_side *b, FILE *out)
{
	heading(a, b, out);
	for (const struct doze_metric *k = doze_metrics; k->name; k++) {
		struct line l = {k->name, k->unit, WHOLE, 0, k};

		print_line(a, b, &l, out);
	}
	for (size_t i = 0; i < DOZE_COMPARE_TIMES; i++) {
		struct line l = {time_names[i], DOZE_UNIT_ns, TIME, i, 0};

		print_line(a, b, &l, out);
	}
	if (a->runs > 1 || b->runs > 1)
		fprintf(out,
			"\n  %zu and %zu recordings; +- is half the 95 %% interval of the mean;"
			"\n  * the two differ by more than chance explains\n",
			a->runs, b->runs);
	phases(a, b, out);
	doubts("A", a, out);
	doubts("B", b, out);
}

/* ---- JSON ---- */

static void json_mean(struct doze_json *j, const char *name, const struct doze_mean *m)
{
	doze_json_open(j, name, '{');
	doze_json_real(j, "mean", m->mean);
	doze_json_real(j, "half_95", m->half);
	doze_json_close(j, '}');
}

static void json_line(struct doze_json *j, const struct doze_side *a, const struct doze_side *b,
		      const struct line *l)
{
	struct doze_mean x = mean_of(a, l), y = mean_of(b, l);

	doze_json_open(j, 0, '{');
	doze_json_string(j, "measure", l->name + strspn(l->name, " "));
	json_mean(j, "a", &x);
	json_mean(j, "b", &y);
	doze_json_real(j, "difference", y.mean - x.mean);
	doze_json_bool(j, "differs", doze_means_differ(&x, &y));
	doze_json_close(j, '}');
}

static void json_phases(struct doze_json *j, const struct doze_side *a, const struct doze_side *b)
{
	bool marks = same_marks(a, b);
	size_t n = marks ? a->run[0].marks + 1 : DOZE_COMPARE_PARTS;

	doze_json_string(j, "aligned_by", marks ? "marks" : "quarters");
	doze_json_open(j, "phases", '[');
	for (size_t i = 0; i < n; i++) {
		doze_json_open(j, 0, '{');
		doze_json_string(j, "mark", marks && i ? a->run[0].mark[i - 1] : 0);
		doze_json_open(j, "measures", '[');
		for (const struct doze_metric *k = doze_metrics; k->name; k++) {
			struct line l = {k->name, k->unit, marks ? PHASE : PART, i, k};

			json_line(j, a, b, &l);
		}
		doze_json_close(j, ']');
		doze_json_close(j, '}');
	}
	doze_json_close(j, ']');
}

void doze_compare_json(const struct doze_side *a, const struct doze_side *b, FILE *out)
{
	struct doze_json j = {.out = out};

	doze_json_open(&j, 0, '{');
	doze_json_string(&j, "format", "doze-compare/1");
	doze_json_string(&j, "policy_a", a->run[0].policy);
	doze_json_string(&j, "policy_b", b->run[0].policy);
	doze_json_uint(&j, "runs_a", a->runs);
	doze_json_uint(&j, "runs_b", b->runs);
	doze_json_open(&j, "measures", '[');
	for (const struct doze_metric *k = doze_metrics; k->name; k++) {
		struct line l = {k->name, k->unit, WHOLE, 0, k};

		json_line(&j, a, b, &l);
	}
	for (size_t i = 0; i < DOZE_COMPARE_TIMES; i++) {
		struct line l = {time_names[i], DOZE_UNIT_ns, TIME, i, 0};

		json_line(&j, a, b, &l);
	}
	doze_json_close(&j, ']');
	json_phases(&j, a, b);
	doze_json_close(&j, '}');
}
