/*
 * SPDX-License-Identifier: MIT
 *
 * load_trace.c - see load_trace.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../explain/symbols.h"
#include "../trace/manifest.h"
#include "../trace/read_ahead.h"
#include "../trace/reader.h"
#include "../trace/utf8.h"
#include "../words/complain.h"
#include "../words/units.h"
#include "../words/wrap.h"
#include "load_trace.h"
#include "progress.h"
#include "ranges.h"
#include "summary.h"

/* ---- Why a trace may be incomplete ---- */

/* The reasons so far, and what the user can do about the first one. */
struct reasons {
	char text[768]; /* large enough for all reasons */
	size_t n;
	const char *advice;
};

__attribute__((format(printf, 3, 4))) static void add_reason(struct reasons *r, const char *advice,
							     const char *format, ...)
{
	va_list args;
	char one[192];

	va_start(args, format);
	(void)vsnprintf(one, sizeof one, format, args);
	va_end(args);
	r->n += (size_t)snprintf(r->text + r->n, sizeof r->text - r->n, "%s%s",
				 r->n ? ", and " : "", one);
	if (r->n >= sizeof r->text) /* cut off */
		r->n = sizeof r->text - 1;
	r->advice = r->advice ? r->advice : advice;
}

/* Adds the reasons for which events are missing. */
static void find_missing(const struct doze_model *m, struct reasons *r)
{
	const struct doze_totals *t = doze_model_totals(m);
	size_t unknown = 0;

	for (size_t i = 0; i < doze_model_pools(m); i++)
		unknown += !strcmp(doze_model_pool(m, i)->policy, "?");
	if (t->discarded)
		add_reason(r, "record with larger buffers or less detail", "at least %s %s lost",
			   doze_plural(t->discarded, "event"), t->discarded == 1 ? "was" : "were");
	if (t->missing)
		add_reason(r, "check that no file of the trace is missing, or record again",
			   "events are missing%s%s",
			   *t->missing_what ? ": " : ", although no loss was reported",
			   t->missing_what);
	if (!t->events)
		add_reason(r,
			   "check that no file of the trace is missing and that the program "
			   "creates a pool",
			   "the trace has no events");
	if (unknown)
		add_reason(r,
			   "check that no file of the trace is missing, or record from the "
			   "program's start",
			   "the start of %s is missing, so the policy is unknown",
			   unknown == doze_model_pools(m) ? "the pool" : "a pool");
}

static struct reasons reasons_of(const struct doze_model *m)
{
	static const char damaged[] =
	    "a stream is damaged, or the machine's clock was wrong: record again";
	const struct doze_totals *t = doze_model_totals(m);
	struct reasons r = {.advice = NULL};

	find_missing(m, &r);
	if (t->backwards)
		add_reason(&r, damaged, "time runs backwards %s",
			   t->backwards == 1 ? "once" : doze_plural(t->backwards, "time"));
	if (t->leaps)
		add_reason(&r, damaged, "%s more than 30 days after %s",
			   t->leaps == 1 ? "an event comes" : "events come",
			   t->leaps == 1 ? "its predecessor" : "their predecessors");
	if (t->evicted)
		add_reason(&r, "record fewer pools and workers at once",
			   "%s did not fit into the model's tables",
			   doze_plural(t->evicted, "item"));
	if (t->truncated)
		add_reason(&r, "let the program exit before the recording ends",
			   "the trace ends before %s",
			   doze_model_is_foreign(m) ? "the program exited" : "its pool stopped");
	return r;
}

const char *doze_inconclusive(const struct doze_model *m)
{
	static struct reasons r;

	r = reasons_of(m);
	return r.n ? r.text : NULL;
}

void doze_inconclusive_line(const struct doze_model *m, FILE *out)
{
	const char *why = doze_inconclusive(m);
	struct doze_wrapped w;

	if (!why)
		return;
	fprintf(doze_wrap_begin(&w, out), "Inconclusive: %s.\n", why);
	doze_wrap_end(&w);
}

/* ---- Feeding a model ---- */

#define PROGRESS_EVERY 4096 /* number of events between two checks of the clock; a power of 2 */

struct load {
	struct doze_model *model;
	doze_feed_fn *feed;
	void *ctx;
	struct doze_reader *reader; /* not owned */
	uint64_t events;            /* of all pools */
	bool by_pool;               /* the selection excludes some pools */
	struct doze_progress progress;
	char names[160]; /* names of the pools, as many as fit */
};

