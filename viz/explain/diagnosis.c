/*
 * SPDX-License-Identifier: MIT
 *
 * diagnosis.c - makes the diagnosis of a part of a trace: ranks the causes and describes them;
 * prints it as text and as JSON.
 */
#include <inttypes.h>

#include "../words/pool_words.h"
#include "../words/quote.h"
#include "../words/units.h"
#include "../words/wrap.h"
#include "diagnose_int.h"
#include "foreign_program.h"

static void fill(const struct diagnosis *d, struct doze_diagnosis *out, struct doze_cause_entry *e)
{
	const struct diag_pool *p = d->pool[e->pool_row];
	const struct instance *i = diag_worst(p, e->kind, out->from, out->to);

	e->worker = e->vtid = -1;
	e->at = out->from;
	e->end = out->to;
	if (i) {
		e->at = i->at;
		e->end = i->end;
		e->worker = i->worker;
		e->vtid = i->vtid;
	}
	diag_words(d, out, e, i);
}

bool doze_diagnose(const struct doze_model *m, int64_t from, int64_t to, struct doze_diagnosis *out)
{
	const struct diagnosis *d = diagnosis_of(m);

	if (!d)
		return false;
	*out = (struct doze_diagnosis){.from = from, .to = to};
	diag_rank(d, out);
	for (size_t i = 0; i < out->count; i++)
		fill(d, out, &out->cause[i]);
	diag_verdict(d, out);
	return true;
}

const char *doze_verdict_on(const struct doze_model *m, int64_t from, int64_t to)
{
	static struct doze_diagnosis d;

	return doze_diagnose(m, from, to, &d) ? d.verdict : "";
}

const char *doze_verdict_line(const struct doze_model *m)
{
	return doze_verdict_on(m, INT64_MIN, INT64_MAX);
}

/* ---- Text ---- */

static void print_entry(const struct doze_cause_entry *e, size_t number, const char *trace,
			FILE *out)
{
	struct doze_wrapped w;
	FILE *f = doze_wrap_begin(&w, out);

	fprintf(f, "%zu. %s: %s", number, doze_trouble_name(e->kind), e->cause);
	if (e->cost)
		fprintf(f, " (%s of worker time, %s)", doze_duration(e->cost),
			doze_share(e->share, 1));
	fputs(".\n", f);
	fprintf(f, "Evidence: %s. See 'doze %s %s'.\n", e->evidence, e->command,
		trace ? trace : "DIR");
	fprintf(f, "What to change: %s.\n", e->change);
	fprintf(f, "Confidence: %s%s%s.\n", doze_sure_name(e->sure), *e->doubt ? ": " : "",
		e->doubt);
	doze_wrap_end(&w);
}

/* Prints how the workers' time is divided, so that users can verify for themselves that nothing is
 * wrong. */
static void print_costs(const struct doze_diagnosis *d, FILE *out)
{
	struct doze_wrapped w;
	FILE *f = doze_wrap_begin(&w, out);
	const char *first = "; costs: ", *sep = "";

	fprintf(f, "Worker time: %s, %s of it spent running jobs", doze_duration(d->worker_ns),
		doze_share((double)d->active, (double)d->worker_ns));
	if (d->usable_ns < d->worker_ns) {
		fprintf(f, "; the CPUs could run %s of it", doze_duration(d->usable_ns));
		first = "; costs, as shares of that: ";
	}
	for (int k = 0; k < DOZE_TROUBLE_COUNT; k++)
		if ((double)d->cost[k] >= 0.0005 * (double)d->usable_ns && d->cost[k]) {
			fprintf(f, "%s%s %s", *sep ? sep : first,
				doze_trouble_name((enum doze_trouble)k),
				doze_share((double)d->cost[k], (double)d->usable_ns));
			sep = ", ";
		}
	fputs(".\n", f);
	doze_wrap_end(&w);
}

/* Prints how long jobs waited while workers slept, even if the cost is too small to be listed. The
 * time is known at every level of detail, but only for the whole trace. */
static void print_lost(const struct doze_diagnosis *d, const struct doze_model *m, FILE *out)
{
	const struct doze_totals *t = doze_model_totals(m);
	bool part = d->from > t->first_ts || d->to < t->last_ts;
	struct doze_lost_parallelism l;
	struct doze_wrapped w;
	FILE *f;

	if (!doze_lost_parallelism(m, &l) || (!l.jobs && l.high <= 0))
		return;
	f = doze_wrap_begin(&w, out);
	fprintf(f, "%s waited while workers slept: %s", part ? "In the whole trace, jobs" : "Jobs",
		doze_duration(l.low));
	if (l.high > l.low)
		fprintf(f, " to %s", doze_duration(l.high));
	fputs(" of worker time", f);
	if (l.jobs)
		fprintf(f, "; delay from post to start of %s: p50 %s, p99 %s, longest %s",
			doze_plural(l.jobs, "recorded job"),
			doze_duration(doze_hist_percentile(&l.delay, 0.5)),
			doze_duration(doze_hist_percentile(&l.delay, 0.99)),
			doze_duration(l.delay.max));
	fputs(".\n", f);
	doze_wrap_end(&w);
}

