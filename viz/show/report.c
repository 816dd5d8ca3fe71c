/*
 * SPDX-License-Identifier: MIT
 *
 * report.c - the view `report`: writes one HTML page about the trace.
 *
 * The page consists of body.html, page.css and one script, concatenated
 * from the files of page/; all of them are embedded in the program (.incbin). It contains these
 * data: `meta` (JSON: workers, marks, findings, names of enum values), `storms` and `causes` (the
 * JSON output of `doze storms` and `doze diagnose`), `answer` (the summary of `doze storms`), and
 * packed lanes in base64 (report_data.c). In data, "<" is escaped, so that no text from a trace can
 * end the script element.
 */
#include <stdlib.h>
#include <string.h>

#include "../explain/diagnose.h"
#include "../model/checker.h"
#include "../model/path.h"
#include "../words/complain.h"
#include "../words/palette.h"
#include "../words/pool_words.h"
#include "../words/quote.h"
#include "load_trace.h"
#include "report.h"
#include "selected.h"
#include "view.h"

#define EMBED(name, file)                                                                          \
	__asm__(".section .rodata\n" #name ":\n.incbin \"viz/show/" file                           \
		"\"\n.byte 0\n.previous\n");                                                       \
	extern const char name[] __attribute__((visibility("hidden")))
EMBED(report_body, "body.html");
EMBED(report_css, "page.css");
/* The scripts. Each file uses names of the files before it. */
#define SCRIPTS(X)                                                                                 \
	X(data)                                                                                    \
	X(pyramids)                                                                                \
	X(lanes)                                                                                   \
	X(jobs)                                                                                    \
	X(counters)                                                                                \
	X(picture)                                                                                 \
	X(explain)                                                                                 \
	X(lists)                                                                                   \
	X(tables)                                                                                  \
	X(diagnosis)                                                                               \
	X(foreign)                                                                                 \
	X(cards)                                                                                   \
	X(keys)                                                                                    \
	X(start)

#define EMBED_SCRIPT(name) EMBED(report_##name##_js, "page/" #name ".js");
SCRIPTS(EMBED_SCRIPT)

#define SCRIPT(name) report_##name##_js,
static const char *const scripts[] = {SCRIPTS(SCRIPT)};

static void print_data(const char *text, FILE *out)
{
	for (; *text != '\0'; text++) {
		if (*text == '<')
			fputs("\\u003c", out);
		else
			putc(*text, out);
	}
}

static void vocabulary(struct doze_json *j)
{
#define WORD(n) doze_json_string(j, NULL, #n);
	doze_json_open(j, "states", '[');
	DOZE_STATES(WORD)
	doze_json_close(j, ']');
	doze_json_open(j, "reasons", '[');
	DOZE_REASONS(WORD)
	doze_json_close(j, ']');
	doze_json_open(j, "causes", '[');
	DOZE_CAUSES(WORD)
	doze_json_close(j, ']');
	doze_json_open(j, "verdicts", '[');
	for (int v = 0; v < DOZE_VERDICT_COUNT; v++)
		doze_json_string(j, NULL, doze_verdict_name((enum doze_verdict)v));
	doze_json_close(j, ']');
}

static void lanes(struct doze_json *j, const struct report *r, int64_t origin)
{
	static const struct report_lane none;

	doze_json_open(j, "lanes", '[');
	for (size_t i = 0; i < doze_model_workers(r->model); i++) {
		const struct report_lane *l = i < r->lanes ? &r->lane[i] : &none;
		const struct doze_worker_view *w = doze_model_worker(r->model, i);
		doze_json_open(j, NULL, '{');
		doze_json_uint(j, "pool", w->pool_row);
		doze_json_int(j, "worker", w->key.index);
		doze_json_int(j, "first", l->count ? l->first - origin : 0);
		doze_json_uint(j, "count", l->count);
		doze_json_uint(j, "jobs", l->job_count);
		if (!doze_worker_set_has(&doze_selection_of(r->model)->workers, w->key.index))
			doze_json_bool(j, "hidden", true);
		doze_json_close(j, '}');
	}
	doze_json_close(j, ']');
}

