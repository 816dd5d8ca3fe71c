/*
 * SPDX-License-Identifier: MIT
 *
 * compare_json.c - writes a comparison as JSON; null stands for an unknown value.
 */
#include <math.h>
#include <string.h>

#include "../words/json_writer.h"
#include "compare.h"

static void json_mean(struct doze_json *j, const char *name, const struct doze_mean *m)
{
	doze_json_open(j, name, '{');
	doze_json_real(j, "mean", m->mean);
	doze_json_real(j, "half_95", m->n > 1 ? m->half : NAN); /* a single run has no interval */
	doze_json_close(j, '}');
}

static void json_line(struct doze_json *j, const struct doze_side *a, const struct doze_side *b,
		      const struct doze_compare_line *l)
{
	struct doze_mean x = doze_compare_mean(a, l), y = doze_compare_mean(b, l);

	if (doze_compare_any_foreign(a, b) && !doze_compare_foreign_name(l))
		return;
	doze_json_open(j, NULL, '{');
	doze_json_string(j, "measure", l->name + strspn(l->name, " "));
	json_mean(j, "a", &x);
	json_mean(j, "b", &y);
	doze_json_real(j, "difference", y.mean - x.mean);
	doze_json_bool(j, "differs", doze_means_differ(&x, &y));
	doze_json_close(j, '}');
}

static void json_lines(struct doze_json *j, const struct doze_side *a, const struct doze_side *b,
		       enum doze_compare_where where, size_t index)
{
	struct doze_compare_line l;

	doze_json_open(j, "measures", '[');
	for (size_t i = 0; doze_compare_line(i, where, index, &l); i++)
		json_line(j, a, b, &l);
	doze_json_close(j, ']');
}

static void json_phases(struct doze_json *j, const struct doze_side *a, const struct doze_side *b)
{
	bool marks = doze_compare_same_marks(a, b);
	size_t n = marks ? a->run[0].marks + 1 : DOZE_COMPARE_PARTS;

	doze_json_string(j, "aligned_by", marks ? "marks" : "quarters");
	doze_json_open(j, "phases", '[');
	for (size_t i = 0; i < n; i++) {
		doze_json_open(j, NULL, '{');
		doze_json_string(j, "mark", marks && i ? a->run[0].mark[i - 1] : 0);
		json_lines(j, a, b, marks ? DOZE_COMPARE_PHASE : DOZE_COMPARE_PART, i);
		doze_json_close(j, '}');
	}
	doze_json_close(j, ']');
}

static void verdict(struct doze_json *j, const struct doze_side *a, const struct doze_side *b)
{
	struct doze_compare_verdict v;
	char better[2] = "";

	doze_compare_verdict(a, b, &v);
	better[0] = v.better;
	doze_json_string(j, "verdict", v.text);
	doze_json_string(j, "better", v.better ? better : NULL);
	doze_json_real(j, "change", v.change);
	doze_json_real(j, "noise", v.noise);
	if (v.repeated)
		doze_json_bool(j, "exceeds_noise", v.exceeds);
	else
		doze_json_null(j, "exceeds_noise");
}

void doze_compare_json(const struct doze_side *a, const struct doze_side *b, FILE *out)
{
	struct doze_json j = {.out = out};
	const char *note;

	doze_json_open(&j, NULL, '{');
	doze_json_string(&j, "format", "doze-compare/1");
	verdict(&j, a, b);
	if (doze_compare_any_foreign(a, b)) {
		doze_json_bool(&j, "foreign", true);
	} else {
		doze_json_string(&j, "policy_a", a->run[0].policy);
		doze_json_string(&j, "policy_b", b->run[0].policy);
	}
	doze_json_uint(&j, "runs_a", a->runs);
	doze_json_uint(&j, "runs_b", b->runs);
	doze_json_open(&j, "warnings", '[');
	for (size_t i = 0; (note = doze_compare_note(a, b, i)); i++)
		doze_json_string(&j, NULL, note);
	doze_json_close(&j, ']');
	json_lines(&j, a, b, DOZE_COMPARE_ALL, 0);
	json_phases(&j, a, b);
	doze_json_close(&j, '}');
}
