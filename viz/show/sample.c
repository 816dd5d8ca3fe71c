/*
 * SPDX-License-Identifier: MIT
 *
 * sample.c - see sample.h.
 */
#include "sample.h"

#include <math.h>
#include <string.h>

#include "../model/path.h"
#include "../trace/utf8.h"
#include "selected.h"

/* ---- Means. The table holds two-sided 95 % quantiles of Student's t ---- */

static double t95(size_t freedom)
{
	static const double t[] = {0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
				   2.306, 2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
				   2.120, 2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069,
				   2.064, 2.060,  2.056, 2.052, 2.048, 2.045, 2.042};

	return freedom < sizeof t / sizeof t[0] ? t[freedom] : 1.96;
}

struct doze_mean doze_mean_of(const double *v, size_t n)
{
	struct doze_mean m = {.n = n};
	double square = 0;

	for (size_t i = 0; i < n; i++)
		m.mean += v[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		square += (v[i] - m.mean) * (v[i] - m.mean);
	if (n > 1)
		m.half = t95(n - 1) * sqrt(square / (double)(n - 1) / (double)n);
	return m;
}

/* The half width divided by its t is the standard error. The degrees of freedom follow Welch's
 * formula. */
bool doze_means_differ(const struct doze_mean *a, const struct doze_mean *b)
{
	double ea, eb, sum, freedom;

	if (a->n < 2 || b->n < 2 || isnan(a->mean) || isnan(b->mean))
		return false;
	ea = a->half / t95(a->n - 1);
	eb = b->half / t95(b->n - 1);
	sum = ea * ea + eb * eb;
	if (sum <= 0)
		return fabs(a->mean - b->mean) > 0;
	freedom = sum * sum /
		  (ea * ea * ea * ea / (double)(a->n - 1) + eb * eb * eb * eb / (double)(b->n - 1));
	return fabs(a->mean - b->mean) > t95((size_t)freedom) * sqrt(sum);
}

/* ---- Samples ---- */

static double aborts(const struct doze_totals *t)
{
	double n = 0;

	for (int a = 0; a < DOZE_ABORT_COUNT; a++)
		n += (double)t->sleep_aborts[a];
	return n;
}

static void sample_time(struct doze_sample *s, const struct doze_model *m, int64_t ts)
{
	s->sum[DOZE_SUM_active] = (double)doze_model_time_until(m, DOZE_STATE_active, ts);
	s->sum[DOZE_SUM_search] = (double)doze_model_time_until(m, DOZE_STATE_idle, ts) +
				  (double)doze_model_time_until(m, DOZE_STATE_sleepy, ts);
	s->sum[DOZE_SUM_asleep] = (double)doze_model_time_until(m, DOZE_STATE_sleeping, ts);
}

void doze_wakee_bias(const struct doze_model *m, const struct doze_worker_view *w, double *low,
		     double *all)
{
	uint32_t workers = doze_model_pool(m, w->pool_row)->workers;

	if (workers < 2)
		return;
	*all += (double)w->wakes;
	if ((uint32_t)w->key.index < workers / 2)
		*low += (double)w->wakes;
}

/* Returns the selected time up to ts, ns. */
static int64_t time_until(const struct doze_model *m, int64_t ts)
{
	const struct doze_selection *s = doze_selection_of(m);
	int64_t from = doze_selected_from(m, s), to = doze_selected_to(m, s);

	to = ts < to ? ts : to;
	return to > from ? to - from : 0;
}

/* Returns the sums up to ts, which must not precede the last event. Sums that become known late
 * are 0. */
static struct doze_sample doze_sample_now(const struct doze_model *m, int64_t ts)
{
	const struct doze_totals *t = doze_model_totals(m);
	const struct doze_measures *x = doze_model_measures(m);
	struct doze_sample s = {{0}};

