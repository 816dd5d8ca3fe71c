/*
 * SPDX-License-Identifier: MIT
 *
 * fail_if.c - see fail_if.h.
 */
#include "fail_if.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../words/complain.h"

static double herd(const struct doze_model *m)
{
	return (double)doze_model_herd_excess(m);
}
static double near(const struct doze_model *m)
{
	double n = 0;

	for (int a = 0; a < DOZE_ABORT_COUNT; a++)
		n += (double)doze_model_totals(m)->sleep_aborts[a];
	return n;
}
static double burn(const struct doze_model *m)
{
	double search = (double)doze_model_time_in(m, DOZE_STATE_idle) +
			(double)doze_model_time_in(m, DOZE_STATE_sleepy);
	double all = search + (double)doze_model_time_in(m, DOZE_STATE_active);

	return all > 0 ? search / all : 0;
}
static double burnt(const struct doze_model *m)
{
	return (double)doze_model_measures(m)->storm.burnt / 1e9;
}
static double underwakes(const struct doze_model *m)
{
	return (double)doze_model_measures(m)->underwake.spans;
}
static double awake_p99(const struct doze_model *m)
{
	return (double)doze_hist_percentile(&doze_model_measures(m)->notify_awake, 0.99) / 1e9;
}
static double job_p99(const struct doze_model *m)
{
	return (double)doze_hist_percentile(&doze_model_measures(m)->publish_job, 0.99) / 1e9;
}

/* Each of the following functions returns why a measure is unknown, or null if it is known. A
 * condition on an unknown measure must not pass. Lost events and truncated traces, which affect all
 * measures, are reported by doze_load_conclusive. */
static const char *no_jobs_level(const struct doze_model *m)
{
	return doze_model_totals(m)->jobs_level
		   ? NULL
		   : "this measure needs every post and start: record with --detail all";
}
static const char *no_published(const struct doze_model *m)
{
	bool useful = doze_model_totals(m)->verdicts[DOZE_VERDICT_useful] > 0;

	return !useful || doze_model_measures(m)->publish_job.n
		   ? NULL
		   : "no post of a useful wake was recorded: record with --detail all";
}
static const char *no_awake(const struct doze_model *m)
{
	bool useful = doze_model_totals(m)->verdicts[DOZE_VERDICT_useful] > 0;

	return !useful || doze_model_measures(m)->notify_awake.n
		   ? NULL
		   : "no useful wake was recorded completely: record from the beginning";
}
static const char *no_jobs(const struct doze_model *m)
{
	const struct doze_totals *t = doze_model_totals(m);

	return !t->wakes || t->jobs_published || t->jobs_run
		   ? NULL
		   : "wakes were recorded, but no jobs: record from the beginning";
}
static const char *ambiguous(const struct doze_model *m)
{
	const struct doze_totals *t = doze_model_totals(m);

	if (t->missing && t->findings + t->ambiguous)
		return "missing events may explain the findings: see 'doze check'";
	return t->findings || !t->ambiguous
		   ? NULL
		   : "the order of timestamps may explain the findings: see 'doze check'";
}

#define TOTAL(field) NULL, offsetof(struct doze_totals, field)
static const struct {
	const char *name;
	double (*of)(const struct doze_model *); /* null: the total at this offset */
	size_t total;
	/* not available for a selection of workers, because jobs are published to all workers */
	bool of_all;
	/* known of a program without libdoze: not, as a lower bound, or exactly */
	enum { UNKNOWN, BOUND, KNOWN } foreign;
	const char *(*unknown)(const struct doze_model *);
} metrics[] = {
    {"futile", doze_model_futile_ratio, 0, false, BOUND, NULL}, /* futile / resolved wakes */
    {"amplification", doze_model_amplification, 0, true, UNKNOWN, no_jobs},
    {"herd", herd, 0, false, UNKNOWN, NULL},
    {"storms", TOTAL(storms), false, BOUND, NULL},
    {"burnt", burnt, 0, false, UNKNOWN, NULL}, /* wall time of futile search in storms, s */
    {"burn", burn, 0, false, UNKNOWN, NULL},   /* time searching / time awake */
    {"wakes", TOTAL(wakes), false, KNOWN, NULL},
    {"near-misses", near, 0, false, UNKNOWN, NULL},
    {"under-wakes", underwakes, 0, false, UNKNOWN, no_jobs_level},
    {"awake-p99", awake_p99, 0, false, KNOWN, no_awake},   /* from notification to awake, s */
    {"job-p99", job_p99, 0, false, UNKNOWN, no_published}, /* from a post to its job's start, s */
    {"findings", TOTAL(findings), false, KNOWN, ambiguous},
    {"lost", TOTAL(discarded), false, KNOWN, NULL},
};