/* Called for each event, of which `events` have been read. */
static void show_progress(struct doze_progress *p, const char *what, uint64_t events, int64_t ts)
{
	if (events % PROGRESS_EVERY == 0)
		doze_progress_show(p, doze_progress_now(), what,
				   &(struct doze_reached){.ts = {ts}, .events = events});
}

bool doze_load_takes(struct doze_model *m, const struct doze_selection *s,
		     const struct doze_event *e)
{
	if (!doze_model_totals(m)->events)
		doze_model_begin(m, e->ts);
	if (!doze_selection_by_pool(s) || (e->kind == DOZE_EV_mark && !e->pool))
		return true;
	if (s->pool)
		return e->pool == s->pool;
	if (e->kind == DOZE_EV_pool_start)
		return !strcmp(e->u.pool_start.name, s->pool_name);
	/* the model contains only pools that started with the selected name */
	return doze_model_pool_of(m, e) != NULL;
}

/* Appends an item to a comma-separated list, or as much of the item as fits. */
static void append(char *list, size_t size, const char *item)
{
	size_t n = strlen(list);

	if (n && n + 2 < size)
		n += (size_t)snprintf(list + n, size - n, ", ");
	doze_utf8_copy(list + n, size - n, item);
}

/* Remembers the name of a pool for an error message. */
static void note_name(struct load *l, const struct doze_event *e)
{
	if (e->kind != DOZE_EV_pool_start || !*e->u.pool_start.name)
		return;
	append(l->names, sizeof l->names, e->u.pool_start.name);
}

static void on_event(void *ctx, const struct doze_event *e)
{
	struct load *l = ctx;

	show_progress(&l->progress, "reading", ++l->events, e->ts);
	if (l->by_pool)
		note_name(l, e);
	/* For the first event, doze_load_takes also passes the beginning of the trace to the
	 * model. */
	if ((l->by_pool || l->events == 1) &&
	    !doze_load_takes(l->model, &doze_model_limits(l->model)->selection, e))
		return;
	if (l->feed)
		l->feed(l->ctx, l->model, e);
	else
		doze_model_feed(l->model, e);
}

static void on_discarded(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	struct load *l = ctx;

	doze_model_discarded(l->model, from, to, count);
}

static void on_binary(void *ctx, const struct doze_binary *b)
{
	struct load *l = ctx;

	doze_symbols_add(l->model, b);
}

static int no_pool(const struct load *l, const char *dir)
{
	const struct doze_selection *s = &doze_model_limits(l->model)->selection;
	char clean[sizeof l->names];

	if (!doze_selection_by_pool(s) || doze_model_pools(l->model) > 0)
		return DOZE_EXIT_OK;
	doze_text_clean(clean, sizeof clean, l->names);
	if (s->pool)
		doze_complain("--pool: %s has no pool %u: omit the option to see all pools", dir,
			      s->pool);
	else
		doze_complain("--pool: %s has no pool named '%s'%s%s", dir, s->pool_name,
			      *clean ? "; it has: " : ": its pools have no names", clean);
	return DOZE_EXIT_USAGE;
}

static int judge(const struct load *l, const char *dir, enum doze_reader_status status)
{
	if (status == DOZE_READER_ERROR) {
		doze_complain("%s", doze_reader_error(l->reader));
		return DOZE_EXIT_INPUT;
	}
	if (!doze_reader_saw_doze(l->reader)) {
		doze_complain("%s: the trace has no doze events: record a trace with 'doze record'",
			      dir);
		return DOZE_EXIT_INPUT;
	}
	return no_pool(l, dir);
}

const char *doze_load_command(const char *dir, char *text, size_t size)
{
	return dir && doze_manifest_command(dir, text, size) ? text : NULL;
}

/* ---- Selecting a phase, loading a trace ---- */

struct phase {
	const char *name;
	int64_t first, from, to; /* ns; -1: not seen */
	char marks[160];         /* names of all marks, as many as fit */
	uint64_t events;
	struct doze_progress progress;
};

static void find_phase(void *ctx, const struct doze_event *e)
{
	struct phase *p = ctx;

	show_progress(&p->progress, "finding the phase", ++p->events, e->ts);
	if (p->first < 0)
		p->first = e->ts;
	if (e->kind != DOZE_EV_mark)
		return;
	append(p->marks, sizeof p->marks, e->u.mark.text);
	if (p->from < 0 && !strcmp(e->u.mark.text, p->name))
		p->from = e->ts;
	else if (p->from >= 0 && p->to < 0)
		p->to = e->ts;
}