	s.sum[DOZE_SUM_time] = (double)time_until(m, ts);
	sample_time(&s, m, ts);
	s.sum[DOZE_SUM_wakes] = (double)t->wakes;
	s.sum[DOZE_SUM_woken] = (double)t->woken;
	for (size_t i = 0; i < doze_model_workers(m); i++)
		doze_wakee_bias(m, doze_model_worker(m, i), &s.sum[DOZE_SUM_low],
				&s.sum[DOZE_SUM_biased]);
	s.sum[DOZE_SUM_chained] = (double)x->chain.wakes;
	s.sum[DOZE_SUM_jobs] =
	    (double)(t->jobs_published > t->jobs_run ? t->jobs_published : t->jobs_run);
	s.sum[DOZE_SUM_near_misses] = aborts(t);
	s.sum[DOZE_SUM_under_wakes] = (double)x->underwake.spans;
	s.sum[DOZE_SUM_under_time] = (double)x->underwake.wait.sum;
	s.sum[DOZE_SUM_toggles] = (double)t->jec_toggles;
	return s;
}

/* Returns b - a, where a is the earlier sample. */
static struct doze_sample doze_sample_minus(const struct doze_sample *b,
					    const struct doze_sample *a)
{
	struct doze_sample d;

	for (int i = 0; i < DOZE_SUM_COUNT; i++)
		d.sum[i] = b->sum[i] - a->sum[i];
	return d;
}

/* Returns a + share * (b - a). */
static struct doze_sample doze_sample_between(const struct doze_sample *a,
					      const struct doze_sample *b, double share)
{
	struct doze_sample d;

	for (int i = 0; i < DOZE_SUM_COUNT; i++)
		d.sum[i] = a->sum[i] + share * (b->sum[i] - a->sum[i]);
	return d;
}

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

static double path(const struct doze_sample *s)
{
	return s->sum[DOZE_SUM_path] > 0 ? s->sum[DOZE_SUM_path] : NAN;
}

static double futile_ratio(const struct doze_sample *s)
{
	const double *v = s->sum;

	return ratio(v[DOZE_SUM_futile], v[DOZE_SUM_futile] + v[DOZE_SUM_useful] +
					     v[DOZE_SUM_latch] + v[DOZE_SUM_terminate] +
					     v[DOZE_SUM_redundant]);
}

static double herd(const struct doze_sample *s)
{
	return s->sum[DOZE_SUM_woken] - s->sum[DOZE_SUM_useful];
}

static double whole(const struct doze_sample *s)
{
	return s->sum[DOZE_SUM_active] + s->sum[DOZE_SUM_search] + s->sum[DOZE_SUM_asleep];
}

static double active(const struct doze_sample *s)
{
	return ratio(s->sum[DOZE_SUM_active], whole(s));
}

static double searching(const struct doze_sample *s)
{
	return ratio(s->sum[DOZE_SUM_search], whole(s));
}

static double asleep(const struct doze_sample *s)
{
	return ratio(s->sum[DOZE_SUM_asleep], whole(s));
}

static double burn(const struct doze_sample *s)
{
	return ratio(s->sum[DOZE_SUM_search], s->sum[DOZE_SUM_search] + s->sum[DOZE_SUM_active]);
}

double doze_metric_of(const struct doze_metric *k, const struct doze_sample *s)
{
	if (k->of)
		return k->of(s);
	return k->over ? ratio(s->sum[k->sum], s->sum[k->over]) : s->sum[k->sum];
}

#define SUM(name, unit, needs, of)                                                                 \
	{                                                                                          \
		name, DOZE_UNIT_##unit, DOZE_NEEDS_##needs, DOZE_SUM_##of, 0, NULL                 \
	}
#define RATIO(name, unit, needs, of, over)                                                         \
	{                                                                                          \
		name, DOZE_UNIT_##unit, DOZE_NEEDS_##needs, DOZE_SUM_##of, DOZE_SUM_##over, NULL   \
	}
#define OTHER(name, unit, needs, of)                                                               \
	{                                                                                          \
		name, DOZE_UNIT_##unit, DOZE_NEEDS_##needs, 0, 0, of                               \
	}
const struct doze_metric doze_metrics[] = {
    SUM("duration", ns, nothing, time),
    SUM("jobs", count, nothing, jobs),
    SUM("wakes", count, nothing, wakes),
    SUM("woken", count, nothing, woken),
    SUM("  useful", count, nothing, useful),
    SUM("  futile", count, nothing, futile),
    SUM("  latch", count, nothing, latch),
    SUM("  terminate", count, nothing, terminate),
    SUM("  redundant", count, nothing, redundant),
    SUM("  self", count, nothing, self),
    SUM("  unresolved", count, nothing, unresolved),
    OTHER("futile ratio", ratio, nothing, futile_ratio),
    RATIO("amplification", ratio, nothing, wakes, jobs),
    OTHER("herd excess", count, nothing, herd),
    SUM("chain wakes", count, nothing, chained),
    SUM("  futile in chains", count, nothing, chained_futile),
    RATIO("wakee bias", ratio, nothing, low, biased),
    SUM("storms", count, nothing, storms),
    SUM("futile search, all", ns, nothing, vain),
    SUM("futile search, storms", ns, nothing, burnt),
    SUM("near misses", count, nothing, near_misses),
    SUM("under-wakes", count, jobs, under_wakes),
    SUM("  under-wake time", ns, jobs, under_time),
    SUM("JEC toggles", count, jec, toggles),
    OTHER("share active", ratio, nothing, active),
    OTHER("share searching", ratio, nothing, searching),
    OTHER("share asleep", ratio, nothing, asleep),
    OTHER("burn", ratio, nothing, burn),
    RATIO("publish->job, mean", ns, nothing, publish_job, publish_job_n),
    RATIO("  publish->notify, mean", ns, nothing, publish_notify, publish_notify_n),
    RATIO("  notify->awake, mean", ns, nothing, notify_awake, notify_awake_n),
    RATIO("  awake->found, mean", ns, nothing, awake_found, awake_found_n),
    RATIO("  found->job, mean", ns, nothing, found_job, found_job_n),
    RATIO("all: notify->awake, mean", ns, nothing, all_awake, all_awake_n),
    OTHER("critical path", ns, jobs, path),
    RATIO("  work on it", ratio, jobs, path_work, path),
    {0},
};

/* ---- Phases ---- */

#define FIRST_TICK_NS 1000

/* Returns whether the sum is one of those that become known late (see enum doze_sum). */
static bool is_late(int sum)
{
	return sum >= DOZE_SUM_LATE;
}

/* Returns whether the sum is a time. Times can be interpolated; counts of events cannot. */
static bool is_time(int sum)
{
	return sum == DOZE_SUM_time || sum == DOZE_SUM_active || sum == DOZE_SUM_search ||
	       sum == DOZE_SUM_asleep;
}

/* Returns the beginning of the selected time range. */
static int64_t origin(const struct doze_phases *p)
{
	return doze_selected_from(p->model, doze_selection_of(p->model));
}

static size_t bin_of(const struct doze_phases *p, int64_t ts)
{
	int64_t i = (ts - origin(p)) / p->tick_ns;

	return i < 0 ? 0 : i < DOZE_TICKS ? (size_t)i : DOZE_TICKS - 1;
}

/* Adds n to the sum of the phase that contains ts, for a wake or storm that began at ts but whose
 * outcome becomes known only now. */
static void add_late(struct doze_phases *p, int64_t ts, int sum, double n)
{
	size_t phase = p->marks;

	while (phase && p->mark[phase - 1].ts > ts)
		phase--;
	p->began[phase].sum[sum] += n;
	if (p->tick_ns)
		p->bin[bin_of(p, ts)].sum[sum] += n;
}

/* Adds the critical path of each pool for the phase that ends at ts. */
static void add_paths(struct doze_phases *p, int64_t ts)
{
	double *sum = p->began[p->marks].sum;
	const struct doze_selection *part = doze_selection_of(p->model);
	struct doze_path path;

	/* A critical path is defined only between marks and only for all workers together. */
	if (doze_selection_by_time(part) || doze_selection_by_worker(part))
		return;
	for (size_t i = 0; i < doze_model_pools(p->model); i++) {
		if (!doze_path_of(p->model, i, ts, &path) || path.to <= path.from)
			continue;
		sum[DOZE_SUM_path] += (double)(path.to - path.from);
		sum[DOZE_SUM_path_work] += (double)path.others;
		for (uint32_t k = 0; k < path.named; k++)
			sum[DOZE_SUM_path_work] += (double)path.work[k].ns;
	}
}

static void on_mark(void *ctx, int64_t ts, uint32_t pool, int32_t worker, const char *text)
{
	struct doze_phases *p = ctx;
	struct doze_phase_mark *k;

	(void)pool, (void)worker;
	add_paths(p, ts);
	if (p->marks == DOZE_PHASES_MAX)
		return;
	k = &p->mark[p->marks++];
	doze_utf8_copy(k->text, sizeof k->text, text);
	k->ts = ts;
	k->at = doze_sample_now(p->model, ts);
}

/* Adds a delay of a wake, and counts it. at: when the wake was notified. */
static void add_delay(struct doze_phases *p, int64_t at, int sum, const struct doze_wake *w,
		      enum doze_delay delay)
{
	int64_t ns = doze_wake_delay(w, delay);

