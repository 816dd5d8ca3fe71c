/*
 * SPDX-License-Identifier: MIT
 *
 * storms_tables.c - prints the tables of the storm report, 80 columns wide.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../explain/diagnose.h"
#include "../explain/symbols.h"
#include "../words/pool_words.h"
#include "../words/units.h"
#include "../words/wrap.h"
#include "sample.h"
#include "selection_text.h"
#include "storms.h"

static void wake_table(const struct doze_model *m, FILE *out)
{
	const struct doze_measures *s = doze_model_measures(m);
	uint64_t sum;

	fputs("\nWakes by cause and verdict\n  cause       useful  futile   latch  termin.  redund."
	      "   self  unresolved\n",
	      out);
	for (int c = 0; c < DOZE_CAUSE_COUNT; c++) {
		const uint64_t *v = s->verdicts[c];

		sum = 0;
		for (int k = 0; k < DOZE_VERDICT_COUNT; k++)
			sum += v[k];
		if (sum)
			fprintf(out,
				"  %-10s %7" PRIu64 " %7" PRIu64 " %7" PRIu64 "  %7" PRIu64
				"  %7" PRIu64 " %6" PRIu64 "  %10" PRIu64 "\n",
				c ? doze_cause_name((enum doze_cause)c) : "(nobody)",
				v[DOZE_VERDICT_useful], v[DOZE_VERDICT_futile],
				v[DOZE_VERDICT_latch], v[DOZE_VERDICT_terminate],
				v[DOZE_VERDICT_redundant], v[DOZE_VERDICT_self],
				v[DOZE_VERDICT_unresolved]);
	}
	fprintf(out, "  futile ratio %.3f, ", doze_model_futile_ratio(m));
	if (!doze_selection_by_worker(doze_selection_of(m)))
		fprintf(out, "amplification %.3f wakes per job, ", doze_model_amplification(m));
	fprintf(out, "herd excess %s\n", doze_count(doze_model_herd_excess(m)));
	if (s->chain.wakes)
		fprintf(out,
			"  chains: %s by searchers that found work, %s futile;\n"
			"  longest chain: %s\n",
			doze_plural(s->chain.wakes, "wake"), doze_count(s->chain.futile),
			doze_plural(s->chain.longest, "link"));
}

static void latency_line(const char *name, const struct doze_hist *h, FILE *out)
{
	if (h->n)
		fprintf(out, "  %-24s %9s %9s %9s %9s %9s\n", name, doze_count(h->n),
			doze_duration(doze_hist_percentile(h, 0.5)),
			doze_duration(doze_hist_percentile(h, 0.9)),
			doze_duration(doze_hist_percentile(h, 0.99)), doze_duration(h->max));
	else
		fprintf(out, "  %-24s         -\n", name);
}

void doze_storms_histogram(const char *name, const struct doze_hist *h, FILE *out)
{
	uint64_t most = 0;
	unsigned first = DOZE_HIST_ROWS, last = 0;

	for (unsigned r = 0; r < DOZE_HIST_ROWS; r++) {
		uint64_t n = doze_hist_row(h, r);

		if (!n)
			continue;
		most = n > most ? n : most;
		first = first < r ? first : r;
		last = r;
	}
	if (!most)
		return;
	fprintf(out, "\n  %s, from\n", name);
	for (unsigned r = first; r <= last; r++) {
		uint64_t n = doze_hist_row(h, r);
		int stars = (int)((n * 40 + most - 1) / most);

		fprintf(out, "  %9s %9s |%.*s\n", doze_duration(r ? (int64_t)(1ull << r) : 0),
			doze_count(n), stars, "########################################");
	}
}

static void latency_tables(const struct doze_model *m, bool histograms, FILE *out)
{
	const struct doze_measures *s = doze_model_measures(m);

	fputs("\nLatency of wakes                 count       p50       p90       p99       max\n",
	      out);
	latency_line("publish to first job", &s->publish_job, out);
	latency_line("  publish to notify", &s->publish_notify, out);
	latency_line("  notify to awake", &s->useful_awake, out);
	latency_line("  awake to found", &s->awake_found, out);
	latency_line("  found to first job", &s->found_job, out);
	latency_line("all: notify to awake", &s->notify_awake, out);
	latency_line("futile: awake to asleep", &s->futile_search, out);
	if (s->publish_job.n || s->unmeasured)
		fputs("  publish to first job and its parts: only useful wakes whose post is "
		      "known",
		      out);
	if (s->unmeasured)
		fprintf(out, ";\n  unknown for %s", doze_count(s->unmeasured));
	if (s->publish_job.n || s->unmeasured)
		fputc('\n', out);
	if (!histograms)
		return;
	doze_storms_histogram("all: notify to awake", &s->notify_awake, out);
	doze_storms_histogram("publish to first job", &s->publish_job, out);
	doze_storms_histogram("futile: awake to asleep", &s->futile_search, out);
}

static void miss_table(const struct doze_model *m, FILE *out)
{
	const struct doze_totals *t = doze_model_totals(m);
	uint64_t all = 0;

	for (int a = 0; a < DOZE_ABORT_COUNT; a++)
		all += t->sleep_aborts[a];
	fprintf(out, "\nNear misses: %s averted", doze_plural(all, "sleep"));
	for (int a = 0; a < DOZE_ABORT_COUNT; a++)
		if (t->sleep_aborts[a])
			fprintf(out, ", %s by %s", doze_count(t->sleep_aborts[a]),
				doze_abort_name((enum doze_abort)a));
	fputc('\n', out);
}

static void burn_table(const struct doze_model *m, FILE *out)
{
	double active = (double)doze_model_time_in(m, DOZE_STATE_active);
	double idle = (double)doze_model_time_in(m, DOZE_STATE_idle);
	double sleepy = (double)doze_model_time_in(m, DOZE_STATE_sleepy);
	double asleep = (double)doze_model_time_in(m, DOZE_STATE_sleeping);
	double all = active + idle + sleepy + asleep;

	fprintf(out,
		"Workers' time: %s active, %s searching (idle and sleepy), %s "
		"asleep\n",
		doze_share(active, all), doze_share(idle + sleepy, all), doze_share(asleep, all));
}

static void worst_post_line(const struct doze_model *m, FILE *out)
{
	const struct doze_underwake_measures *u = &doze_model_measures(m)->underwake;
	const struct doze_waiting_post *l = &u->worst_post;
	int64_t origin = doze_model_totals(m)->first_ts;

	if (!l->known) {
		fputs("  its post was not recorded\n", out);
		return;
	}
	fprintf(out, "  caused by %s at %s from %s%s,\n  ",
		l->queue == DOZE_QUEUE_local ? "a push to its own deque" : "a post to the injector",
		doze_position(l->ts - origin, DOZE_LISTED),
		doze_waker_phrase(m, u->worst_pool_row, l->poster, l->poster_vtid),
		l->merged ? ", or by another post soon after" : "");
	if (l->idle >= 0)
		fprintf(out, "which saw %d idle and ", l->idle);
	else
		fputs("which saw ", out);
	if (l->sleeping >= 0)
		fprintf(out, "%d asleep", l->sleeping);
	else
		fputs("nothing", out);
	fprintf(out, ", published %s and chose %s\n", doze_plural(l->jobs, "job"),
		doze_plural(l->wakes, "wake"));
	if (l->caller)
		fprintf(out, "  posted at %s\n",
			doze_symbols_line(m, doze_model_pool(m, u->worst_pool_row), l->caller));
}

static void underwake_reasons(const struct doze_underwake_measures *u, FILE *out)
{
	static const char *const phrase[DOZE_UNDERWAKE_COUNT] = {
	    [DOZE_UNDERWAKE_unknown] = "by a post that was not recorded",
	    [DOZE_UNDERWAKE_woke] = "by a post that woke workers",
	    [DOZE_UNDERWAKE_idle] = "by a post that relied on an idle worker",
	    [DOZE_UNDERWAKE_none_asleep] = "by a post before any worker slept",
	    [DOZE_UNDERWAKE_rule] = "by the policy's rule",
	};
	const char *separator = "  caused";

	for (int k = 0; k < DOZE_UNDERWAKE_COUNT; k++) {
		if (!u->by_why[k])
			continue;
		fprintf(out, "%s %s: %s", separator, phrase[k], doze_count(u->by_why[k]));
		separator = ",\n      ";
	}
	fputc('\n', out);
}

/* Lists the pools whose jobs were not recorded; the processes of a trace may have different levels
 * of detail. */
