/*
 * SPDX-License-Identifier: MIT
 *
 * verdict.c - gives wakes their verdicts, and measures their latencies.
 *
 * A useful wake gets its verdict when its target finds a job, but it is measured and passed to the
 * listener only when that job starts, because the target may first wake other workers, which takes
 * time. If the start is not recorded (below level `all`), the wake waits until its target reports
 * something else, and the job counts as started when it was found.
 */
#include "model_fn.h"

static void add_latency(struct doze_hist *h, int64_t from, int64_t to)
{
	if (from && to)
		doze_hist_add(h, to - from);
}

static bool is_for_a_post(const struct doze_wake *k)
{
	return k->cause == DOZE_CAUSE_push || k->cause == DOZE_CAUSE_inject;
}

static void measure(struct doze_measures *s, const struct doze_wake *k)
{
	add_latency(&s->notify_awake, k->notified, k->awake);
	if (k->verdict == DOZE_VERDICT_useful && k->published && k->awake) {
		add_latency(&s->publish_notify, k->published, k->notified);
		add_latency(&s->useful_awake, k->notified, k->awake);
		add_latency(&s->awake_found, k->awake, k->found);
		add_latency(&s->found_job, k->found, k->first_job);
		add_latency(&s->publish_job, k->published, k->first_job);
	} else if (k->verdict == DOZE_VERDICT_useful && is_for_a_post(k)) {
		s->unmeasured++;
	} else if (k->verdict == DOZE_VERDICT_futile) {
		add_latency(&s->futile_search, k->awake ? k->awake : k->notified, k->ended);
	}
}

static void deliver(struct doze_model *m, const struct doze_wake *k)
{
	if (wake_in_scope(m, k))
		measure(&m->measures, k);
	if (m->on.on_verdict)
		m->on.on_verdict(m->ctx, k);
}

static void count(struct doze_model *m, struct pool *p, const struct doze_wake *k,
		  struct worker *by)
{
	struct doze_measures *s = &m->measures;

	if (by && k->verdict == DOZE_VERDICT_futile && in_range(m, k->notified))
		by->v.futile_sent++;
	else if (k->waker < 0 && k->verdict == DOZE_VERDICT_futile)
		model_outside_futile(m, p, k);
	if (!wake_in_scope(m, k))
		return;
	m->totals.verdicts[k->verdict]++;
	if (k->verdict == DOZE_VERDICT_futile)
		model_site_futile(m, p, k);
	if ((unsigned)k->cause < DOZE_CAUSE_COUNT)
		s->verdicts[k->cause][k->verdict]++;
	if (k->cause == DOZE_CAUSE_work_found)
		s->chain.futile += k->verdict == DOZE_VERDICT_futile;
}

/* Gives the open wake of w its verdict, without measuring it. */
static void judge(struct doze_model *m, struct worker *w, enum doze_verdict v, int64_t ts)
{
	struct doze_wake *k = &w->wake.line;

	if (w->wake.lost && v != DOZE_VERDICT_self)
		v = DOZE_VERDICT_unresolved;
	if (w->v.wake_phase == DOZE_WAKE_notified || w->v.wake_phase == DOZE_WAKE_early)
		w->pool->v.notified--;
	w->v.wake_phase = DOZE_WAKE_none;
	w->wake.woken_due = w->wake.held = false;
	k->verdict = v;
	k->ended = ts;
	count(m, w->pool, k, w->wake.by);
	model_decision_verdict(m, w->pool, k,
			       v != DOZE_VERDICT_redundant && v != DOZE_VERDICT_self);
}

void model_verdict(struct doze_model *m, struct worker *w, enum doze_verdict v, int64_t ts)
{
	judge(m, w, v, ts);
	deliver(m, &w->wake.line);
}

/* Returns whether the trace is likely to contain the start of the job that a worker has just found.
 * Level `jobs` includes the starts of jobs that were stolen or injected. */
static bool start_is_recorded(const struct pool *p, enum doze_reason found_by)
{
	return p->v.jobs_level || p->v.in_state[DOZE_STATE_sleeping] > 0 ||
	       (p->v.level == DOZE_LEVEL_jobs && found_by != DOZE_REASON_found_local);
}

void model_verdict_found(struct doze_model *m, struct worker *w, enum doze_reason why, int64_t ts)
{
	w->wake.line.found = w->wake.line.first_job = ts;
	judge(m, w, DOZE_VERDICT_useful, ts);
	w->wake.start_due = start_is_recorded(w->pool, why);
	w->wake.found_by = why;
	if (!w->wake.start_due)
		deliver(m, &w->wake.line);
}

static bool is_from(enum doze_source source, enum doze_reason found_by)
{
	switch (found_by) {
	case DOZE_REASON_found_local:
		return source == DOZE_SOURCE_local;
	case DOZE_REASON_found_stolen:
		return source == DOZE_SOURCE_stolen;
	case DOZE_REASON_found_injected:
		return source == DOZE_SOURCE_injected;
	case DOZE_REASON_found_broadcast:
		return source == DOZE_SOURCE_broadcast;
	default:
		return false;
	}
}

void model_verdict_start(struct doze_model *m, struct worker *w, const struct doze_event *e)
{
	bool first = e->kind == DOZE_EV_job_start || !e->u.job.skipped;

	if (w->wake.held)
		model_verdict(m, w, DOZE_VERDICT_latch, e->ts);
	if (!w->wake.start_due)
		return;
	if (first && is_from(e->u.job.source, w->wake.found_by))
		w->wake.line.first_job = e->ts;
	model_verdict_settle(m, w);
}

void model_verdict_settle(struct doze_model *m, struct worker *w)
{
	if (w->wake.start_due)
		deliver(m, &w->wake.line);
	w->wake.start_due = false;
}

void model_ledger_close(struct doze_model *m, struct pool *p, struct doze_wake *k,
			enum doze_verdict v)
{
	k->verdict = v;
	count(m, p, k, 0);
	if (k->decision_id)
		model_decision_verdict(m, p, k, false);
	deliver(m, k);
}