static void pools(struct doze_json *j, const struct report *r)
{
	doze_json_open(j, "pools", '[');
	for (size_t i = 0; i < doze_model_pools(r->model); i++) {
		const struct doze_pool_view *p = doze_model_pool(r->model, i);
		doze_json_open(j, NULL, '{');
		doze_json_uint(j, "host", p->host);
		doze_json_int(j, "vpid", p->vpid);
		doze_json_uint(j, "pool", p->pool);
		doze_json_string(j, "words", doze_pool_words(r->model, (uint32_t)i));
		doze_json_string(j, "prefix", doze_pool_prefix(r->model, (uint32_t)i));
		doze_json_string(j, "policy", p->policy);
		doze_json_string(j, "name", p->name);
		doze_json_uint(j, "workers", p->workers);
		doze_json_uint(j, "steps", i < r->words ? r->word[i].count : 0);
		doze_json_close(j, '}');
	}
	doze_json_close(j, ']');
}

static void marks(struct doze_json *j, const struct report *r, int64_t origin)
{
	doze_json_open(j, "marks", '[');
	for (size_t i = 0; i < r->marks; i++) {
		doze_json_open(j, NULL, '{');
		doze_json_int(j, "at", r->mark[i].ts - origin);
		doze_json_string(j, "text", r->mark[i].text);
		doze_json_close(j, '}');
	}
	doze_json_close(j, ']');
	doze_json_open(j, "losses", '[');
	for (size_t i = 0; i < r->losses; i++) {
		doze_json_open(j, NULL, '{');
		doze_json_int(j, "from", r->loss[i].from - origin);
		doze_json_int(j, "to", r->loss[i].to - origin);
		doze_json_uint(j, "count", r->loss[i].count);
		doze_json_close(j, '}');
	}
	doze_json_close(j, ']');
}

static void findings(struct doze_json *j, const struct report *r, int64_t origin)
{
	doze_json_open(j, "findings", '[');
	for (size_t i = 0; i < r->findings; i++) {
		const struct doze_finding *f = &r->finding[i];
		doze_json_open(j, NULL, '{');
		doze_json_int(j, "at", f->ts - origin);
		doze_json_string(j, "rule", f->rule);
		doze_json_bool(j, "ambiguous",
			       f->ambiguous || doze_model_totals(r->model)->missing);
		doze_json_uint(j, "row", f->who.row);
		doze_json_string(j, "text", f->text);
		doze_json_close(j, '}');
	}
	doze_json_close(j, ']');
	doze_json_uint(j, "findings_left_out", r->findings_left_out);
}

static void meta(const struct report *r, const char *trace, FILE *out)
{
	const struct doze_totals *t = doze_model_totals(r->model);
	struct doze_json j = {.out = out};
	char command[256];

	doze_json_open(&j, NULL, '{');
	doze_json_string(&j, "format", "doze-report/1");
	doze_json_string(&j, "trace", trace);
	doze_json_string(&j, "command", doze_load_command(trace, command, sizeof command));
	doze_json_int(&j, "duration", t->last_ts - t->first_ts);
	doze_json_open(&j, "selection", '{');
	doze_selection_json(&j, doze_selection_of(r->model));
	doze_json_close(&j, '}');
	doze_json_uint(&j, "events", t->events);
	doze_json_uint(&j, "lost", t->discarded);
	doze_json_bool(&j, "truncated", t->truncated);
	doze_json_bool(&j, "missing", t->missing > 0);
	doze_json_string(&j, "doubt", doze_inconclusive(r->model));
	doze_json_uint(&j, "wakes", r->wake_count);
	doze_json_int(&j, "origin", t->first_ts);
	vocabulary(&j);
	pools(&j, r);
	lanes(&j, r, t->first_ts);
	marks(&j, r, t->first_ts);
	findings(&j, r, t->first_ts);
	doze_json_close(&j, '}');
}

typedef void (*json_fn)(const struct report *, const char *trace, FILE *);

static void storms(const struct report *r, const char *trace, FILE *out)
{
	doze_storms_json(&r->log, r->model, trace, out);
}

static void causes(const struct report *r, const char *trace, FILE *out)
{
	static struct doze_diagnosis d;

	const struct doze_selection *s = doze_selection_of(r->model);

	if (doze_diagnose(r->model, doze_selected_lower(r->model), doze_selected_to(r->model, s),
			  &d))
		doze_diagnosis_json(&d, r->model, trace, out);
	else
		fputs("{}\n", out);
}

static void answer(const struct report *r, const char *trace, FILE *out)
{
	(void)trace;
	doze_storms_answer(&r->log, r->model, out);
}