void doze_diagnosis_print(const struct doze_diagnosis *d, const struct doze_model *m,
			  const char *trace, FILE *out)
{
	struct doze_wrapped w;

	fprintf(doze_wrap_begin(&w, out), "%s\n", d->verdict);
	doze_wrap_end(&w);
	if (d->foreign) {
		doze_foreign_sentences(m, out);
		doze_foreign_crews(m, out);
		doze_foreign_sites(m, out);
		return;
	}
	print_costs(d, out);
	print_lost(d, m, out);
	for (size_t i = 0; i < d->count; i++) {
		fputc('\n', out);
		print_entry(&d->cause[i], i + 1, trace, out);
	}
}

/* ---- JSON ---- */

static void json_entry(struct doze_json *j, const struct doze_cause_entry *e,
		       const struct doze_model *m)
{
	int64_t first = doze_model_totals(m)->first_ts;
	const struct doze_pool_view *p = doze_model_pool(m, e->pool_row);

	doze_json_open(j, NULL, '{');
	doze_json_string(j, "kind", doze_trouble_name(e->kind));
	doze_json_int(j, "vpid", p->vpid);
	doze_json_uint(j, "pool", p->pool);
	doze_json_int(j, "cost", e->cost);
	doze_json_real(j, "share", e->share);
	doze_json_string(j, "cause", e->cause);
	doze_json_string(j, "evidence", e->evidence);
	doze_json_int(j, "from", e->at - first);
	doze_json_int(j, "to", e->end - first);
	doze_json_int(j, "worker", e->worker);
	doze_json_int(j, "vtid", e->vtid);
	doze_json_uint(j, "times", e->times);
	doze_json_string(j, "command", e->command);
	doze_json_string(j, "change", e->change);
	doze_json_string(j, "confidence", doze_sure_name(e->sure));
	doze_json_string(j, "doubt", e->doubt);
	doze_json_close(j, '}');
}

static void json_foreign(struct doze_json *j, const struct doze_model *m)
{
	doze_foreign_json(j, "foreign", m);
	doze_json_open(j, "causes", '[');
	doze_json_close(j, ']');
	doze_json_close(j, '}');
}

void doze_diagnosis_json(const struct doze_diagnosis *d, const struct doze_model *m,
			 const char *trace, FILE *out)
{
	struct doze_json j = {.out = out};
	struct doze_lost_parallelism l;
	int64_t first = doze_model_totals(m)->first_ts;

	doze_json_open(&j, NULL, '{');
	doze_json_string(&j, "trace", trace);
	doze_json_string(&j, "verdict", d->verdict);
	doze_json_bool(&j, "healthy", !d->count && d->conclusive && !d->foreign);
	doze_json_bool(&j, "conclusive", d->conclusive);
	doze_json_int(&j, "from", d->from - first);
	doze_json_int(&j, "to", d->to - first);
	if (d->foreign) {
		json_foreign(&j, m);
		return;
	}
	doze_json_int(&j, "worker_time", d->worker_ns);
	doze_json_int(&j, "usable_time", d->usable_ns);
	doze_json_int(&j, "active", d->active);
	doze_json_open(&j, "costs", '{');
	for (int k = 0; k < DOZE_TROUBLE_COUNT; k++)
		doze_json_int(&j, doze_trouble_name((enum doze_trouble)k), d->cost[k]);
	doze_json_close(&j, '}');
	if (doze_lost_parallelism(m, &l)) {
		doze_json_int(&j, "lost_parallelism_least", l.low);
		doze_json_int(&j, "lost_parallelism_most", l.high);
		doze_json_uint(&j, "jobs_with_delay", l.jobs);
		doze_json_uint(&j, "jobs_without_post", l.unknown);
		doze_json_int(&j, "job_delay_p50", doze_hist_percentile(&l.delay, 0.5));
		doze_json_int(&j, "job_delay_p99", doze_hist_percentile(&l.delay, 0.99));
		doze_json_int(&j, "job_delay_max", l.jobs ? l.delay.max : 0);
	}
	doze_json_open(&j, "causes", '[');
	for (size_t i = 0; i < d->count; i++)
		json_entry(&j, &d->cause[i], m);
	doze_json_close(&j, ']');
	doze_json_close(&j, '}');
}
