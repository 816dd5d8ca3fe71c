/*
 * SPDX-License-Identifier: MIT
 *
 * fail_if.c - see fail_if.h.
 */
#include "fail_if.h"

#include <stdlib.h>
#include <string.h>

#include "../cmd.h"

static double total(const struct doze_model *m, size_t offset)
{
	return (double)*(const uint64_t *)(const void *)((const char *)doze_model_totals(m) +
							 offset);
}

static double storms(const struct doze_model *m)
{
	return total(m, offsetof(struct doze_totals, storms));
}
static double wakes(const struct doze_model *m)
{
	return total(m, offsetof(struct doze_totals, wakes));
}
static double findings(const struct doze_model *m)
{
	return total(m, offsetof(struct doze_totals, findings));
}
static double lost(const struct doze_model *m)
{
	return total(m, offsetof(struct doze_totals, discarded));
}
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

static const struct {
	const char *name;
	double (*of)(const struct doze_model *);
	bool of_all; /* workers together: jobs are published to all */
} metrics[] = {
    {"futile", doze_model_futile_ratio, false}, /* futile / resolved wakes */
    {"amplification", doze_model_amplification, true},
    {"herd", herd, false},
    {"storms", storms, false},
    {"burnt", burnt, false}, /* s, by storms */
    {"burn", burn, false},   /* searching / awake */
    {"wakes", wakes, false},
    {"near-misses", near, false},
    {"under-wakes", underwakes, false},
    {"awake-p99", awake_p99, false}, /* s, notify to awake */
    {"job-p99", job_p99, false},     /* s, publish to first job */
    {"findings", findings, false},
    {"lost", lost, false},
};

#define METRICS (sizeof metrics / sizeof metrics[0])
static const char *const ops[] = {">=", "<=", "==", ">", "<"};
#define OPS (sizeof ops / sizeof ops[0])

const char *doze_fail_if_names(void)
{
	static char names[256];

	if (!*names) {
		for (size_t i = 0; i < METRICS; i++) {
			strcat(names, i ? " " : "");
			strcat(names, metrics[i].name);
		}
	}
	return names;
}

static const char *complaint(void)
{
	static char text[384] = "MEASURE OP NUMBER, such as futile>0.5, with one of: ";

	if (!strstr(text, doze_fail_if_names()))
		strcat(text, doze_fail_if_names());
	return text;
}

static bool parse_number(const char *s, double *v)
{
	static const struct {
		const char *unit;
		double factor;
	} units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"%", 1e-2}};
	char *end;

	*v = strtod(s, &end);
	if (end == s)
		return false;
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
		if (!strcmp(end, units[i].unit)) {
			*v *= units[i].factor;
			return true;
		}
	}
	return false;
}

static bool parse(const char *s, struct doze_condition *c)
{
	size_t n = strcspn(s, "<>=");

	c->text = s;
	for (c->metric = 0; c->metric < METRICS; c->metric++)
		if (strlen(metrics[c->metric].name) == n && !strncmp(metrics[c->metric].name, s, n))
			break;
	for (c->op = 0; c->op < OPS; c->op++)
		if (!strncmp(s + n, ops[c->op], strlen(ops[c->op])))
			break;
	return c->metric < METRICS && c->op < OPS &&
	       parse_number(s + n + strlen(ops[c->op]), &c->limit);
}

const char *doze_check_condition(const char *value, void *target)
{
	struct doze_fail_if *f = target;

	if (f->count == DOZE_FAIL_IF_MAX)
		return "at most 16 conditions";
	if (!parse(value, &f->condition[f->count]))
		return complaint();
	f->count++;
	return 0;
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
	return 0;
}

size_t doze_fail_if_holds(const struct doze_fail_if *f, const struct doze_model *m)
{
	size_t n = 0;

	for (size_t i = 0; i < f->count; i++) {
		const struct doze_condition *c = &f->condition[i];
		double v = metrics[c->metric].of(m);

		if (!holds(v, c->op, c->limit))
			continue;
		doze_complain("%s holds: %s is %g", c->text, metrics[c->metric].name, v);
		n++;
	}
	return n;
}
