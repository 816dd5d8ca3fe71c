/*
 * SPDX-License-Identifier: MIT
 *
 * diagnose_view.c - the view `diagnose`: lists the causes of lost time, the most important first.
 */
#include "../model/checker.h"
#include "kind_conditions.h"
#include "selected.h"
#include "storms.h"
#include "view.h"

struct diagnose {
	struct doze_kind_conditions fail_if;
	struct doze_diagnosis result;
};

static const struct doze_view_option options[] = {
    {.option = {"fail-if", 0, "COND",
		"exit with code 1 if COND holds, e.g. 'hang' or 'serial>20%'; may be repeated",
		doze_check_kind_condition, NULL},
     .offset = offsetof(struct diagnose, fail_if),
     .only = DOZE_VIEW_COMMAND},
    {.option = {0}},
};

static struct doze_model *diagnose_open(void *state, const struct doze_view_request *r)
{
	struct doze_model_options limits = DOZE_MODEL_DEFAULTS;
	struct doze_model *m;

	(void)state;
	/* Don't limit the model to the time range, because doze_diagnose applies it. */
	limits.selection = doze_selection_of_pool(&r->selection);
	m = doze_with_diagnosis(doze_with_checker(doze_model_new_with(&limits, NULL, NULL)));
	if (m)
		doze_diagnosis_cpus(m, doze_storms_cpus(r->trace));
	return m;
}

static const struct doze_diagnosis *result(struct diagnose *d, const struct doze_model *m,
					   const struct doze_view_request *r)
{
	(void)doze_diagnose(m, doze_selected_from(m, &r->selection),
			    doze_selected_to(m, &r->selection), &d->result);
	return &d->result;
}

static void diagnose_print(void *state, const struct doze_model *m,
			   const struct doze_view_request *r)
{
	doze_diagnosis_print(result(state, m, r), m, r->trace, r->out);
}

static void diagnose_json(void *state, const struct doze_model *m,
			  const struct doze_view_request *r)
{
	doze_diagnosis_json(result(state, m, r), m, r->trace, r->out);
}

static int diagnose_judge(const void *state, const struct doze_model *m)
{
	const struct diagnose *d = state;

	return doze_kind_conditions_judge(&d->fail_if, &d->result, m);
}

const struct doze_view doze_diagnose_view = {
    .name = "diagnose",
    .takes = DOZE_VIEW_DECIDES,
    .options = options,
    .size = sizeof(struct diagnose),
    .open = diagnose_open,
    .print = diagnose_print,
    .json = diagnose_json,
    .judge = diagnose_judge,
};
