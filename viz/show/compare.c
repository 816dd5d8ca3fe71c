/*
 * SPDX-License-Identifier: MIT
 *
 * compare.c - extracts the measures of each recording, and averages them over the recordings of
 * each side.
 */
#include "compare.h"

#include <math.h>
#include <string.h>

#include "inconclusive.h"

enum { HISTS = 7, SHARES = 2 };

static const struct {
	const char *name;
	enum doze_unit unit;
} of_runs[DOZE_COMPARE_WHOLE] = {
    {"publish->job, p50", DOZE_UNIT_ns},       {"publish->job, p99", DOZE_UNIT_ns},
    {"  publish->notify, p50", DOZE_UNIT_ns},  {"  publish->notify, p99", DOZE_UNIT_ns},
    {"  notify->awake, p50", DOZE_UNIT_ns},    {"  notify->awake, p99", DOZE_UNIT_ns},
    {"  awake->found, p50", DOZE_UNIT_ns},     {"  awake->found, p99", DOZE_UNIT_ns},
    {"  found->job, p50", DOZE_UNIT_ns},       {"  found->job, p99", DOZE_UNIT_ns},
    {"all: notify->awake, p50", DOZE_UNIT_ns}, {"all: notify->awake, p99", DOZE_UNIT_ns},
    {"futile search, p50", DOZE_UNIT_ns},      {"futile search, p99", DOZE_UNIT_ns},
    {"chain, longest", DOZE_UNIT_count},
};

static void take_whole(struct doze_run *r, const struct doze_measures *s)
{
	const struct doze_hist *hists[HISTS] = {
	    &s->publish_job, &s->publish_notify, &s->useful_awake, &s->awake_found,
	    &s->found_job,   &s->notify_awake,   &s->futile_search};
	static const double shares[SHARES] = {0.5, 0.99};

	for (size_t i = 0; i < (size_t)HISTS * SHARES; i++) {
		const struct doze_hist *h = hists[i / SHARES];

		r->whole[i] = h->n ? (double)doze_hist_percentile(h, shares[i % SHARES]) : NAN;
	}
	r->whole[(size_t)HISTS * SHARES] = s->chain.longest;
}

static void take_pools(struct doze_run *r, const struct doze_model *m)
{
	uint32_t waiting = 0;

	snprintf(r->policy, sizeof r->policy, "?");
	for (size_t i = 0; i < doze_model_pools(m); i++) {
		const struct doze_pool_view *p = doze_model_pool(m, i);
		bool other = i && strcmp(r->policy, p->policy) != 0;

		snprintf(r->policy, sizeof r->policy, "%s", other ? "several" : p->policy);
		r->jec |= doze_pool_has_jec(p);
		r->workers += p->workers;
		waiting += p->waits.waits ? p->workers : 0;
		r->pools++;
	}
	/* A crew that never waits, such as the main thread, takes no part in the comparison. */
	if (waiting)
		r->workers = waiting;
}

void doze_run_take(struct doze_run *r, const struct doze_model *m, const struct doze_phases *p)
{
	take_pools(r, m);
	take_whole(r, doze_model_measures(m));
	r->is_foreign = doze_model_is_foreign(m);
	doze_foreign_take(m, &r->foreign);
	snprintf(r->inconclusive, sizeof r->inconclusive, "%s",
		 doze_inconclusive(m) ? doze_inconclusive(m) : "");
	r->jobs_level = doze_model_totals(m)->jobs_level;
	r->level = doze_model_level(m);
	r->all = p->end;
	for (size_t i = 0; i < DOZE_COMPARE_PARTS; i++)
		r->part[i] = doze_phase_part(p, i, DOZE_COMPARE_PARTS);
	r->marks = p->marks;
	for (size_t i = 0; i <= p->marks; i++)
		r->phase[i] = doze_phase(p, i);
	for (size_t i = 0; i < p->marks; i++)
		memcpy(r->mark[i], p->mark[i].text, sizeof r->mark[i]);
}

/* ---- measures ---- */

static size_t metrics(void)
{
	size_t n = 0;

	while (doze_metrics[n].name)
		n++;
	return n;
}

