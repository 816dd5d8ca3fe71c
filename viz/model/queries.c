/*
 * SPDX-License-Identifier: MIT
 *
 * queries.c - answers questions about a model's current state and measures.
 */
#include "model_fn.h"

const char *doze_verdict_name(enum doze_verdict v)
{
	static const char *const names[] = {"open",      "unresolved", "redundant", "self",
					    "terminate", "latch",      "useful",    "futile",
					    "went_on",   "nobody"};

	return (unsigned)v < DOZE_VERDICT_COUNT ? names[v] : "?";
}

bool doze_pool_has_jec(const struct doze_pool_view *p)
{
	const struct doze_policy_descriptor *d = doze_policy_descriptor(p->policy);

	return d->word == DOZE_WORD_RULE_JEC ||
	       (d == &doze_policy_unknown && p->layout.kind == DOZE_WORD_counters &&
		p->layout.bits_jec);
}

size_t doze_model_pools(const struct doze_model *m)
{
	return m->entities.pool_count;
}

const struct doze_pool_view *doze_model_pool(const struct doze_model *m, size_t i)
{
	return i < m->entities.pool_count ? &m->entities.pools[i]->v : 0;
}

size_t doze_model_workers(const struct doze_model *m)
{
	return m->entities.row_count;
}

const struct doze_worker_view *doze_model_worker(const struct doze_model *m, size_t row)
{
	return row < m->entities.row_count ? &m->entities.rows[row]->v : 0;
}

const struct doze_totals *doze_model_totals(const struct doze_model *m)
{
	return &m->totals;
}

const struct doze_model_options *doze_model_limits(const struct doze_model *m)
{
	return &m->opt;
}

const struct doze_measures *doze_model_measures(const struct doze_model *m)
{
	return &m->measures;
}

double doze_model_futile_ratio(const struct doze_model *m)
{
	const uint64_t *v = m->totals.verdicts;
	uint64_t resolved = v[DOZE_VERDICT_redundant] + v[DOZE_VERDICT_terminate] +
			    v[DOZE_VERDICT_latch] + v[DOZE_VERDICT_useful] +
			    v[DOZE_VERDICT_futile] + v[DOZE_VERDICT_went_on];

	return resolved ? (double)v[DOZE_VERDICT_futile] / (double)resolved : 0;
}

double doze_model_amplification(const struct doze_model *m)
{
	const struct doze_totals *t = &m->totals;
	uint64_t jobs = t->jobs_published > t->jobs_run ? t->jobs_published : t->jobs_run;

	return jobs ? (double)t->wakes / (double)jobs : 0;
}

uint64_t doze_model_herd_excess(const struct doze_model *m)
{
	const uint64_t *v = m->totals.verdicts;

	return m->totals.woken - v[DOZE_VERDICT_self] > v[DOZE_VERDICT_useful]
		   ? m->totals.woken - v[DOZE_VERDICT_self] - v[DOZE_VERDICT_useful]
		   : 0;
}

int64_t doze_model_time_in(const struct doze_model *m, enum doze_state s)
{
	int64_t ns = 0;

	for (size_t i = 0; (unsigned)s < DOZE_STATE_COUNT && i < m->entities.row_count; i++)
		if (in_choice(m, m->entities.rows[i]->v.key.index))
			ns = doze_ns_add(ns, m->entities.rows[i]->v.total[s]);
	return ns;
}

int64_t doze_model_time_until(const struct doze_model *m, enum doze_state s, int64_t ts)
{
	int64_t ns = doze_model_time_in(m, s);

	for (size_t i = 0; i < m->entities.row_count; i++) {
		const struct worker *w = m->entities.rows[i];

		if (known_state(w, s) && !w->v.unknown && ts > w->v.since &&
		    in_choice(m, w->v.key.index))
			ns = doze_ns_add(ns, in_range_ns(m, w->v.since, ts));
	}
	return ns;
}