static void ignore_loss(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	(void)ctx, (void)from, (void)to, (void)count;
}

/* Returns false if the summary does not know the phase. */
static bool find_known_phase(const char *dir, const char *name, struct doze_selection *s)
{
	struct doze_ranges ranges = {0};
	struct doze_saved points;
	struct doze_summary y;
	bool found;

	if (!doze_summary_open(&y, dir, DOZE_SUMMARY_LEAST) ||
	    !doze_summary_read(&y, DOZE_SUMMARY_ranges, &points))
		return false;
	doze_ranges_saved(&ranges, &points);
	found = !points.failed && doze_ranges_phase(&ranges, name, s);
	doze_ranges_free(&ranges);
	doze_saved_free(&points);
	return found;
}

int doze_load_phase(const char *dir, const char *name, bool no_summary, struct doze_selection *s)
{
	static const struct doze_reader_sink sink = {.event = find_phase, .discarded = ignore_loss};
	struct phase p = {.name = name, .first = -1, .from = -1, .to = -1};
	char err[512] = "";
	struct doze_reader *r;
	enum doze_reader_status status;

	if (!no_summary && find_known_phase(dir, name, s))
		return DOZE_EXIT_OK;
	r = doze_progress_open(dir, err, sizeof err);
	doze_progress_begin(&p.progress, doze_progress_now(), dir, NULL);
	status = r ? doze_reader_run(r, &sink, &p) : DOZE_READER_ERROR;
	doze_progress_end(&p.progress);
	if (status == DOZE_READER_ERROR)
		doze_complain("%s", r ? doze_reader_error(r) : err);
	doze_reader_free(r);
	if (status == DOZE_READER_ERROR)
		return DOZE_EXIT_INPUT;
	if (p.from < 0) {
		doze_complain("--phase: %s has no mark '%s'%s%s", dir, name,
			      *p.marks ? "; it has: " : ": it has none", p.marks);
		return DOZE_EXIT_USAGE;
	}
	s->from = p.from - p.first;
	s->to = p.to < 0 ? INT64_MAX : p.to - p.first;
	return DOZE_EXIT_OK;
}

/* A trace from a newer library may contain unknown kinds of events. The other events are still
 * valid. */
static void report_unknown(const struct load *l, const char *dir)
{
	struct doze_reader_counts n = doze_reader_counts(l->reader);

	if (n.unknown_events)
		doze_complain("%s: skipped %s of unknown kinds (the first: %s): update doze", dir,
			      doze_plural(n.unknown_events, "event"),
			      doze_reader_unknown(l->reader));
	if (n.unknown_labels)
		doze_complain(
		    "%s: skipped %s of unknown enum labels: update doze, or see 'doze check'", dir,
		    doze_plural(n.unknown_labels, "value"));
}

int doze_load(const char *dir, struct doze_model *model, doze_feed_fn *feed, void *ctx)
{
	static const struct doze_reader_sink sink = {
	    .event = on_event, .discarded = on_discarded, .binary = on_binary};
	struct load l = {.model = model,
			 .feed = feed,
			 .ctx = ctx,
			 .by_pool = doze_selection_by_pool(&doze_model_limits(model)->selection)};
	enum doze_reader_status status;
	char err[512] = "";
	int rc;

	l.reader = doze_progress_open(dir, err, sizeof err);
	if (!l.reader) {
		doze_complain("%s", err);
		return DOZE_EXIT_INPUT;
	}
	if (doze_reader_absent(l.reader))
		doze_model_incomplete(model, doze_reader_absent_what(l.reader));
	else if (doze_reader_complete(l.reader))
		doze_model_complete(model);
	doze_progress_begin(&l.progress, doze_progress_now(), dir, NULL);
	status = doze_reader_run_ahead(l.reader, &sink, &l);
	doze_progress_end(&l.progress);
	rc = judge(&l, dir, status);
	if (!rc)
		report_unknown(&l, dir);
	doze_model_finish(model, doze_model_totals(model)->last_ts);
	doze_reader_free(l.reader);
	return rc;
}

int doze_load_conclusive(const char *dir, const struct doze_model *model)
{
	const char *why = doze_inconclusive(model);

	if (!why)
		return DOZE_EXIT_OK;
	doze_complain("%s: inconclusive, %s: %s", dir, why, reasons_of(model).advice);
	return DOZE_EXIT_INCONCLUSIVE;
}
