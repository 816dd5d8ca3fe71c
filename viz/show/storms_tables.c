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
#include "../trace/utf8.h"
#include "../words/pool_words.h"
#include "../words/units.h"
#include "../words/wrap.h"
#include "sample.h"
#include "selected.h"
#include "storms.h"

/* ---- The storms with the most futile search, per pool ---- */

const struct doze_storm **doze_storms_sorted(const struct doze_storm_log *l,
					     int (*order)(const void *, const void *), size_t *n)
{
	const struct doze_storm **list = l->count ? malloc(l->count * sizeof *list) : NULL;

	*n = l->count < DOZE_STORMS_LISTED ? l->count : DOZE_STORMS_LISTED;
	for (size_t i = 0; list && i < l->count; i++)
		list[i] = &l->storm[i];
	if (list)
		qsort(list, l->count, sizeof *list, order);
	return list;
}

static int by_cost(const void *a, const void *b)
{
	const struct doze_storm *x = *(const struct doze_storm *const *)a;
	const struct doze_storm *y = *(const struct doze_storm *const *)b;

	if (x->burnt != y->burnt)
		return x->burnt < y->burnt ? 1 : -1;
	return x->from < y->from ? -1 : x->from > y->from;
}

static int by_pool(const void *a, const void *b)
{
	const struct doze_storm *x = *(const struct doze_storm *const *)a;
	const struct doze_storm *y = *(const struct doze_storm *const *)b;

	if (x->pool_row != y->pool_row)
		return x->pool_row < y->pool_row ? -1 : 1;
	return by_cost(a, b);
}

static void storm_line(const struct doze_storm *s, int64_t origin, FILE *out)
{
	char who[16] = "outside";

	if (s->waker >= 0)
		snprintf(who, sizeof who, "w%" PRId32, s->waker);
	fprintf(out, "%11s %-10s %-7s %5u %5u %6u %6u %5u %8s %8s\n",
		doze_position(s->from - origin, DOZE_LISTED), doze_cause_name(s->cause), who,
		s->jobs, s->woken, s->useful, s->futile, s->latch, doze_duration(s->burnt),
		doze_duration(s->to - s->from));
}

static void heading(const struct doze_model *m, const struct doze_storm *s, const char *which,
		    FILE *out)
{
	const char *pool = doze_pool_words(m, s->pool_row);

	fputs("\nStorms", out);
	if (*pool)
		fprintf(out, " of %s (%s)", pool, doze_model_pool(m, s->pool_row)->policy);
	fprintf(out, "%s\n", which);
	fputs("         at cause      by       jobs woken useful futile latch   search    lasts\n",
	      out);
}

/* Prints the storms, with a heading per pool. Returns whether any of the storms has unresolved
 * wakes. */
static bool storm_lines(const struct doze_model *m, const struct doze_storm **s, size_t n,
			const char *which, FILE *out)
{
	bool unresolved = false;

	for (size_t i = 0; i < n; i++) {
		if (!i || s[i]->pool_row != s[i - 1]->pool_row)
			heading(m, s[i], which, out);
		storm_line(s[i], doze_model_totals(m)->first_ts, out);
		unresolved |= s[i]->unresolved > 0;
	}
	return unresolved;
}

static void storm_table(const struct doze_storm_log *l, const struct doze_model *m, FILE *out)
{
	size_t n;
	const struct doze_storm **order = doze_storms_sorted(l, by_cost, &n);

	if (!order)
		return;
	qsort(order, n, sizeof *order, by_pool);
	if (storm_lines(m, order, n, l->count > n ? ", the ten with the most futile search" : "",
			out))
		fputs("  woken workers not listed as useful, futile or latch are unresolved\n",
		      out);
	fputs("  search: wall time of the futile wakes, from awake to asleep; not CPU time\n", out);
	free(order);
}

/* ---- Wakes received and sent per worker, and wakes sent per outside thread ---- */

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

static void worker_tables(const struct doze_model *m, FILE *out)
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

/* ---- The critical path of each phase ---- */

/* Maximum number of shares listed for a path, and the column at which each line of shares
 * begins. */
#define ITEMS  (DOZE_PATH_TOP + 1 + DOZE_PATH_PARTS)
#define COLUMN 26
#define PHASE  12 /* columns of a phase's name */

struct share {
	char name[40];
	int64_t ns;
	/* rest: the fraction that was cut off by rounding `percent` down, in millionths */
	int percent, rest;
};

/* Computes percentages that add up to 100: rounds all down, then gives the remaining points to
 * those with the largest fractions. */
static void to_percent(struct share *s, size_t n, int64_t all)
{
	int missing = 100;

	for (size_t i = 0; i < n; i++) {
		double exact = 100 * (double)s[i].ns / (double)all;

		s[i].percent = (int)exact;
		s[i].rest = (int)((exact - s[i].percent) * 1e6);
		missing -= s[i].percent;
	}
	for (; missing > 0 && n; missing--) {
		size_t most = 0;

		for (size_t i = 1; i < n; i++)
			if (s[i].rest > s[most].rest)
				most = i;
		s[most].percent++;
		s[most].rest = -1;
	}
}