static void pools_without_jobs(const struct doze_model *m, FILE *out)
{
	const char *separator = "  not measured without --detail all: ";

	for (uint32_t i = 0; i < doze_model_pools(m); i++) {
		if (doze_model_pool(m, i)->jobs_level)
			continue;
		fprintf(out, "%s%s", separator, doze_pool_words(m, i));
		separator = ",\n  ";
	}
	if (*separator == ',')
		fputc('\n', out);
}

/* Below level all, individual under-wakes cannot be distinguished, but their total cost is
 * known. */
static void lost_line(const struct doze_model *m, FILE *out)
{
	struct doze_lost_parallelism l;

	if (!doze_lost_parallelism(m, &l)) {
		fputs("Under-wakes: not measured\n", out);
		return;
	}
	fprintf(out, "Under-wakes: %s to %s of worker time, in %s\n", doze_duration(l.low),
		doze_duration(l.high), doze_plural(l.times, "span"));
	if (l.jobs)
		fprintf(out, "  post to start of %s: p50 %s, p99 %s, longest %s\n",
			doze_plural(l.jobs, "recorded job"),
			doze_duration(doze_hist_percentile(&l.delay, 0.5)),
			doze_duration(doze_hist_percentile(&l.delay, 0.99)),
			doze_duration(l.delay.max));
}

