/*
 * SPDX-License-Identifier: MIT
 *
 * storms_workers.c - lists wakes received and sent per worker, and wakes sent per outside thread.
 */
#include <inttypes.h>

#include "../words/pool_words.h"
#include "../words/units.h"
#include "sample.h"
#include "selection_text.h"
#include "storms.h"

#define WORKERS_LISTED 64 /* maximum number of workers listed per pool */

/* Prints the share of wakes that went to workers with low indices. The share is large under jec,
 * which looks for sleepers from index 0. */
static void bias_line(const struct doze_model *m, uint32_t row, FILE *out)
{
	double low = 0, all = 0;

	for (size_t i = 0; i < doze_model_workers(m); i++) {
		const struct doze_worker_view *w = doze_model_worker(m, i);

		if (w->pool_row == row)
			doze_wakee_bias(m, w, &low, &all);
	}
	if (all > 0)
		fprintf(out,
			"  wakee bias: the lower half of the indices received %s of the wakes\n",
			doze_share(low, all));
}

static double woken_of(const struct doze_model *m, uint32_t row)
{
	double all = 0;

	for (size_t i = 0; i < doze_model_workers(m); i++)
		if (doze_model_worker(m, i)->pool_row == row)
			all += (double)doze_model_worker(m, i)->wakes;
	return all;
}

/* all: number of wakes in the pool; 0: do not print shares. */
static void worker_line(const struct doze_worker_view *w, double all, FILE *out)
{
	char name[16];

	snprintf(name, sizeof name, "w%" PRId32, w->key.index);
	fprintf(out, "  %-16s %9s %7s %12s %14s %10s\n", name, doze_count(w->wakes),
		doze_share((double)w->wakes, all), doze_count(w->wakes_sent),
		doze_count(w->futile_sent), doze_count(w->jobs_run));
}

static void worker_lines(const struct doze_model *m, uint32_t row, FILE *out)
{
	double all = doze_selection_by_worker(doze_selection_of(m)) ? 0 : woken_of(m, row);
	size_t shown = 0, more = 0;

	for (size_t i = 0; i < doze_model_workers(m); i++) {
		const struct doze_worker_view *w = doze_model_worker(m, i);

		if (w->pool_row != row ||
		    !doze_worker_set_has(&doze_selection_of(m)->workers, w->key.index))
			continue;
		if (shown == WORKERS_LISTED) {
			more++;
			continue;
		}
		shown++;
		worker_line(w, all, out);
	}
	if (more)
		fprintf(out, "  and %s more (--json lists all)\n", doze_plural(more, "worker"));
}

static void outside_name(const struct doze_model *m, uint32_t row, int32_t vtid, char *out,
			 size_t size)
{
	const struct doze_thread_view *t = doze_model_thread(m, row, vtid);

	if (vtid < 0)
		snprintf(out, size, "outside");
	else if (t && t->worker)
		snprintf(out, size, "w%" PRId32 " of pool %" PRIu32, t->worker->key.index,
			 t->worker->key.pool);
	else if (t && *t->name)
		snprintf(out, size, "%s (%" PRId32 ")", t->name, vtid);
	else
		snprintf(out, size, "outside %" PRId32, vtid);
}

static void outside_lines(const struct doze_model *m, uint32_t row, FILE *out)
{
	const struct doze_outside_view *o;
	char name[64];

	for (size_t i = 0; (o = doze_model_outside(m, row, i)); i++) {
		outside_name(m, row, o->vtid, name, sizeof name);
		fprintf(out, "  %-16s %9s %7s %12s %14s\n", name, "", "", doze_count(o->wakes_sent),
			doze_count(o->futile_sent));
	}
}

void doze_storms_workers(const struct doze_model *m, FILE *out)
{
	bool outside = false;

	for (uint32_t row = 0; row < doze_model_pools(m); row++) {
		const char *pool = doze_pool_words(m, row);

		if (*pool)
			fprintf(out, "\nWorkers of %s (%s)", pool, doze_model_pool(m, row)->policy);
		else
			fputs("\nWorkers", out);
		fputs("\n                       woken   share   wakes sent  of these futile"
		      "   jobs run\n",
		      out);
		worker_lines(m, row, out);
		outside_lines(m, row, out);
		outside |= doze_model_outside(m, row, 0) != 0;
		if (!doze_selection_by_worker(doze_selection_of(m)))
			bias_line(m, row, out);
	}
	if (outside)
		fputs(
		    "  outside, or a name with a vtid: a thread that is not a worker of the pool\n",
		    out);
}
