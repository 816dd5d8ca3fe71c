/*
 * SPDX-License-Identifier: MIT
 *
 * standstill.c - detects a standstill: until the trace ends, every job that runs is off the CPU, no
 * worker searches, and nothing begins or ends. The jobs then wait for each other: for a lock whose
 * holder waits, or for a job that is queued behind them.
 *
 * Between two snapshots the CPU time and the number of jobs of a worker show whether it did
 * anything, so a standstill is detected at every level of detail.
 */
#include "diagnose_int.h"

/* Minimum length, ns: the time between two snapshots. */
#define STANDSTILL_MIN 500000000

void diag_running(struct diagnosis *d, const struct doze_worker_view *w, const struct doze_event *e)
{
	struct diag_worker *notes = diag_notes_at(d, w->key.row);
	struct running *r = notes ? &notes->running : 0;

	if (!r)
		return;
	if (e->kind == DOZE_EV_job_start || e->kind == DOZE_EV_job_taken) {
		r->id = e->u.job.id;
		r->ts = e->ts;
		r->depth += e->kind == DOZE_EV_job_start;
	} else if (e->kind == DOZE_EV_job_end) {
		r->depth -= r->depth > 0;
	}
}

static bool is_running(const struct doze_worker_view *w)
{
	return w && w->state == DOZE_STATE_active;
}

/* Returns since when all running jobs have been off the CPU, or 0 if one of them has not. */
static int64_t off_since(struct diagnosis *d, const struct diag_pool *p)
{
	int64_t since = 0;

	for (int32_t i = 0; i < (int32_t)p->v->index_end; i++) {
		const struct doze_worker_view *w = doze_pool_worker(p->v, i);
		const struct off_cpu *o = is_running(w) ? diag_off_at(d, w->key.row) : 0;

		if (!is_running(w))
			continue;
		if (!o || !o->nap_since)
			return 0;
		since = o->nap_since > since ? o->nap_since : since;
	}
	return since;
}

void diag_standstill(struct diagnosis *d, struct diag_pool *p, int64_t ts)
{
	const uint32_t *in = p->v->in_state;
	struct instance i = {.end = ts, .worker = -1, .vtid = -1};
	int64_t since;

	if (p->v->stopped || p->ended || !in[DOZE_STATE_active] || in[DOZE_STATE_idle] ||
	    in[DOZE_STATE_sleepy] || p->v->notified)
		return;
	since = off_since(d, p);
	if (!since)
		return;
	since = p->v->last_ts > since ? p->v->last_ts : since;
	if (ts - since < STANDSTILL_MIN)
		return;
	i.at = since;
	i.n = in[DOZE_STATE_active];
	i.m = p->v->jobs_level && p->v->jobs_waiting > 0 ? (uint32_t)p->v->jobs_waiting : 0;
	i.post = p->queued.first;
	i.cost = diag_cost_in(&p->costs, COST_usable, since, ts);
	p->lone.open = p->gap.open = p->asleep.open = false; /* count this time only once */
	diag_cost_remove(&p->costs, DOZE_TROUBLE_offcpu, since, ts);
	diag_cost(&p->costs, DOZE_TROUBLE_standstill, since, ts, i.cost);
	diag_instance(p, DOZE_TROUBLE_standstill, &i);
}
