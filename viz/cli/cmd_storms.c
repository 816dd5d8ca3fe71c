/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_storms.c - `doze storms DIR`: wakes, storms, futile wakes, under-wakes, latencies.
 */
#include <stdio.h>

#include "../check/checker.h"
#include "../views/fail_if.h"
#include "../views/load.h"
#include "../views/storms.h"
#include "cmd.h"
#include "cmd_offline.h"

static struct doze_model_options limits = DOZE_MODEL_DEFAULTS;
static struct doze_fail_if fail_if;
static bool histograms, brief;

const struct doze_option cmd_storms_options[] = {
    {"histogram", 0, NULL, "also draw the log-2 histograms of the latencies", doze_check_flag,
     &histograms},
    {"brief", 0, NULL, "only the answer, without the tables", doze_check_flag, &brief},
    {"fail-if", 0, "COND", "exit with 1 if it holds, e.g. 'futile>0.5'; may be repeated",
     doze_check_condition, &fail_if},
    {"storm-wakes", 0, "N", "a storm wakes at least N workers (4)", doze_check_count,
     &limits.storm_min_wakes},
    {"storm-share", 0, "R", "and at least this share of them (0.5)", doze_check_ratio,
     &limits.storm_min_share},
    {"storm-futile", 0, "R", "and this share of its wakes is futile (0.5)", doze_check_ratio,
     &limits.storm_min_futile},
    {"storm-merge", 0, "TIME", "decisions closer than this are one storm (1ms)",
     doze_check_duration, &limits.storm_merge_ns},
    {0},
};

static int report(const struct doze_options *o, const struct doze_storm_log *log,
		  const struct doze_model *m)
{
	const char *dir = o->operands[0];
	int doubts, failed;

	if (o->json) {
		doze_storms_json(log, m, dir, stdout);
	} else {
		doze_storms_answer(log, m, stdout);
		if (!brief)
			doze_storms_tables(log, m, histograms, stdout);
	}
	fflush(stdout);
	doubts = doze_load_doubts(dir, m);
	failed = doze_fail_if_judge(&fail_if, m);
	return failed ? failed : doubts;
}

static int storms(const struct doze_options *o, struct doze_storm_log *log, struct doze_model *m)
{
	int rc = doze_load(o->operands[0], m, 0);

	if (!rc)
		rc = doze_load_check("storms", &o->selection, m);
	if (rc)
		return rc;
	doze_storm_log_finish(log);
	return report(o, log, m);
}

int cmd_storms(int argc, char **argv)
{
	struct doze_storm_log log = {0};
	struct doze_options o;
	int rc = doze_options_parse(&o, argc, argv);
	const char *condition;

	if (rc >= 0)
		return rc;
	condition = doze_selection_by_worker(&o.selection) ? doze_fail_if_of_all(&fail_if) : NULL;
	if (condition) {
		doze_complain(
		    "storms: --fail-if: %s is of all workers together: leave out --worker",
		    condition);
		return DOZE_EXIT_USAGE;
	}
	limits.selection = o.selection;
	log.model = doze_with_paths(doze_model_new_with(&limits, &doze_storm_listener, &log));
	if (doze_fail_if_checks(&fail_if))
		log.model = doze_with_checker(log.model);
	if (!log.model) {
		doze_complain("not enough memory: storms: close other programs");
		return DOZE_EXIT_INPUT;
	}
	rc = storms(&o, &log, log.model);
	doze_model_free(log.model);
	doze_storm_log_free(&log);
	return rc;
}
