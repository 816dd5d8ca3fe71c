/*
 * SPDX-License-Identifier: MIT
 *
 * storms_foreign.c - the storm report on a program without libdoze, as text. Only what is known of
 * such a program is in it: no work, no cause of a wake, and no advice.
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
	size_t n;
	const struct doze_storm **order = doze_storms_sorted(l, by_vain, &n);

	if (!order)
		return;
	fprintf(out,
		"\nStorms%s\n         at by         woken   in vain     lasts  place\n"
		"                               at least\n",
		l->count > n ? ", the ten with the most wakes in vain" : "");
	for (size_t i = 0; i < n; i++)
		storm_line(m, order[i], out);
	free(order);
}

static void times(const struct doze_model *m, bool histograms, FILE *out)
{
	const struct doze_measures *s = doze_model_measures(m);

	if (!s->notify_awake.n)
		return;
	fputs("\nTimes                                count       p50       p90       p99       "
	      "max\n",
	      out);
	doze_storms_latency("from the call to awake", 30, &s->notify_awake, out);
	if (s->awake.n)
		doze_storms_latency("awake, until the next wait", 30, &s->awake, out);
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