#define METRICS (sizeof metrics / sizeof metrics[0])
static const char *const ops[] = {">=", "<=", "==", ">", "<"};
#define OPS (sizeof ops / sizeof ops[0])

static const char *syntax(void)
{
	static char text[384];

	if (*text)
		return text;
	strcpy(text, "MEASURE OP NUMBER, such as futile>0.5, with one of:");
	for (size_t i = 0; i < METRICS; i++) {
		strcat(text, " ");
		strcat(text, metrics[i].name);
	}
	return text;
}

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t");
}

bool doze_parse_amount(const char *s, double *v)
{
	static const struct {
		const char *unit;
		double factor;
	} units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"%", 1e-2}};
	char *end;
	size_t n;

	*v = strtod(s, &end);
	if (end == s || !isfinite(*v)) /* any comparison with NaN would be false */
		return false;
	s = skip_blanks(end);
	n = strcspn(s, " \t");
	if (*skip_blanks(s + n))
		return false;
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
		if (strlen(units[i].unit) == n && !strncmp(s, units[i].unit, n)) {
			*v *= units[i].factor;
			return true;
		}
	}
	return false;
}

static bool parse(const char *s, struct doze_condition *c)
{
	size_t n = strcspn(s = skip_blanks(s), "<>= \t");
	const char *op = skip_blanks(s + n);

	c->text = s;
	for (c->metric = 0; c->metric < METRICS; c->metric++)
		if (strlen(metrics[c->metric].name) == n && !strncmp(metrics[c->metric].name, s, n))
			break;
	for (c->op = 0; c->op < OPS; c->op++)
		if (!strncmp(op, ops[c->op], strlen(ops[c->op])))
			break;
	return c->metric < METRICS && c->op < OPS &&
	       doze_parse_amount(op + strlen(ops[c->op]), &c->limit);
}

const char *doze_check_condition(const char *value, void *target)
{
	struct doze_fail_if *f = target;

	if (f->count == DOZE_FAIL_IF_MAX)
		return "give at most 16 conditions";
	if (!parse(value, &f->condition[f->count]))
		return syntax();
	f->count++;
	return NULL;
}

static bool holds(double v, unsigned op, double limit)
{
	switch (op) {
	case 0:
		return v >= limit;
	case 1:
		return v <= limit;
	case 2:
		return v <= limit && v >= limit;
	case 3:
		return v > limit;
	default:
		return v < limit;
	}
}

const char *doze_fail_if_of_all(const struct doze_fail_if *f)
{
	for (size_t i = 0; i < f->count; i++)
		if (metrics[f->condition[i].metric].of_all)
			return f->condition[i].text;
	return NULL;
}

static double value_of(const struct doze_condition *c, const struct doze_model *m)
{
	const char *totals = (const char *)doze_model_totals(m);

	if (metrics[c->metric].of)
		return metrics[c->metric].of(m);
	return (double)*(const uint64_t *)(const void *)(totals + metrics[c->metric].total);
}

/* Returns why the condition cannot be judged, or null if it can. In a program without libdoze, some
 * measures are lower bounds. */
static const char *unknown(const struct doze_condition *c, const struct doze_model *m)
{
	bool foreign = doze_model_is_foreign(m);

	if (foreign && metrics[c->metric].foreign == UNKNOWN)
		return "the program does not use libdoze, so this is not known";
	if (foreign && metrics[c->metric].foreign == BOUND &&
	    ((c->op != 0 && c->op != 3) || !holds(value_of(c, m), c->op, c->limit)))
		return "of a program without libdoze, only a lower bound is known";
	return metrics[c->metric].unknown ? metrics[c->metric].unknown(m) : NULL;
}

/* Returns 1 if the condition holds, 4 if the measure is unknown, otherwise 0. Prints a line in the
 * first two cases. */
static int judge(const struct doze_condition *c, const struct doze_model *m)
{
	const char *name = metrics[c->metric].name;
	const char *why = unknown(c, m);
	double v = value_of(c, m);

	if (why) {
		doze_complain("%s: inconclusive: %s: %s", c->text, name, why);
		return DOZE_EXIT_INCONCLUSIVE;
	}
	if (!holds(v, c->op, c->limit))
		return DOZE_EXIT_OK;
	doze_complain("%s holds: %s is %g", c->text, name, v);
	return DOZE_EXIT_FINDINGS;
}

