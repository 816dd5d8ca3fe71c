/*
 * SPDX-License-Identifier: MIT
 *
 * sample.c - see sample.h.
 */
#include "sample.h"

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

struct doze_sample doze_sample_now(const struct doze_model *m, int64_t ts)
{
	const struct doze_totals *t = doze_model_totals(m);
	const struct doze_measures *x = doze_model_measures(m);
	struct doze_sample s;

	s.sum[DOZE_SUM_time] = (double)(ts - t->first_ts);
	s.sum[DOZE_SUM_wakes] = (double)t->wakes;
	s.sum[DOZE_SUM_woken] = (double)t->woken;
	s.sum[DOZE_SUM_useful] = (double)t->verdicts[DOZE_VERDICT_useful];
	s.sum[DOZE_SUM_futile] = (double)t->verdicts[DOZE_VERDICT_futile];
	s.sum[DOZE_SUM_latch] = (double)t->verdicts[DOZE_VERDICT_latch];
	s.sum[DOZE_SUM_terminate] = (double)t->verdicts[DOZE_VERDICT_terminate];
	s.sum[DOZE_SUM_redundant] = (double)t->verdicts[DOZE_VERDICT_redundant];
	s.sum[DOZE_SUM_jobs] =
	    (double)(t->jobs_published > t->jobs_run ? t->jobs_published : t->jobs_run);
	s.sum[DOZE_SUM_storms] = (double)t->storms;
	s.sum[DOZE_SUM_burnt] = (double)x->storm.burnt;
	sample_time(&s, m, ts);
	s.sum[DOZE_SUM_near_misses] = aborts(t);
	s.sum[DOZE_SUM_under_wakes] = (double)x->underwake.spans;
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
	return whole > 0 ? part / whole : 0;
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
SUM(redundant)
SUM(jobs)
SUM(storms)
SUM(burnt)
SUM(near_misses)
SUM(under_wakes)
SUM(toggles)

static double futile_ratio(const struct doze_sample *s)
{
	const double *v = s->sum;

	return ratio(v[DOZE_SUM_futile], v[DOZE_SUM_futile] + v[DOZE_SUM_useful] +
					     v[DOZE_SUM_latch] + v[DOZE_SUM_terminate] +
					     v[DOZE_SUM_redundant]);
}

static double amplification(const struct doze_sample *s)
{
	return ratio(s->sum[DOZE_SUM_wakes], s->sum[DOZE_SUM_jobs]);
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

const struct doze_metric doze_metrics[] = {
    {"duration", DOZE_UNIT_ns, true, of_time},
    {"jobs", DOZE_UNIT_count, true, of_jobs},
    {"wakes", DOZE_UNIT_count, true, of_wakes},
    {"woken", DOZE_UNIT_count, false, of_woken},
    {"  useful", DOZE_UNIT_count, false, of_useful},
    {"  futile", DOZE_UNIT_count, false, of_futile},
    {"  latch", DOZE_UNIT_count, false, of_latch},
    {"  redundant", DOZE_UNIT_count, false, of_redundant},
    {"futile ratio", DOZE_UNIT_ratio, true, futile_ratio},
    {"amplification", DOZE_UNIT_ratio, false, amplification},
    {"herd excess", DOZE_UNIT_count, false, herd},
    {"storms", DOZE_UNIT_count, true, of_storms},
    {"futile search (wall)", DOZE_UNIT_ns, false, of_burnt},
    {"near misses", DOZE_UNIT_count, false, of_near_misses},
    {"under-wakes", DOZE_UNIT_count, false, of_under_wakes},
    {"JEC toggles", DOZE_UNIT_count, false, of_toggles},
    {"share active", DOZE_UNIT_ratio, true, active},
    {"share searching", DOZE_UNIT_ratio, true, searching},
    {"share asleep", DOZE_UNIT_ratio, false, asleep},
    {"burn", DOZE_UNIT_ratio, false, burn},
    {0},
};
