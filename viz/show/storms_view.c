/*
 * SPDX-License-Identifier: MIT
 *
 * storms_view.c - the view `storms`: storms, futile wakes, under-wakes and latencies.
 */
#include "../explain/diagnose.h"
#include "../model/checker.h"
#include "../model/path.h"
#include "../trace/manifest.h"
#include "../words/complain.h"
#include "fail_if.h"
#include "storms.h"
#include "view.h"

struct storms {
	struct doze_model_options limits;
	struct doze_storm_log log;
	struct doze_fail_if fail_if;
	bool histograms, brief;
};

static const struct storms defaults = {.limits = DOZE_MODEL_DEFAULTS};

#define AT(field) .offset = offsetof(struct storms, field)
static const struct doze_view_option options[] = {
    {.option = {"histogram", 0, NULL, "also draw the log-2 histograms of the latencies",
		doze_check_flag, NULL},
     AT(histograms)},
    {.option = {"brief", 0, NULL, "print only the summary, without the tables", doze_check_flag,
		NULL},
     AT(brief)},
    {.option = {"fail-if", 0, "COND",
		"exit with code 1 if COND holds, e.g. 'futile>0.5'; may be repeated",
		doze_check_condition, NULL},
     AT(fail_if),
     .only = DOZE_VIEW_COMMAND},
    {.option = {"storm-wakes", 0, "N", "a storm wakes at least N workers (default 4)",
		doze_check_count, NULL},
     AT(limits.storm_min_wakes)},
    {.option = {"storm-share", 0, "R",
		"and at least this share of the pool's workers (default 0.5)", doze_check_ratio,
		NULL},
     AT(limits.storm_min_share)},
    {.option = {"storm-futile", 0, "R",
		"and at least this share of its wakes is futile (default 0.5)", doze_check_ratio,
		NULL},
     AT(limits.storm_min_futile)},
    {.option = {"storm-merge", 0, "TIME",
		"decisions at most TIME apart count as one storm (default 1ms)",
		doze_check_duration, NULL},
     AT(limits.storm_merge_ns)},
    {.option = {0}},
};
#undef AT

static const char *storms_refuse(const void *state, const struct doze_view_request *r)
{
	static char text[120];
	const char *condition = doze_fail_if_of_all(&((const struct storms *)state)->fail_if);

	if (!condition || !doze_selection_by_worker(&r->selection))
		return NULL;
	snprintf(
	    text, sizeof text,
	    "--worker: --fail-if=%s applies to all workers together: omit one of the two options",
	    condition);
	return text;
}

uint32_t doze_storms_cpus(const char *trace)
{
	return trace ? doze_manifest_cpus(trace) : 0;
}

static struct doze_model *storms_open(void *state, const struct doze_view_request *r)
{
	struct storms *s = state;

	s->limits.selection = r->selection;
	s->log.model =
	    doze_with_paths(doze_model_new_with(&s->limits, &doze_storm_listener, &s->log));
	s->log.model = doze_with_diagnosis(doze_with_checker(s->log.model));
	if (s->log.model)
		doze_diagnosis_cpus(s->log.model, doze_storms_cpus(r->trace));
	return s->log.model;
}

static void storms_print(void *state, const struct doze_model *m, const struct doze_view_request *r)
{
	struct storms *s = state;

	doze_storm_log_finish(&s->log);
	doze_storms_answer(&s->log, m, r->out);
	if (!s->brief)
		doze_storms_tables(&s->log, m, s->histograms, r->out);
}

static void storms_json(void *state, const struct doze_model *m, const struct doze_view_request *r)
{
	struct storms *s = state;

	doze_storm_log_finish(&s->log);
	doze_storms_json(&s->log, m, r->trace, r->out);
}

static int storms_judge(const void *state, const struct doze_model *m)
{
	return doze_fail_if_judge(&((const struct storms *)state)->fail_if, m);
}

static void storms_close(void *state)
{
	doze_storm_log_free(&((struct storms *)state)->log);
}

const struct doze_view doze_storms_view = {
    .name = "storms",
    .options = options,
    .size = sizeof(struct storms),
    .defaults = &defaults,
    .refuse = storms_refuse,
    .open = storms_open,
    .print = storms_print,
    .json = storms_json,
    .judge = storms_judge,
    .close = storms_close,
};
