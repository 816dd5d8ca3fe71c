/*
 * SPDX-License-Identifier: MIT
 *
 * report_view.c - the view `report`: writes one HTML page about the trace.
 */
#include "../explain/diagnose.h"
#include "../model/checker.h"
#include "../model/path.h"
#include "../words/complain.h"
#include "page.h"
#include "view.h"

static int report_precheck(const void *state, const struct doze_view_request *r)
{
	(void)state;
	if (r->output)
		return -1;
	doze_complain("report: no file given: add -o FILE.html");
	return DOZE_EXIT_USAGE;
}

static struct doze_model *report_open(void *state, const struct doze_view_request *request)
{
	struct doze_model_options limits = DOZE_MODEL_DEFAULTS;
	struct report *r = state;
	struct doze_model *m;

	limits.selection = request->selection;
	r->selected = (struct doze_selected){.to = &report_listener, .ctx = r};
	m = doze_selected_model(&r->selected, &limits);
	m = doze_with_checker(doze_with_paths(m));
	m = doze_with_diagnosis(m);
	if (m)
		doze_diagnosis_cpus(m, doze_storms_cpus(request->trace));
	r->log.model = m;
	r->model = m;
	return m;
}

static void report_feed(void *state, struct doze_model *m, const struct doze_event *e)
{
	if ((e->kind == DOZE_EV_job_start || e->kind == DOZE_EV_job_end) &&
	    doze_selected_event(m, e))
		report_event(state, e);
	doze_model_feed(m, e);
}

static void report_print(void *state, const struct doze_model *m,
			 const struct doze_view_request *request)
{
	struct report *r = state;

	(void)m;
	doze_storm_log_finish(&r->log);
	/* Write errors are reported when the file is closed. */
	if (report_whole(r) && report_page(r, request->trace, request->out) != 0 &&
	    !ferror(request->out))
		r->failed = true;
}

static bool report_failed(const void *state)
{
	return !report_whole(state);
}

static void report_close(void *state)
{
	report_free(state);
}

const struct doze_view doze_report_view = {
    .name = "report",
    .takes = DOZE_VIEW_WRITES,
    .size = sizeof(struct report),
    .precheck = report_precheck,
    .open = report_open,
    .feed = report_feed,
    .print = report_print,
    .failed = report_failed,
    .close = report_close,
    .written = "open it in a browser",
};