int doze_fail_if_judge(const struct doze_fail_if *f, const struct doze_model *m)
{
	bool holds = false, unknown = false;

	for (size_t i = 0; i < f->count; i++) {
		int rc = judge(&f->condition[i], m);

		holds |= rc == DOZE_EXIT_FINDINGS;
		unknown |= rc == DOZE_EXIT_INCONCLUSIVE;
	}
	return holds ? DOZE_EXIT_FINDINGS : unknown ? DOZE_EXIT_INCONCLUSIVE : DOZE_EXIT_OK;
}

/* ---- doze diagnose --fail-if ---- */

enum { DELAY_P50 = DOZE_TROUBLE_COUNT, DELAY_P99, MEASURES };

static const char *name_of(unsigned measure)
{
	if (measure < DOZE_TROUBLE_COUNT)
		return doze_trouble_name((enum doze_trouble)measure);
	return measure == DELAY_P50 ? "job-delay-p50" : "job-delay-p99";
}

static const char *kind_syntax(void)
{
	static char text[384];

	if (*text)
		return text;
	strcpy(text, "KIND, KIND>SHARE or job-delay-p99>TIME, such as hang or serial>20%, with one "
		     "of:");
	for (unsigned i = 0; i < MEASURES; i++) {
		strcat(text, " ");
		strcat(text, name_of(i));
	}
	return text;
}

const char *doze_check_kind_condition(const char *value, void *target)
{
	struct doze_fail_if *all = target;
	struct doze_condition c = {.text = value};
	size_t n = strcspn(value, "> \t");
	const char *op = value + n + strspn(value + n, " \t");

	if (all->count == DOZE_FAIL_IF_MAX)
		return "give at most 16 conditions";
	while (c.metric < MEASURES &&
	       (strlen(name_of(c.metric)) != n || strncmp(name_of(c.metric), value, n) != 0))
		c.metric++;
	c.limited = *op == '>';
	if (c.metric == MEASURES || (*op && !c.limited) ||
	    (c.limited && !doze_parse_amount(op + 1, &c.limit)) ||
	    (!c.limited && c.metric >= DOZE_TROUBLE_COUNT))
		return kind_syntax();
	all->condition[all->count++] = c;
	return NULL;
}

static bool listed(const struct doze_diagnosis *d, unsigned kind)
{
	for (size_t i = 0; i < d->count; i++)
		if ((unsigned)d->cause[i].kind == kind)
			return true;
	return false;
}

static double share_of(const struct doze_diagnosis *d, unsigned kind)
{
	return d->usable_ns ? (double)d->cost[kind] / (double)d->usable_ns : 0;
}

static int judge_delay(const struct doze_condition *c, const struct doze_model *m)
{
	uint64_t n;
	double s = doze_diagnosis_job_delay(m, c->metric == DELAY_P50 ? 0.5 : 0.99, &n);

	if (!n) {
		doze_complain("%s: inconclusive: no start of a posted job was recorded: record "
			      "with --detail all",
			      c->text);
		return DOZE_EXIT_INCONCLUSIVE;
	}
	if (s <= c->limit)
		return DOZE_EXIT_OK;
	doze_complain("%s holds: the value is %g s", c->text, s);
	return DOZE_EXIT_FINDINGS;
}

static int judge_kind(const struct doze_condition *c, const struct doze_diagnosis *d,
		      const struct doze_model *m)
{
	bool holds;

	if (c->metric >= DOZE_TROUBLE_COUNT)
		return judge_delay(c, m);
	holds = c->limited ? share_of(d, c->metric) > c->limit : listed(d, c->metric);
	if (holds)
		doze_complain("%s holds: %s takes %.3g %% of the worker time", c->text,
			      name_of(c->metric), 100 * share_of(d, c->metric));
	return holds ? DOZE_EXIT_FINDINGS : DOZE_EXIT_OK;
}

int doze_kind_conditions_judge(const struct doze_fail_if *all, const struct doze_diagnosis *d,
			       const struct doze_model *m)
{
	bool holds = false, unknown = false;

	if (all->count && d->foreign) {
		doze_complain("%s: inconclusive: the program does not use libdoze, so the causes "
			      "of its delays are not known",
			      all->condition[0].text);
		return DOZE_EXIT_INCONCLUSIVE;
	}
	for (size_t i = 0; i < all->count; i++) {
		int rc = judge_kind(&all->condition[i], d, m);

		holds |= rc == DOZE_EXIT_FINDINGS;
		unknown |= rc == DOZE_EXIT_INCONCLUSIVE;
	}
	if (holds)
		return DOZE_EXIT_FINDINGS;
	if (all->count && !unknown && !d->conclusive) {
		doze_complain(
		    "inconclusive: events were lost or are missing, or the trace ends early");
		unknown = true;
	}
	return unknown ? DOZE_EXIT_INCONCLUSIVE : DOZE_EXIT_OK;
}
