/*
 * SPDX-License-Identifier: MIT
 *
 * export.c - the view `export`: the table of formats, functions that several formats use, and the
 * view.
 */
#include "export.h"

#include <string.h>

#include "../words/complain.h"
#include "../words/pool_words.h"
#include "view.h"

const struct doze_export_format *const doze_export_formats[] = {
    &doze_export_perfetto, &doze_export_csv,           &doze_export_json,
    &doze_export_svg,      &doze_export_trace_compass, NULL,
};

static const struct doze_export_format *find_format(const char *name)
{
	for (const struct doze_export_format *const *f = doze_export_formats; *f; f++)
		if (strcmp((*f)->name, name) == 0)
			return *f;
	return NULL;
}

const char *doze_export_waker(const struct doze_export *x, const struct doze_pool_view *p,
			      int32_t vtid)
{
	const struct doze_thread_view *t =
	    p && vtid >= 0 ? doze_model_thread(x->model, p->row, vtid) : NULL;

	if (t && t->worker)
		return doze_waker_phrase(x->model, p->row, -1, vtid);
	return t ? t->name : "";
}

/* ---- The view ---- */

struct export
{
	const struct doze_export_format *format;
	struct doze_export x;
	bool open; /* format->end has not been called yet */
};

static const char *check_format(const char *value, void *target)
{
	static char allowed[160];
	const struct doze_export_format *format = find_format(value);
	size_t n = 0;

	if (format) {
		*(const struct doze_export_format **)target = format;
		return NULL;
	}
	for (const struct doze_export_format *const *f = doze_export_formats; *f; f++)
		n += (size_t)snprintf(allowed + n, sizeof allowed - n, "%s %s",
				      n ? "" : "one of:", (*f)->name);
	return allowed;
}

static const struct doze_view_option options[] = {
    {.option = {"format", 'f', "FORMAT", "perfetto, csv, json, svg or trace-compass", check_format,
		NULL},
     .offset = offsetof(struct export, format)},
    {.option = {0}},
};

/* Refuses options that select a part of the trace for the Trace Compass analysis file, which does
 * not depend on the trace. */
static const char *export_refuse(const void *state, const struct doze_view_request *r)
{
	static char text[96];
	const struct doze_export_format *format = ((const struct export *)state)->format;
	const char *option = doze_view_part_option(r);

	if (!option && doze_selection_by_pool(&r->selection))
		option = "pool";
	if (format != &doze_export_trace_compass || !option)
		return NULL;
	snprintf(text, sizeof text,
		 "--%s: the analysis file applies to every trace: omit the option", option);
	return text;
}

static int export_precheck(const void *state, const struct doze_view_request *r)
{
	(void)r;
	if (((const struct export *)state)->format)
		return -1;
	doze_complain("export: no format given: add --format=perfetto, or another "
		      "('doze help export')");
	return DOZE_EXIT_USAGE;
}

static struct doze_model *export_open(void *state, const struct doze_view_request *r)
{
	struct export *e = state;
	struct doze_model_options limits = DOZE_MODEL_DEFAULTS;
	struct doze_model *m;

	limits.selection = r->selection;
	m = doze_model_new_with(&limits, &doze_selected_listener, &e->x.selected);
	if (!m)
		return NULL;
	e->x = (struct doze_export){.out = r->out, .trace = r->trace, .model = m};
	e->x.selected = (struct doze_selected){m, &e->format->listener, &e->x};
	e->open = true;
	if (!e->format->begin || e->format->begin(&e->x))
		return m;
	e->open = false;
	doze_model_free(m);
	return NULL;
}

static void export_feed(void *state, struct doze_model *m, const struct doze_event *event)
{
	struct export *e = state;

	e->x.origin = doze_model_totals(m)->first_ts;
	if (e->format->event && doze_selected_event(m, event))
		e->format->event(&e->x, event);
	doze_model_feed(m, event);
}

static void export_close(void *state)
{
	struct export *e = state;

	if (e->open && e->format->end)
		e->format->end(&e->x);
	e->open = false;
}

/* Writes the end of the output. The rest was written while the trace was read. */
static void export_print(void *state, const struct doze_model *m, const struct doze_view_request *r)
{
	(void)m, (void)r;
	export_close(state);
}

const struct doze_view doze_export_view = {
    .name = "export",
    .takes = DOZE_VIEW_WRITES,
    .options = options,
    .size = sizeof(struct export),
    .open = export_open,
    .part = doze_view_any_part,
    .refuse = export_refuse,
    .precheck = export_precheck,
    .feed = export_feed,
    .print = export_print,
    .close = export_close,
};