	if (ns < 0)
		return;
	add_late(p, at, sum, (double)ns);
	add_late(p, at, sum + 1, 1);
}

static void on_verdict(void *ctx, const struct doze_wake *w)
{
	static const int sums[DOZE_VERDICT_COUNT] = {
	    [DOZE_VERDICT_useful] = DOZE_SUM_useful,
	    [DOZE_VERDICT_futile] = DOZE_SUM_futile,
	    [DOZE_VERDICT_latch] = DOZE_SUM_latch,
	    [DOZE_VERDICT_terminate] = DOZE_SUM_terminate,
	    [DOZE_VERDICT_redundant] = DOZE_SUM_redundant,
	    [DOZE_VERDICT_self] = DOZE_SUM_self,
	    [DOZE_VERDICT_unresolved] = DOZE_SUM_unresolved,
	};
	int64_t at = w->notified ? w->notified : w->ended;

	if (is_late(sums[w->verdict]))
		add_late(ctx, at, sums[w->verdict], 1);
	if (w->verdict == DOZE_VERDICT_futile) {
		int64_t searched = doze_wake_delay(w, DOZE_DELAY_futile_search);

		add_late(ctx, at, DOZE_SUM_vain, searched > 0 ? (double)searched : 0);
		add_late(ctx, at, DOZE_SUM_chained_futile, w->cause == DOZE_CAUSE_work_found);
	}
	add_delay(ctx, at, DOZE_SUM_all_awake, w, DOZE_DELAY_notify_awake);
	add_delay(ctx, at, DOZE_SUM_publish_notify, w, DOZE_DELAY_publish_notify);
	add_delay(ctx, at, DOZE_SUM_notify_awake, w, DOZE_DELAY_useful_awake);
	add_delay(ctx, at, DOZE_SUM_awake_found, w, DOZE_DELAY_awake_found);
	add_delay(ctx, at, DOZE_SUM_found_job, w, DOZE_DELAY_found_job);
	add_delay(ctx, at, DOZE_SUM_publish_job, w, DOZE_DELAY_publish_job);
}

static void on_storm(void *ctx, const struct doze_storm *s)
{
	add_late(ctx, s->from, DOZE_SUM_storms, 1);
	add_late(ctx, s->from, DOZE_SUM_burnt, (double)s->burnt);
}

const struct doze_model_listener doze_phases_listener = {
    .on_mark = on_mark, .on_verdict = on_verdict, .on_storm = on_storm};

/* Doubles the length of a tick: drops every other sample and merges pairs of bins. */
static void coarsen(struct doze_phases *p)
{
	for (size_t i = 0; i < DOZE_TICKS / 2; i++) {
		p->tick[i] = p->tick[2 * i];
		for (int k = 0; k < DOZE_SUM_COUNT; k++)
			p->bin[i].sum[k] = p->bin[2 * i].sum[k] + p->bin[2 * i + 1].sum[k];
	}
	memset(&p->bin[DOZE_TICKS / 2], 0, DOZE_TICKS / 2 * sizeof p->bin[0]);
	p->ticks = (p->ticks + 1) / 2;
	p->last_bin /= 2;
	p->tick_ns *= 2;
}

/* Adds the events that were counted since the last call to p->bin[p->last_bin]. */
static void sort(struct doze_phases *p, const struct doze_sample *now)
{
	for (int k = 0; k < DOZE_SUM_COUNT; k++)
		if (!is_late(k) && !is_time(k))
			p->bin[p->last_bin].sum[k] += now->sum[k] - p->sorted.sum[k];
	p->sorted = *now;
}

static void add_tick(struct doze_phases *p, int64_t ts)
{
	struct doze_sample now = doze_sample_now(p->model, ts);

	sort(p, &now);
	while (p->ticks == DOZE_TICKS || (ts - origin(p)) / p->tick_ns >= DOZE_TICKS)
		coarsen(p);
	p->last_bin = bin_of(p, ts);
	p->tick[p->ticks++] = now;
	p->next_tick = origin(p) + ((int64_t)p->last_bin + 1) * p->tick_ns;
}

void doze_phases_event(struct doze_phases *p, const struct doze_event *e)
{
	if (!p->tick_ns) {
		p->tick_ns = FIRST_TICK_NS;
		p->next_tick = e->ts;
	}
	if (doze_model_totals(p->model)->events && e->ts >= p->next_tick && e->ts >= origin(p) &&
	    e->ts <= doze_selected_to(p->model, doze_selection_of(p->model)))
		add_tick(p, e->ts);
}

void doze_phases_finish(struct doze_phases *p)
{
	p->end = doze_sample_now(p->model, doze_model_totals(p->model)->last_ts);
	sort(p, &p->end);
	add_paths(p, doze_model_totals(p->model)->last_ts);
	for (int k = DOZE_SUM_LATE; k < DOZE_SUM_COUNT; k++)
		for (size_t i = 0; i <= p->marks; i++)
			p->end.sum[k] += p->began[i].sum[k];
}

struct doze_sample doze_phase(const struct doze_phases *p, size_t i)
{
	static const struct doze_sample zero;
	const struct doze_sample *a = i ? &p->mark[i - 1].at : &zero;
	const struct doze_sample *b = i < p->marks ? &p->mark[i].at : &p->end;
	struct doze_sample d = doze_sample_minus(b, a);