bool doze_compare_line(size_t i, enum doze_compare_where where, size_t index,
		       struct doze_compare_line *l)
{
	const struct doze_metric *k = doze_metrics;
	size_t n = metrics();

	if (i < n) {
		*l = (struct doze_compare_line){k[i].name, k[i].unit, where, index, &k[i]};
		return true;
	}
	i -= n;
	if (where != DOZE_COMPARE_ALL || i >= DOZE_COMPARE_WHOLE)
		return false;
	*l = (struct doze_compare_line){of_runs[i].name, of_runs[i].unit, DOZE_COMPARE_RUN, i, 0};
	return true;
}

static bool is_measured(const struct doze_run *r, enum doze_needs needs)
{
	return needs == DOZE_NEEDS_nothing || (needs == DOZE_NEEDS_jobs ? r->jobs_level : r->jec);
}

static double value(const struct doze_run *r, const struct doze_compare_line *l)
{
	/* Without a thread that waits again, nothing is known of wakes in vain. */
	if (r->is_foreign && !r->foreign.known && l->metric &&
	    (l->metric->of == doze_sum_futile || l->metric->of == doze_sum_storms))
		return NAN;
	if (l->where == DOZE_COMPARE_RUN)
		return r->whole[l->index];
	if (!l->metric || !is_measured(r, l->metric->needs))
		return NAN;
	return l->metric->of(l->where == DOZE_COMPARE_PHASE  ? &r->phase[l->index]
			     : l->where == DOZE_COMPARE_PART ? &r->part[l->index]
							     : &r->all);
}

struct doze_mean doze_compare_mean(const struct doze_side *s, const struct doze_compare_line *l)
{
	double v[DOZE_COMPARE_MAX];

	for (size_t i = 0; i < s->runs; i++)
		v[i] = value(&s->run[i], l);
	return doze_mean_of(v, s->runs);
}

/* ---- checking whether the sides are comparable ---- */

/* Returns run i; the runs of a come first. */
static const struct doze_run *run_of(const struct doze_side *a, const struct doze_side *b, size_t i)
{
	return i < a->runs ? &a->run[i] : &b->run[i - a->runs];
}

bool doze_compare_same_marks(const struct doze_side *a, const struct doze_side *b)
{
	const struct doze_run *first = &a->run[0];

	for (size_t i = 0; i < a->runs + b->runs; i++) {
		const struct doze_run *r = run_of(a, b, i);

		if (r->marks != first->marks)
			return false;
		for (size_t k = 0; k < r->marks; k++)
			if (strcmp(r->mark[k], first->mark[k]) != 0)
				return false;
	}
	return first->marks > 0;
}

/* Each of the following functions returns whether two runs differ, and describes the difference. */
static bool other_level(const struct doze_run *x, const struct doze_run *y, char *text, size_t size)
{
	snprintf(text, size,
		 "the levels of detail differ (%s, %s): under-wakes and latencies from "
		 "publish are not comparable",
		 x->level, y->level);
	return x->jobs_level != y->jobs_level || strcmp(x->level, y->level) != 0;
}

static bool other_workers(const struct doze_run *x, const struct doze_run *y, char *text,
			  size_t size)
{
	snprintf(text, size, "the numbers of %s differ (%u and %u), which affects wakes and times",
		 x->is_foreign ? "threads" : "workers", x->workers, y->workers);
	return x->workers != y->workers;
}

static bool other_pools(const struct doze_run *x, const struct doze_run *y, char *text, size_t size)
{
	snprintf(text, size, "numbers of %s differ (%u, %u)", x->is_foreign ? "crews" : "pools",
		 x->pools, y->pools);
	return x->pools != y->pools;
}

const char *doze_compare_note(const struct doze_side *a, const struct doze_side *b, size_t i)
{
	static char text[160];
	static bool (*const notes[])(const struct doze_run *, const struct doze_run *, char *,
				     size_t) = {other_level, other_workers, other_pools};

	for (size_t k = 0; k < sizeof notes / sizeof *notes; k++) {
		size_t r = 1;

		while (r < a->runs + b->runs &&
		       !notes[k](&a->run[0], run_of(a, b, r), text, sizeof text))
			r++;
		if (r < a->runs + b->runs && !i--)
			return text;
	}
	return NULL;
}
