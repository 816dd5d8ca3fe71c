/*
 * SPDX-License-Identifier: MIT
 *
 * explain_views.c - the views `diagnose` and `why`.
 */
#include "../explain/why.h"
#include "../model/checker.h"
#include "../words/complain.h"
#include "fail_if.h"
#include "selected.h"
#include "storms.h"
#include "view.h"

/* ---- diagnose: lists the causes of lost time, the most important first ---- */

struct diagnose {
	struct doze_fail_if fail_if;
	struct doze_diagnosis result;
	struct doze_storm_log log; /* not used: the summary of a recording has it, for `storms` */
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

	/* Don't limit the model to the time range, because doze_diagnose applies it. */
	limits.selection = doze_selection_of_pool(&r->selection);
	return doze_storm_log_open(&((struct diagnose *)state)->log, &limits, r->trace);
}

static bool diagnose_whole(const void *state, const struct doze_view_request *r)
{
	(void)state;
	return !doze_selection_by_pool(&r->selection);
}

static void diagnose_saved(void *state, struct doze_saved *s)
{
	doze_storm_log_saved(&((struct diagnose *)state)->log, s);
}

static void diagnose_close(void *state)
{
	doze_storm_log_free(&((struct diagnose *)state)->log);
}

static void diagnose_print(void *state, const struct doze_model *m,
			   const struct doze_view_request *r)
{
	struct diagnose *d = state;

	(void)doze_diagnose(m, doze_selected_from(m, &r->selection),
			    doze_selected_to(m, &r->selection), &d->result);
	(r->json ? doze_diagnosis_json : doze_diagnosis_print)(&d->result, m, r->trace, r->out);
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
    .json = diagnose_print,
    .judge = diagnose_judge,
    .close = diagnose_close,
    .whole = diagnose_whole,
    .saved = diagnose_saved,
};

/* ---- why: the chain of causes of a job's or a worker's delay, or of the delay at a given time
 * ---- */

struct why_state {
	struct doze_why_question question;
	bool failed, found;
};

static const struct doze_view_option why_options[] = {
    {.option = {"what", 0, "WHAT", "a time (20ms), a job (0x2a) or a worker (w3)", doze_check_why,
		NULL},
     .offset = offsetof(struct why_state, question),
     .only = DOZE_VIEW_SINK},
    {.option = {0}},
};

/* Refuses a time range for a question about a time or a job, which already refers to a particular
 * moment. */
static const char *why_refuse(const void *state, const struct doze_view_request *r)
{
	static char text[120];
	const struct why_state *s = state;
	const char *option = doze_view_part_option(r);

	if (!option || s->question.kind == DOZE_WHY_worker || s->question.kind == DOZE_WHY_none)
		return NULL;
	snprintf(text, sizeof text,
		 "--%s: this option selects among the delays of one worker: omit it, or ask about "
		 "a worker (w3)",
		 option);
	return text;
}

static struct doze_model *why_open(void *state, const struct doze_view_request *r)
{
	struct why_state *s = state;
	struct doze_model_options limits = DOZE_MODEL_DEFAULTS;

	limits.selection = doze_selection_of_pool(&r->selection);
	s->question.from = r->selection.from;
	s->question.to = r->selection.to;
	s->question.cpus = doze_storms_cpus(r->trace);
	return doze_with_why(doze_model_new_with(&limits, NULL, NULL), &s->question);
}

static void why_print(void *state, const struct doze_model *m, const struct doze_view_request *r)
{
	static struct doze_why_answer a;
	struct why_state *s = state;

	s->failed = !doze_why_answer(m, &a);
	if (s->failed)
		return;
	s->found = a.found;
	if (r->json)
		doze_why_json(&a, &s->question, m, r->trace, r->out);
	else
		doze_why_print(&a, m, r->trace, r->out);
}

/* The answer to a question about a time usually depends on little before that time. */
static bool why_from_part(const void *state, const struct doze_view_request *r,
			  struct doze_selection *range)
{
	const struct doze_why_question *q = &((const struct why_state *)state)->question;

	(void)r;
	range->from = range->to = q->time;
	return q->kind == DOZE_WHY_time;
}

static const struct doze_view_follows why_follows = {
    .begin = doze_why_part_begin,
    .settled = doze_why_part_settled,
    .end = doze_why_part_end,
};

static bool why_failed(const void *state)
{
	return ((const struct why_state *)state)->failed;
}

static const char *why_ask(void *state, const char *text)
{
	return doze_check_why(text, &((struct why_state *)state)->question);
}

/* Returns the exit code. A question about something that is not in the trace is a usage error. If
 * the answer is that the worker was never late, the exit code is 0. */
static int why_judge(const void *state, const struct doze_model *m)
{
	const struct why_state *s = state;

	(void)m;
	return s->found || s->question.kind == DOZE_WHY_worker || s->question.kind == DOZE_WHY_none
		   ? 0
		   : DOZE_EXIT_USAGE;
}

const struct doze_view doze_why_view = {
    .name = "why",
    .options = why_options,
    .size = sizeof(struct why_state),
    .ask = why_ask,
    .refuse = why_refuse,
    .open = why_open,
    .print = why_print,
    .json = why_print,
    .failed = why_failed,
    .judge = why_judge,
    .part = why_from_part,
    .follows = &why_follows,
};
