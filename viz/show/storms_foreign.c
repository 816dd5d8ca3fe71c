/*
 * SPDX-License-Identifier: MIT
 *
 * storms_foreign.c - the storm report on a program without libdoze, as text and as JSON. Only what
 * is known of such a program is in it: no work, no cause of a wake, and no advice.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../explain/diagnose.h"
#include "../explain/foreign_program.h"
#include "../explain/symbols.h"
#include "../words/pool_words.h"
#include "../words/units.h"
#include "../words/wrap.h"
#include "selected.h"
#include "storms.h"

#define LISTED  10 /* number of storms listed */
#define THREADS 32 /* number of threads listed per crew */
#define OUTSIDE 8  /* number of other threads listed per crew, that woke threads of it */

static const char *where(const struct doze_model *m, const struct doze_storm *s)
{
	return doze_symbols_line(m, doze_model_pool(m, s->pool_row), s->caller);
}

static void print_worst(const struct doze_storm_log *l, const struct doze_model *m, FILE *out)
{
	const struct doze_storm *s = doze_storm_worst(l);

	if (!s)
		return;
	fprintf(out, "The worst storm, at %s: ",
		doze_position(s->from - doze_model_totals(m)->first_ts, DOZE_LISTED));
	if (s->decisions > 1)
		fprintf(out, "%s in a row by ", doze_plural(s->decisions, "call"));
	fprintf(out, "%s woke %s, at least %s of them in vain%s%s.\n",
		doze_waker_phrase(m, s->pool_row, s->waker, s->waker_vtid),
		doze_plural(s->woken, "thread"), doze_count(s->futile), s->caller ? ", at " : "",
		s->caller ? where(m, s) : "");
}

static void print_count(const struct doze_model *m, FILE *out)
{
	const struct doze_totals *t = doze_model_totals(m);
	const struct doze_model_options *o = doze_model_limits(m);

	fprintf(out,
		"%s %s: calls that woke at least %" PRIu32
		" threads and half of their crew, at least half of them in vain.\n",
		t->storms ? doze_plural(t->storms, "wakeup storm") : "No wakeup storm was seen",
		doze_selection_when(doze_selection_of(m), t), o->storm_min_wakes);
}

void doze_storms_foreign_answer(const struct doze_storm_log *l, const struct doze_model *m,
				FILE *out)
{
	struct doze_wrapped w;
	struct doze_foreign f;
	char verdict[480];
	FILE *to;

	doze_foreign_take(m, &f);
	doze_foreign_verdict(&f, verdict, sizeof verdict);
	fprintf(doze_wrap_begin(&w, out), "%s\n",
		*doze_storms_verdict(m) ? doze_storms_verdict(m) : verdict);
	doze_wrap_end(&w);
	doze_foreign_sentences(m, out);
	if (!f.known)
		return;
	to = doze_wrap_begin(&w, out);
	print_count(m, to);
	print_worst(l, m, to);
	doze_wrap_end(&w);
}

static int by_vain(const void *a, const void *b)
{
	const struct doze_storm *x = *(const struct doze_storm *const *)a;
	const struct doze_storm *y = *(const struct doze_storm *const *)b;

	if (x->futile != y->futile)
		return x->futile < y->futile ? 1 : -1;
	return (x->from > y->from) - (x->from < y->from);
}

static void storm_line(const struct doze_model *m, const struct doze_storm *s, FILE *out)
{
	char who[24] = "outside";

	if (s->waker >= 0)
		snprintf(who, sizeof who, "%st%" PRId32, doze_pool_prefix(m, s->pool_row),
			 s->waker);
	fprintf(out, "%11s %-8s %7" PRIu32 " %9" PRIu32 " %9s  %s\n",
		doze_position(s->from - doze_model_totals(m)->first_ts, DOZE_LISTED), who, s->woken,
		s->futile, doze_duration(s->to - s->from), where(m, s));
}

static void list(const struct doze_storm_log *l, const struct doze_model *m, FILE *out)
{
	const struct doze_storm **order = l->count ? malloc(l->count * sizeof *order) : NULL;
	size_t n = l->count < LISTED ? l->count : LISTED;

	if (!order)
		return;
	for (size_t i = 0; i < l->count; i++)
		order[i] = &l->storm[i];
	qsort(order, l->count, sizeof *order, by_vain);
	fprintf(out,
		"\nStorms%s\n         at by         woken   in vain     lasts  place\n"
		"                               at least\n",
		l->count > n ? ", the ten with the most wakes in vain" : "");
	for (size_t i = 0; i < n; i++)
		storm_line(m, order[i], out);
	free(order);
}

static void line(const char *name, const struct doze_hist *h, FILE *out)
{
	if (h->n)
		fprintf(out, "  %-30s %9s %9s %9s %9s %9s\n", name, doze_count(h->n),
			doze_duration(doze_hist_percentile(h, 0.5)),
			doze_duration(doze_hist_percentile(h, 0.9)),
			doze_duration(doze_hist_percentile(h, 0.99)), doze_duration(h->max));
}

static void times(const struct doze_model *m, bool histograms, FILE *out)
{
	const struct doze_measures *s = doze_model_measures(m);

	if (!s->notify_awake.n)
		return;
	fputs("\nTimes                                count       p50       p90       p99       "
	      "max\n",
	      out);
	line("from the call to awake", &s->notify_awake, out);
	line("awake, until the next wait", &s->awake, out);
	if (!histograms)
		return;
	doze_storms_histogram("from the call to awake", &s->notify_awake, out);
	doze_storms_histogram("awake, until the next wait", &s->awake, out);
}