static void underwake_line(const struct doze_model *m, FILE *out)
{
	const struct doze_underwake_measures *u = &doze_model_measures(m)->underwake;
	int64_t origin = doze_model_totals(m)->first_ts;

	if (!doze_model_totals(m)->jobs_level)
		lost_line(m, out);
	else if (!u->spans)
		fputs("Under-wakes: none\n", out);
	else
		fprintf(out,
			"Under-wakes: %s in which a job waited, a worker slept and none searched:\n"
			"  total %s, p50 %s, longest %s at %s\n",
			doze_plural(u->spans, "span"), doze_duration(u->wait.sum),
			doze_duration(doze_hist_percentile(&u->wait, 0.5)), doze_duration(u->worst),
			doze_position(u->worst_at - origin, DOZE_LISTED));
	if (doze_model_totals(m)->jobs_level)
		pools_without_jobs(m, out);
	if (!u->spans)
		return;
	worst_post_line(m, out);
	underwake_reasons(u, out);
}

/* Prints which measures are missing or less accurate for a part of the trace. */
static void part_notes(const struct doze_storm_log *l, const struct doze_model *m, FILE *out)
{
	if (doze_selection_by_time(doze_selection_of(m)))
		doze_wrap(
		    out,
		    "\nJobs run are recorded at a worker's next change of state, so jobs near "
		    "the ends of the range may be counted on the wrong side.\n",
		    0);
	if (doze_selection_by_worker(doze_selection_of(m)))
		doze_wrap(
		    out,
		    "\nNot shown, because these measures are defined only for all workers "
		    "together: amplification, shares of the wakes, wakee bias, critical path.\n",
		    0);
	else if (l->paths_cut)
		doze_wrap(
		    out, "\nNo critical path is shown for a phase that extends beyond the range.\n",
		    0);
}

void doze_storms_tables(const struct doze_storm_log *l, const struct doze_model *m, bool histograms,
			FILE *out)
{
	if (doze_model_is_foreign(m)) {
		doze_storms_foreign_tables(l, m, histograms, out);
		return;
	}
	doze_storms_list(l, m, out);
	wake_table(m, out);
	latency_tables(m, histograms, out);
	miss_table(m, out);
	burn_table(m, out);
	underwake_line(m, out);
	doze_storms_paths(l, m, out);
	doze_storms_workers(m, out);
	part_notes(l, m, out);
}