static size_t items(const struct doze_path_line *p, struct share *s)
{
	size_t n = 0;

	for (int k = 0; k < DOZE_PATH_TOP; k++) {
		if (p->top[k].ns <= 0)
			continue;
		s[n].ns = p->top[k].ns;
		if (p->top[k].worker >= 0)
			snprintf(s[n++].name, sizeof s->name, "w%" PRId32, p->top[k].worker);
		else if (p->top[k].vtid >= 0)
			snprintf(s[n++].name, sizeof s->name, "outside (vtid %" PRId32 ")",
				 p->top[k].vtid);
		else
			snprintf(s[n++].name, sizeof s->name, "outside");
	}
	s[n].ns = p->others;
	snprintf(s[n++].name, sizeof s->name, "others");
	for (int k = 0; k < DOZE_PATH_PARTS; k++) {
		s[n].ns = p->part[k];
		snprintf(s[n++].name, sizeof s->name, "%s",
			 doze_path_part_name((enum doze_path_part)k));
	}
	return n;
}

static void path_line(const struct doze_path_line *p, FILE *out)
{
	struct share s[ITEMS];
	size_t n = items(p, s);
	const char *phase = *p->phase ? p->phase : "(start)";
	char text[64];
	size_t phase_columns, phase_bytes = doze_utf8_fit(phase, PHASE, &phase_columns);
	int column = COLUMN, width;

	to_percent(s, n, p->to - p->from);
	fprintf(out, "  %.*s%*s %9s  ", (int)phase_bytes, phase, (int)(PHASE - phase_columns), "",
		doze_duration(p->to - p->from));
	for (size_t i = 0; i < n; i++) {
		if (!s[i].percent)
			continue;
		width = snprintf(text, sizeof text, "%s %d%%", s[i].name, s[i].percent);
		if (column > COLUMN && column + 2 + width >= DOZE_TEXT_COLUMNS) {
			fprintf(out, ",\n%*s", COLUMN, "");
			column = COLUMN;
		} else if (column > COLUMN) {
			column += fprintf(out, ", ");
		}
		column += fprintf(out, "%s", text);
	}
	fputc('\n', out);
}

static void path_lines(const struct doze_storm_log *l, const struct doze_model *m, uint32_t row,
		       FILE *out)
{
	const char *pool = doze_pool_words(m, row);
	bool any = false;

	for (size_t i = 0; i < l->paths; i++) {
		if (l->path[i].pool_row != row)
			continue;
		if (!any && *pool)
			fprintf(out, "  in %s\n", pool);
		any = true;
		path_line(&l->path[i], out);
	}
}

static void path_table(const struct doze_storm_log *l, const struct doze_model *m, FILE *out)
{
	uint64_t missing = doze_paths_missing(m);

	if (missing)
		fprintf(out, "\nNo critical path for %s: too many workers at once\n",
			doze_plural(missing, "pool"));
	if (!l->paths || doze_selection_by_worker(doze_selection_of(m)))
		return;
	fputs("\nCritical path: what each phase's last piece of work had to wait for\n", out);
	if (!doze_model_totals(m)->jobs_level)
		fprintf(out,
			"  An estimate: level %s does not show which thread posted a stolen job\n"
			"  (record with --detail all)\n",
			doze_model_level(m));
	for (uint32_t row = 0; row < doze_model_pools(m); row++)
		path_lines(l, m, row, out);
}

/* ---- The other tables ---- */

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

void doze_storms_latency(const char *name, int width, const struct doze_hist *h, FILE *out)
{
	if (h->n)
		fprintf(out, "  %-*s %9s %9s %9s %9s %9s\n", width, name, doze_count(h->n),
			doze_duration(doze_hist_percentile(h, 0.5)),
			doze_duration(doze_hist_percentile(h, 0.9)),
			doze_duration(doze_hist_percentile(h, 0.99)), doze_duration(h->max));
	else
		fprintf(out, "  %-*s         -\n", width, name);
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
	doze_storms_latency("publish to first job", 24, &s->publish_job, out);
	doze_storms_latency("  publish to notify", 24, &s->publish_notify, out);
	doze_storms_latency("  notify to awake", 24, &s->useful_awake, out);
	doze_storms_latency("  awake to found", 24, &s->awake_found, out);
	doze_storms_latency("  found to first job", 24, &s->found_job, out);
	doze_storms_latency("all: notify to awake", 24, &s->notify_awake, out);
	doze_storms_latency("futile: awake to asleep", 24, &s->futile_search, out);
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
	storm_table(l, m, out);
	wake_table(m, out);
	latency_tables(m, histograms, out);
	miss_table(m, out);
	burn_table(m, out);
	underwake_line(m, out);
	path_table(l, m, out);
	worker_tables(m, out);
	part_notes(l, m, out);
}