/* Writes the output of fn as the text of a script element that browsers do not execute. */
static int data_script(const char *id, const char *type, json_fn fn, const struct report *r,
		       const char *trace, FILE *out)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	if (memory == NULL)
		return -1;
	fn(r, trace, memory);
	int failed = fclose(memory);
	if (failed == 0) {
		fprintf(out, "<script id=\"%s\" type=\"%s\">", id, type);
		print_data(text, out);
		fputs("</script>\n", out);
	}
	free(text);
	return failed ? -1 : 0;
}

static void packed(const char *kind, size_t i, const struct bytes *b, FILE *out)
{
	fprintf(out, "<script id=\"%s%zu\" type=\"text/plain\">", kind, i);
	report_bytes_print_base64(b, out);
	fputs("</script>\n", out);
}

/* Writes the palette as CSS variables, such as "--idle". */
static void colors(FILE *out)
{
	fputs(":root {", out);
	for (int s = 0; s < DOZE_STATE_COUNT; s++) {
		const char *hex = doze_ink_state((enum doze_state)s)->hex;

		if (hex)
			fprintf(out, " --%s: %s;", doze_state_name((enum doze_state)s), hex);
	}
	fprintf(out, " --wake: %s; }\n", doze_ink_mark(DOZE_MARK_wake)->hex);
}

/* Writes the page. trace: the name to display. Returns 0, or -1 if memory ran out. The caller
 * checks the stream for write errors. */
static int write_page(const struct report *r, const char *trace, FILE *out)
{
	static const struct bytes empty;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<title>doze report</title>\n<style>\n",
	      out);
	colors(out);
	fputs(report_css, out);
	fputs("</style>\n</head>\n<body>\n", out);
	fputs(report_body, out);
	if (data_script("meta", "application/json", meta, r, trace, out) != 0 ||
	    data_script("storms", "application/json", storms, r, trace, out) != 0 ||
	    data_script("causes", "application/json", causes, r, trace, out) != 0 ||
	    data_script("answer", "text/plain", answer, r, trace, out) != 0)
		return -1;
	for (size_t i = 0; i < doze_model_workers(r->model); i++)
		packed("lane", i, i < r->lanes ? &r->lane[i].intervals : &empty, out);
	for (size_t i = 0; i < r->lanes; i++)
		if (r->lane[i].job_count)
			packed("jobs", i, &r->lane[i].jobs, out);
	for (size_t i = 0; i < r->words && i < doze_model_pools(r->model); i++)
		packed("word", i, &r->word[i].steps, out);
	packed("wakes", 0, &r->wakes, out);
	/* The scripts run inside a function, so that they define no global names. */
	fputs("<script>\n\"use strict\";\n(() => {\n", out);
	for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++)
		fputs(scripts[i], out);
	fputs("})();\n</script>\n</body>\n</html>\n", out);
	return 0;
}

/* ---- The view ---- */

static int report_precheck(const void *state, const struct doze_view_request *r)
{
	(void)state;
	if (r->output)
		return -1;
	doze_complain("report: no file given: add -o FILE.html");
	return DOZE_EXIT_USAGE;
}

/* The log also gets marks outside the selection, because each ends a phase. */
static void take_any_mark(void *ctx, int64_t ts, uint32_t pool, int32_t worker, const char *text)
{
	struct doze_selected *s = ctx;
	struct report *r = s->ctx;

	doze_storm_listener.on_mark(&r->log, ts, pool, worker, text);
	doze_selected_listener.on_mark(s, ts, pool, worker, text);
}

static struct doze_model *report_open(void *state, const struct doze_view_request *request)
{
	struct doze_model_options limits = DOZE_MODEL_DEFAULTS;
	struct doze_model_listener listener = doze_selected_listener;
	struct report *r = state;
	struct doze_model *m;

	limits.selection = request->selection;
	r->selected = (struct doze_selected){.to = &report_listener, .ctx = r};
	listener.on_mark = take_any_mark;
	m = doze_model_new_with(&limits, &listener, &r->selected);
	r->selected.model = m;
	m = doze_with_checker(doze_with_paths(m));
	m = doze_with_diagnosis(m);
	if (m)
		doze_diagnosis_cpus(m, doze_storms_cpus(request->trace));
	r->log.model = m;
	r->model = m;
	return m;
}

static void report_rest(void *state, struct doze_saved *s)
{
	doze_storm_log_rest(&((struct report *)state)->log, s);
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
	if (report_whole(r) && write_page(r, request->trace, request->out) != 0 &&
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
    .part = doze_view_any_part,
    .rest = report_rest,
    .written = "open it in a browser",
};
