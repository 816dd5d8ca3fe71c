/*
 * SPDX-License-Identifier: MIT
 *
 * sample.c - see sample.h.
 */
#include "sample.h"

#include <math.h>

#include "selected.h"
#include "selection_text.h"

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

struct doze_sample doze_sample_now(const struct doze_model *m, int64_t ts)
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

struct doze_sample doze_sample_minus(const struct doze_sample *b, const struct doze_sample *a)
{
	struct doze_sample d;

	for (int i = 0; i < DOZE_SUM_COUNT; i++)
		d.sum[i] = b->sum[i] - a->sum[i];
	return d;
}

struct doze_sample doze_sample_between(const struct doze_sample *a, const struct doze_sample *b,
				       double share)
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

#define SUM(name)                                                                                  \
	static double of_##name(const struct doze_sample *s)                                       \
	{                                                                                          \
		return s->sum[DOZE_SUM_##name];                                                    \
	}
SUM(time)
SUM(wakes)
SUM(woken)
SUM(useful)
SUM(futile)
SUM(latch)
SUM(terminate)
SUM(redundant)
SUM(self)
SUM(unresolved)
SUM(chained)
SUM(chained_futile)
SUM(jobs)
SUM(storms)
SUM(vain)
SUM(burnt)
SUM(near_misses)
SUM(under_wakes)
SUM(under_time)
SUM(toggles)

#define RATIO(function, part, whole)                                                               \
	static double function(const struct doze_sample *s)                                        \
	{                                                                                          \
		return ratio(s->sum[DOZE_SUM_##part], s->sum[DOZE_SUM_##whole]);                   \
	}
RATIO(amplification, wakes, jobs)
RATIO(bias, low, biased)
RATIO(publish_notify, publish_notify, publish_notify_n)
RATIO(notify_awake, notify_awake, notify_awake_n)
RATIO(awake_found, awake_found, awake_found_n)
RATIO(found_job, found_job, found_job_n)
RATIO(publish_job, publish_job, publish_job_n)
RATIO(all_awake, all_awake, all_awake_n)
RATIO(path_work, path_work, path)

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

double doze_sum_futile(const struct doze_sample *s)
{
	return of_futile(s);
}

double doze_sum_storms(const struct doze_sample *s)
{
	return of_storms(s);
}

const struct doze_metric doze_metrics[] = {
    {"duration", DOZE_UNIT_ns, DOZE_NEEDS_nothing, of_time},
    {"jobs", DOZE_UNIT_count, DOZE_NEEDS_nothing, of_jobs},
    {"wakes", DOZE_UNIT_count, DOZE_NEEDS_nothing, of_wakes},
    {"woken", DOZE_UNIT_count, DOZE_NEEDS_nothing, of_woken},
    {"  useful", DOZE_UNIT_count, DOZE_NEEDS_nothing, of_useful},
    {"  futile", DOZE_UNIT_count, DOZE_NEEDS_nothing, doze_sum_futile},
    {"  latch", DOZE_UNIT_count, DOZE_NEEDS_nothing, of_latch},
    {"  terminate", DOZE_UNIT_count, DOZE_NEEDS_nothing, of_terminate},
    {"  redundant", DOZE_UNIT_count, DOZE_NEEDS_nothing, of_redundant},
    {"  self", DOZE_UNIT_count, DOZE_NEEDS_nothing, of_self},
    {"  unresolved", DOZE_UNIT_count, DOZE_NEEDS_nothing, of_unresolved},
    {"futile ratio", DOZE_UNIT_ratio, DOZE_NEEDS_nothing, futile_ratio},
    {"amplification", DOZE_UNIT_ratio, DOZE_NEEDS_nothing, amplification},
    {"herd excess", DOZE_UNIT_count, DOZE_NEEDS_nothing, herd},
    {"chain wakes", DOZE_UNIT_count, DOZE_NEEDS_nothing, of_chained},
    {"  futile in chains", DOZE_UNIT_count, DOZE_NEEDS_nothing, of_chained_futile},
    {"wakee bias", DOZE_UNIT_ratio, DOZE_NEEDS_nothing, bias},
    {"storms", DOZE_UNIT_count, DOZE_NEEDS_nothing, doze_sum_storms},
    {"futile search, all", DOZE_UNIT_ns, DOZE_NEEDS_nothing, of_vain},
    {"futile search, storms", DOZE_UNIT_ns, DOZE_NEEDS_nothing, of_burnt},
    {"near misses", DOZE_UNIT_count, DOZE_NEEDS_nothing, of_near_misses},
    {"under-wakes", DOZE_UNIT_count, DOZE_NEEDS_jobs, of_under_wakes},
    {"  under-wake time", DOZE_UNIT_ns, DOZE_NEEDS_jobs, of_under_time},
    {"JEC toggles", DOZE_UNIT_count, DOZE_NEEDS_jec, of_toggles},
    {"share active", DOZE_UNIT_ratio, DOZE_NEEDS_nothing, active},
    {"share searching", DOZE_UNIT_ratio, DOZE_NEEDS_nothing, searching},
    {"share asleep", DOZE_UNIT_ratio, DOZE_NEEDS_nothing, asleep},
    {"burn", DOZE_UNIT_ratio, DOZE_NEEDS_nothing, burn},
    {"publish->job, mean", DOZE_UNIT_ns, DOZE_NEEDS_nothing, publish_job},
    {"  publish->notify, mean", DOZE_UNIT_ns, DOZE_NEEDS_nothing, publish_notify},
    {"  notify->awake, mean", DOZE_UNIT_ns, DOZE_NEEDS_nothing, notify_awake},
    {"  awake->found, mean", DOZE_UNIT_ns, DOZE_NEEDS_nothing, awake_found},
    {"  found->job, mean", DOZE_UNIT_ns, DOZE_NEEDS_nothing, found_job},
    {"all: notify->awake, mean", DOZE_UNIT_ns, DOZE_NEEDS_nothing, all_awake},
    {"critical path", DOZE_UNIT_ns, DOZE_NEEDS_jobs, path},
    {"  work on it", DOZE_UNIT_ratio, DOZE_NEEDS_jobs, path_work},
    {0},
};
