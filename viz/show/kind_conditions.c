/*
 * SPDX-License-Identifier: MIT
 *
 * kind_conditions.c - see kind_conditions.h.
 */
#include "kind_conditions.h"

#include <string.h>

#include "../words/complain.h"
#include "fail_if.h"

enum { DELAY_P50 = DOZE_TROUBLE_COUNT, DELAY_P99, MEASURES };

static const char *name_of(unsigned measure)
{
	if (measure < DOZE_TROUBLE_COUNT)
		return doze_trouble_name((enum doze_trouble)measure);
	return measure == DELAY_P50 ? "job-delay-p50" : "job-delay-p99";
}

static const char *syntax(void)
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
	struct doze_kind_conditions *all = target;
	struct doze_kind_condition c = {.text = value};
	size_t n = strcspn(value, "> \t");
	const char *op = value + n + strspn(value + n, " \t");

	if (all->count == DOZE_KIND_CONDITIONS_MAX)
		return "give at most 16 conditions";
	while (c.measure < MEASURES &&
	       (strlen(name_of(c.measure)) != n || strncmp(name_of(c.measure), value, n) != 0))
		c.measure++;
	c.limited = *op == '>';
	if (c.measure == MEASURES || (*op && !c.limited) ||
	    (c.limited && !doze_parse_amount(op + 1, &c.limit)) ||
	    (!c.limited && c.measure >= DOZE_TROUBLE_COUNT))
		return syntax();
	all->at[all->count++] = c;
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

static int judge_delay(const struct doze_kind_condition *c, const struct doze_model *m)
{
	uint64_t n;
	double s = doze_diagnosis_job_delay(m, c->measure == DELAY_P50 ? 0.5 : 0.99, &n);

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

static int judge(const struct doze_kind_condition *c, const struct doze_diagnosis *d,
		 const struct doze_model *m)
{
	bool holds;

	if (c->measure >= DOZE_TROUBLE_COUNT)
		return judge_delay(c, m);
	holds = c->limited ? share_of(d, c->measure) > c->limit : listed(d, c->measure);
	if (holds)
		doze_complain("%s holds: %s takes %.3g %% of the worker time", c->text,
			      name_of(c->measure), 100 * share_of(d, c->measure));
	return holds ? DOZE_EXIT_FINDINGS : DOZE_EXIT_OK;
}

int doze_kind_conditions_judge(const struct doze_kind_conditions *all,
			       const struct doze_diagnosis *d, const struct doze_model *m)
{
	bool holds = false, unknown = false;

	if (all->count && d->foreign) {
		doze_complain("%s: inconclusive: the program does not use libdoze, so the causes "
			      "of its delays are not known",
			      all->at[0].text);
		return DOZE_EXIT_INCONCLUSIVE;
	}
	for (size_t i = 0; i < all->count; i++) {
		int rc = judge(&all->at[i], d, m);

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