static void crew_threads(const struct doze_model *m, uint32_t row, bool known, FILE *out)
{
	const struct doze_outside_view *o;
	size_t listed = 0, all = 0;

	for (size_t i = 0; i < doze_model_workers(m); i++) {
		const struct doze_worker_view *w = doze_model_worker(m, i);
		char name[48];

		if (w->pool_row != row ||
		    !doze_worker_set_has(&doze_selection_of(m)->workers, w->key.index))
			continue;
		if (all++ >= THREADS)
			continue;
		listed++;
		snprintf(name, sizeof name, "%st%" PRId32, doze_pool_prefix(m, row), w->key.index);
		fprintf(out, "  %-30s %9s %12s %14s\n", name, doze_count(w->wakes),
			doze_count(w->wakes_sent), known ? doze_count(w->futile_sent) : "-");
	}
	if (all > listed)
		fprintf(out, "  and %s more (--json lists all)\n",
			doze_plural(all - listed, "thread"));
	for (all = 0; (o = doze_model_outside(m, row, all)) && all < OUTSIDE; all++)
		fprintf(out, "  %-30.30s %9s %12s %14s\n", doze_waker_phrase(m, row, -1, o->vtid),
			"", doze_count(o->wakes_sent), known ? doze_count(o->futile_sent) : "-");
}

static void threads(const struct doze_model *m, FILE *out)
{
	struct doze_foreign f;

	doze_foreign_take(m, &f);
	fputs("\nThreads                              woken   wakes sent  of these, at least,\n"
	      "                                                       in vain\n",
	      out);
	for (uint32_t row = 0; row < doze_model_pools(m); row++)
		crew_threads(m, row, f.known, out);
}

void doze_storms_foreign_tables(const struct doze_storm_log *l, const struct doze_model *m,
				bool histograms, FILE *out)
{
	doze_foreign_sites(m, out);
	list(l, m, out);
	doze_foreign_crews(m, out);
	times(m, histograms, out);
	threads(m, out);
}

static void json_storm(struct doze_json *j, const struct doze_model *m, const struct doze_storm *s)
{
	int64_t origin = doze_model_totals(m)->first_ts;

	doze_json_open(j, NULL, '{');
	doze_json_int(j, "at", s->from - origin);
	doze_json_int(j, "end", s->to - origin);
	doze_json_int(j, "vpid", s->vpid);
	doze_json_uint(j, "pool", s->pool);
	doze_json_uint(j, "pool_row", s->pool_row);
	doze_json_int(j, "waker", s->waker);
	doze_json_int(j, "waker_vtid", s->waker_vtid);
	doze_json_uint(j, "decision_id", s->decision_id);
	doze_json_uint(j, "decisions", s->decisions);
	doze_json_uint(j, "woken", s->woken);
	doze_json_uint(j, "futile_at_least", s->futile);
	doze_json_uint(j, "caller", s->caller);
	doze_json_string(j, "posted_at", s->caller ? where(m, s) : NULL);
	doze_json_close(j, '}');
}

static void json_outside(struct doze_json *j, const struct doze_model *m)
{
	const struct doze_outside_view *o;

	doze_json_open(j, "outside", '[');
	for (uint32_t row = 0; row < doze_model_pools(m); row++)
		for (size_t i = 0; (o = doze_model_outside(m, row, i)); i++) {
			const struct doze_thread_view *t = doze_model_thread(m, row, o->vtid);

			doze_json_open(j, NULL, '{');
			doze_json_uint(j, "pool_row", row);
			doze_json_int(j, "vtid", o->vtid);
			doze_json_string(j, "name", t && *t->name ? t->name : NULL);
			doze_json_uint(j, "wakes_sent", o->wakes_sent);
			doze_json_uint(j, "futile_at_least", o->futile_sent);
			doze_json_close(j, '}');
		}
	doze_json_close(j, ']');
}

void doze_storms_foreign_json(const struct doze_storm_log *l, const struct doze_model *m,
			      const char *trace, FILE *out)
{
	const struct doze_totals *t = doze_model_totals(m);
	struct doze_json j = {.out = out};

	doze_json_open(&j, NULL, '{');
	doze_json_string(&j, "format", "doze-storms/1");
	doze_json_string(&j, "trace", trace);
	doze_json_string(&j, "diagnosis", doze_storms_verdict(m));
	doze_json_int(&j, "duration", t->last_ts - t->first_ts);
	doze_selection_json(&j, doze_selection_of(m));
	doze_json_uint(&j, "events", t->events);
	doze_json_uint(&j, "lost", t->discarded);
	doze_json_bool(&j, "truncated", t->truncated);
	doze_json_bool(&j, "missing", t->missing > 0);
	doze_foreign_json(&j, "foreign", m);
	doze_json_uint(&j, "storm_count", t->storms);
	doze_json_open(&j, "storms", '[');
	for (size_t i = 0; i < l->count; i++)
		json_storm(&j, m, &l->storm[i]);
	doze_json_close(&j, ']');
	doze_json_uint(&j, "storms_left_out", l->left_out);
	json_outside(&j, m);
	doze_json_open(&j, "verdicts", '{');
	for (int v = DOZE_VERDICT_unresolved; v < DOZE_VERDICT_COUNT; v++)
		if (t->verdicts[v])
			doze_json_uint(&j, doze_verdict_name((enum doze_verdict)v), t->verdicts[v]);
	doze_json_close(&j, '}');
	doze_json_close(&j, '}');
}
