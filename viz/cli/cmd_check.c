/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_check.c - `doze check DIR`: does the trace obey its policy's protocol?
 */
#include <stdio.h>

#include "../check/checker.h"
#include "../views/findings.h"
#include "../views/load.h"
#include "cmd.h"
#include "cmd_offline.h"

static unsigned max_shown = 20;
static bool list_rules;

const struct doze_option cmd_check_options[] = {
    {"max", 0, "N", "show N findings with the events around them (20)", doze_check_count,
     &max_shown},
    {"rules", 0, NULL, "print the rules and what they demand", doze_check_flag, &list_rules},
    {0},
};

static void before(void *ctx, const struct doze_event *e)
{
	doze_findings_before(ctx, e);
}

static void after(void *ctx, const struct doze_event *e)
{
	doze_findings_after(ctx, e);
}

static int check(const struct doze_options *o, struct doze_findings *f, struct doze_model *m)
{
	struct doze_load_hooks hooks = {.before = before, .after = after, .ctx = f};
	const struct doze_totals *t = doze_model_totals(m);
	int rc = doze_load(o->operands[0], m, &hooks), doubts;

	if (!rc)
		rc = doze_load_check("check", &o->selection, m);
	if (rc)
		return rc;
	if (o->json)
		doze_findings_json(f, m, o->operands[0], stdout);
	else
		doze_findings_print(f, m, stdout);
	fflush(stdout);
	doubts = doze_load_doubts(o->operands[0], m);
	if (t->findings && !t->missing)
		return DOZE_EXIT_FINDINGS;
	return t->ambiguous && !doubts ? DOZE_EXIT_INCONCLUSIVE : doubts;
}

int cmd_check(int argc, char **argv)
{
	struct doze_model_options opt = DOZE_MODEL_DEFAULTS;
	struct doze_findings *f;
	struct doze_model *m;
	struct doze_options o;
	int rc = doze_options_parse(&o, argc, argv);

	if (rc >= 0)
		return rc;
	if (list_rules) {
		doze_rules_print(stdout);
		return DOZE_EXIT_OK;
	}
	if (!o.count) {
		doze_complain("check: no trace given: doze check DIR");
		return DOZE_EXIT_USAGE;
	}
	opt.selection = o.selection;
	f = doze_findings_new(max_shown);
	m = f ? doze_with_checker(doze_model_new_with(&opt, &doze_findings_listener, f)) : 0;
	if (m) {
		rc = check(&o, f, m);
	} else {
		doze_complain("not enough memory: check: try a smaller --max");
		rc = DOZE_EXIT_INPUT;
	}
	doze_model_free(m);
	doze_findings_free(f);
	return rc;
}