	for (int k = 0; k < DOZE_SUM_COUNT; k++)
		if (is_late(k))
			d.sum[k] = p->began[i].sum[k];
	return d;
}

/* Interpolates the sums at `time` ns between the two nearest samples. */
static struct doze_sample sample_at(const struct doze_phases *p, double time)
{
	static const struct doze_sample zero;
	const struct doze_sample *a = &zero, *b = &p->end;
	double span;

	for (size_t i = 0; i < p->ticks; i++) {
		if (p->tick[i].sum[DOZE_SUM_time] > time) {
			b = &p->tick[i];
			break;
		}
		a = &p->tick[i];
	}
	span = b->sum[DOZE_SUM_time] - a->sum[DOZE_SUM_time];
	return doze_sample_between(a, b, span > 0 ? (time - a->sum[DOZE_SUM_time]) / span : 0);
}

/* Returns the first bin whose middle is not before `time` ns. */
static size_t first_bin(const struct doze_phases *p, double time)
{
	double i = p->tick_ns ? time / (double)p->tick_ns + 0.5 : 0;

	return i < DOZE_TICKS ? (size_t)i : DOZE_TICKS;
}

struct doze_sample doze_phase_part(const struct doze_phases *p, size_t i, size_t parts)
{
	double whole = p->end.sum[DOZE_SUM_time] / (double)parts;
	struct doze_sample a = sample_at(p, whole * (double)i);
	struct doze_sample b = i + 1 == parts ? p->end : sample_at(p, whole * (double)(i + 1));
	struct doze_sample d = doze_sample_minus(&b, &a);
	size_t from = i ? first_bin(p, whole * (double)i) : 0;
	size_t to = i + 1 == parts ? DOZE_TICKS : first_bin(p, whole * (double)(i + 1));

	for (int k = 0; k < DOZE_SUM_COUNT; k++) {
		if (is_time(k))
			continue;
		d.sum[k] = 0;
		for (size_t n = from; n < to; n++)
			d.sum[k] += p->bin[n].sum[k];
	}
	return d;
}
