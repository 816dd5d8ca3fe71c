/*
 * SPDX-License-Identifier: MIT
 *
 * check_view.c - the view `check`, which checks that the pools of a trace obey the protocol of
 * their policies.
 */
#include "../model/checker.h"
#include "../words/complain.h"
#include "../words/rule_text.h"
#include "finding_log.h"
#include "inconclusive.h"
#include "view.h"

struct check {
	struct doze_findings *findings; /* owned */
	unsigned max;
	bool rules;
	bool raw_ids;
};

static const struct check defaults = {.max = 20};

static const struct doze_view_option options[] = {
    {.option = {"max", 0, "N", "show at most N findings, with the events around them (default 20)",
		doze_check_count, NULL},
     .offset = offsetof(struct check, max),
     .only = DOZE_VIEW_COMMAND},
    {.option = {"max", 0, "N", "show at most N findings, with the events around them (default 20)",
		doze_check_number, NULL},
     .offset = offsetof(struct check, max),
     .only = DOZE_VIEW_SINK},
    {.option = {"rules", 0, NULL, "print the rules and exit", doze_check_flag, NULL},
     .offset = offsetof(struct check, rules),
     .only = DOZE_VIEW_COMMAND},
    {.option = {"raw-ids", 0, NULL,
		"name latches by their raw ids, as --json does, instead of L1, L2", doze_check_flag,
		NULL},
     .offset = offsetof(struct check, raw_ids),
     .only = DOZE_VIEW_COMMAND},
    {.option = {0}},
};

static int check_precheck(const void *state, const struct doze_view_request *r)
{
	const struct check *c = state;

	if (c->rules) {
		doze_rules_print(stdout);
		return DOZE_EXIT_OK;
	}
	if (r->trace)
		return -1;
	doze_complain("check: no trace given: usage: doze check DIR");
	return DOZE_EXIT_USAGE;
}

static struct doze_model *check_open(void *state, const struct doze_view_request *r)
{
	struct doze_model_options o = DOZE_MODEL_DEFAULTS;
	struct check *c = state;

	o.selection = r->selection;
	o.raw_ids = r->json || c->raw_ids;
	c->findings = doze_findings_new(c->max);
	if (!c->findings)
		return NULL;
	return doze_with_checker(doze_model_new_with(&o, &doze_findings_listener, c->findings));
}

static void check_feed(void *state, struct doze_model *m, const struct doze_event *e)
{
	struct check *c = state;

	doze_findings_before(c->findings, e);
	doze_model_feed(m, e);
	doze_findings_after(c->findings, e);
}

static void check_print(void *state, const struct doze_model *m, const struct doze_view_request *r)
{
	doze_findings_print(((struct check *)state)->findings, m, r->out);
}

static void check_json(void *state, const struct doze_model *m, const struct doze_view_request *r)
{
	doze_findings_json(((struct check *)state)->findings, m, r->trace, r->out);
}

static int check_judge(const void *state, const struct doze_model *m)
{
	const struct doze_totals *t = doze_model_totals(m);

	(void)state;
	if (t->certain || (t->findings && !t->missing))
		return DOZE_EXIT_FINDINGS;
	if (doze_findings_unknown_policy(m) && !doze_inconclusive(m)) {
		doze_complain("check: inconclusive: policy %s is unknown, so only the rules common "
			      "to all policies were checked: update doze",
			      doze_findings_unknown_policy(m));
		return DOZE_EXIT_INCONCLUSIVE;
	}
	return t->ambiguous ? DOZE_EXIT_INCONCLUSIVE : DOZE_EXIT_OK;
}

static void check_close(void *state)
{
	doze_findings_free(((struct check *)state)->findings);
}

const struct doze_view doze_check_view = {
    .name = "check",
    .options = options,
    .size = sizeof(struct check),
    .defaults = &defaults,
    .precheck = check_precheck,
    .open = check_open,
    .feed = check_feed,
    .print = check_print,
    .json = check_json,
    .judge = check_judge,
    .close = check_close,
};
