/*
 * SPDX-License-Identifier: MIT
 *
 * hang.c - detects hangs and standstills.
 *
 * In a hang, no worker runs or searches, no wake is in progress, and something is unserved: a job
 * waits, a worker still sleeps although its latch was set (a latch of kind terminate stands for the
 * pool's termination), or a worker stays blocked.
 */
#include <inttypes.h>
#include <stdio.h>

#include "../words/units.h"
#include "diagnose_int.h"

/* ns; after a shorter pause, the trace may simply have ended in the middle of a healthy run */
#define HANG_MIN    50000000
#define MILLISECOND 1000000

void diag_latch_event(struct diagnosis *d, struct diag_pool *p, const struct doze_event *e)
{
	const struct doze_worker_view *owner = doze_pool_worker(p->v, e->u.latch.owner);
	struct unserved *u = owner ? diag_latch_at(d, owner->key.row) : 0;

	if (u && e->u.latch.from == DOZE_LATCH_sleeping && e->u.latch.to == DOZE_LATCH_set)
		*u = (struct unserved){.ts = e->ts,
				       .id = e->u.latch.id,
				       .kind = e->u.latch.kind,
				       .by = e->worker,
				       .by_vtid = e->vtid};
}

void diag_served(struct diagnosis *d, const struct doze_worker_view *w)
{
	struct unserved *u = diag_latch_at(d, w->key.row);

	if (u)
		u->ts = 0;
}

void diag_blocked(struct diagnosis *d, const struct doze_worker_view *w, int64_t ts)
{
	if (diag_latch_at(d, w->key.row))
		d->worker[w->key.row].blocked_since = ts;
}

/* Among the latches that were set while their owners slept, returns the one that was set first and
 * whose owner is still asleep. */
static const struct unserved *unserved_latch(struct diagnosis *d, const struct diag_pool *p,
					     int32_t *owner)
{
	const struct unserved *first = 0;

	for (int32_t i = 0; i < (int32_t)p->v->index_end; i++) {
		const struct doze_worker_view *w = doze_pool_worker(p->v, i);
		const struct unserved *u = w ? diag_latch_at(d, w->key.row) : 0;

		if (!u || !u->ts || w->state != DOZE_STATE_sleeping ||
		    (first && first->ts <= u->ts))
			continue;
		first = u;
		*owner = i;
	}
	return first;
}

/* Stores in the instance the worker that has been blocked longest, and since when. */
static void name_blocked(const struct diagnosis *d, const struct diag_pool *p, struct instance *i)
{
	int64_t since;

	i->worker = -1;
	for (int32_t k = 0; k < (int32_t)p->v->index_end; k++) {
		const struct doze_worker_view *w = doze_pool_worker(p->v, k);

		if (!w || w->state != DOZE_STATE_blocked || w->key.row >= d->workers)
			continue;
		since = d->worker[w->key.row].blocked_since;
		if (i->worker >= 0 && since >= i->post.ts)
			continue;
		i->worker = k;
		i->post.ts = since;
	}
}

static bool rests(const struct doze_pool_view *v)
{
	const uint32_t *in = v->in_state;

	return in[DOZE_STATE_sleeping] + in[DOZE_STATE_blocked] > 0 && !in[DOZE_STATE_active] &&
	       !in[DOZE_STATE_idle] && !in[DOZE_STATE_sleepy] && !v->notified;
}

/* Returns whether, judged at ts, something is unserved (see the file's header) and no worker has
 * been able to serve it for at least HANG_MIN. If so, fills in the instance. */
static bool find_hang(struct diagnosis *d, const struct diag_pool *p, int64_t ts,
		      struct instance *i)
{
	const struct unserved *u = unserved_latch(d, p, &i->worker);
	bool blocked = p->v->in_state[DOZE_STATE_blocked] > 0;
	bool job = diag_queued(p) > 0;
	int64_t since = p->rest_since ? p->rest_since : ts;

	if (u && u->ts > since)
		since = u->ts;
	else if (!u && job && p->queued.first.known && p->queued.first.ts > since)
		since = p->queued.first.ts;
	if (p->v->stopped || !rests(p->v) || ts - since < HANG_MIN || (!u && !job && !blocked))
		return false;
	i->at = since;
	i->cost = (double)diag_workers(p->v) * (double)(ts - since);
	i->n = diag_workers(p->v);
	i->post = p->queued.first;
	i->m = u     ? (u->kind == DOZE_LATCH_KIND_terminate ? DIAG_HANG_end : DIAG_HANG_latch)
	       : job ? DIAG_HANG_job
		     : DIAG_HANG_blocked;
	if (u) {
		i->post.poster = u->by;
		i->post.poster_vtid = u->by_vtid;
		i->post.ts = u->ts;
		i->post.decision_id = u->id;
	}
	if (i->m == DIAG_HANG_blocked)
		name_blocked(d, p, i);
	return true;
}

/* Describes what the pool waits for, in a few words. A blocked worker waits for something outside
 * the pool, which the trace does not record. */
static void say_why(const struct doze_model *m, const struct diag_pool *p, const struct instance *i,
		    struct doze_hang *out)
{
	char latch[DOZE_LATCH_NAME];

	switch (i->m) {
	case DIAG_HANG_latch:
		snprintf(out->why, sizeof out->why,
			 "w%" PRId32 " is asleep on latch %s, which is set, and no thread woke it",
			 i->worker, doze_model_latch_name(m, p->v, i->post.decision_id, latch));
		break;
	case DIAG_HANG_end:
		snprintf(out->why, sizeof out->why,
			 "the pool is terminating, but no thread woke w%" PRId32, i->worker);
		break;
	case DIAG_HANG_blocked:
		snprintf(out->why, sizeof out->why,
			 "w%" PRId32 " has been blocked since %s, cause not recorded", i->worker,
			 doze_position(i->post.ts - doze_model_totals(m)->first_ts, MILLISECOND));
		break;
	default:
		snprintf(out->why, sizeof out->why, "a job is waiting, but %s woken",
			 i->n == 1 ? "the worker was not" : "no worker was");
	}
}

bool doze_hang_now(const struct doze_model *m, int64_t now, struct doze_hang *out)
{
	struct diagnosis *d = diagnosis_for(m);

	for (size_t k = 0; d && k < d->pools; k++) {
		struct instance i = {.worker = -1};

		if (!d->pool[k] || !d->pool[k]->begun || !find_hang(d, d->pool[k], now, &i))
			continue;
		out->since = i.at;
		say_why(m, d->pool[k], &i, out);
		return true;
	}
	return false;
}

void diag_hang(struct diagnosis *d, struct diag_pool *p, int64_t ts)
{
	struct instance i = {.end = ts, .worker = -1, .vtid = -1};

	if (!find_hang(d, p, ts, &i))
		return;
	p->gap.open = p->asleep.open = false; /* count this time only once, as a hang */
	diag_cost(&p->costs, DOZE_TROUBLE_hang, i.at, ts, i.cost);
	diag_instance(p, DOZE_TROUBLE_hang, &i);
}

/*
 * ---- Standstills ----
 *
 * Until the trace ends, every job that runs is off the CPU, no worker searches, and nothing begins
 * or ends. The jobs then wait for each other: for a lock whose holder waits, or for a job that is
 * queued behind them.
 *
 * Between two snapshots the CPU time and the number of jobs of a worker show whether it did
 * anything, so a standstill is detected at every level of detail.
 */

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
