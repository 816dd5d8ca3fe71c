/*
 * SPDX-License-Identifier: MIT
 *
 * diag_observer.c - observes the model: finds the pool of each event and passes the event to the
 * functions in the other files.
 */
#include <stdlib.h>
#include <string.h>

#include "../model/observer.h"
#include "../model/saved.h"
#include "../words/rule_text.h"
#include "diagnose_int.h"

static struct diag_pool *pool_of(struct diagnosis *d, const struct doze_pool_view *v)
{
	struct diag_pool *p = diag_pool_at(d, v->row);

	if (!p) {
		d->failed = true;
		return 0;
	}
	p->v = v;
	return p;
}

/* Adds the pool to the list of running pools, which share the CPUs. */
static void go_live(struct diagnosis *d, struct diag_pool *p)
{
	p->ended = false;
	p->next_live = d->live;
	d->live = p;
}

static void end_pool(struct diagnosis *d, struct diag_pool *p)
{
	struct diag_pool **at = &d->live;

	p->ended = true;
	while (*at && *at != p)
		at = &(*at)->next_live;
	if (*at)
		*at = p->next_live;
}

static void begin(struct diagnosis *d, struct diag_pool *p, int64_t ts)
{
	p->begun = true;
	go_live(d, p);
	p->start = p->last = ts;
	p->costs.base = ts;
	p->costs.width = SLOT_NS;
	diag_periods_begin(&p->periods, ts);
}

/* Computes how much worker time was spent by active workers in excess of `cpus`. */
static double beyond(const struct diag_pool *p, int64_t cpus)
{
	struct diag_part all = diag_part(p, p->start, p->last);
	double ns = 0;

	for (int64_t k = cpus + 1; k < PROFILE; k++)
		ns += (double)(k - cpus) * (double)all.profile[k];
	return ns;
}

/* Reduces the cost of `crowded` so far: an event from a CPU not seen before shows that the machine
 * has at least `cpus` CPUs. */
static void one_more_cpu(struct diag_pool *p, uint32_t cpus)
{
	double before = beyond(p, (int64_t)cpus - 1);
	double part = before > 0 ? beyond(p, cpus) / before : 0;

	for (int i = 0; i < SLOTS; i++)
		p->costs.slot[i][DOZE_TROUBLE_crowded] *= part;
	p->crowd.cost *= part;
	if (part <= 0)
		diag_forget_instances(p, DOZE_TROUBLE_crowded);
}

static void see_cpu(struct diagnosis *d, int32_t cpu)
{
	uint64_t bit = UINT64_C(1) << (cpu & 63);

	if (cpu < 0 || cpu >= DIAG_CPUS || (d->cpu_seen[cpu / 64] & bit))
		return;
	d->cpu_seen[cpu / 64] |= bit;
	d->cpus++;
	for (size_t i = 0; i < d->pools && !d->cpus_told && !d->cpus_online; i++)
		if (d->pool[i])
			one_more_cpu(d->pool[i], d->cpus);
}

/* If a post, a wake or an unblocked worker ends a gap (a time without an active worker), attributes
 * the gap to the outside thread that caused the event. */
static void see_outsider(struct diag_pool *p, const struct doze_event *e)
{
	bool from_outside = e->kind == DOZE_EV_unblocked ||
			    (e->worker < 0 && (e->kind == DOZE_EV_post || e->kind == DOZE_EV_wake));

	if (p->gap.open && p->gap.vtid < 0 && from_outside)
		p->gap.vtid = e->vtid;
	/* A searching worker may take a job before its poster has reported the post. */
	if (!p->gap.open && from_outside && e->kind == DOZE_EV_post)
		diag_gap_named(p, e->vtid);
}

static void on_event(void *ctx, const struct doze_pool_view *v, const struct doze_worker_view *w,
		     const struct doze_event *e)
{
	struct diagnosis *d = ctx;
	struct diag_pool *p = pool_of(d, v);

	d->event = e;
	if (!p)
		return;
	see_cpu(d, e->cpu);
	if (!p->begun)
		begin(d, p, e->ts);
	diag_spend(d, p, e->ts);
	diag_allowed_event(d, p, w, e);
	see_outsider(p, e);
	diag_queued_event(p, e);
	if (e->kind == DOZE_EV_latch)
		diag_latch_event(d, p, e);
	else if (e->kind == DOZE_EV_wake)
		diag_wake(d, p, e);
	else if (e->kind == DOZE_EV_woken && w)
		diag_woken(d, p, w, e);
	if (!w)
		return;
	diag_running(d, w, e);
	if (e->kind == DOZE_EV_woken || e->kind == DOZE_EV_worker_stop)
		diag_off_event(d, p, w, e);
}

static void on_snapshot(void *ctx, const struct doze_pool_view *v, const struct doze_worker_view *w,
			const struct doze_event *e)
{
	struct diagnosis *d = ctx;
	struct diag_pool *p = pool_of(d, v);

	if (!p || !p->begun || p->ended || !w)
		return;
	diag_spend(d, p, e->ts); /* the groups of active workers may change */
	diag_off_event(d, p, w, e);
	diag_allowed_event(d, p, w, e);
}

static void on_folded(void *ctx, const struct doze_pool_view *v, const struct doze_worker_view *w,
		      const struct doze_event *e)
{
	struct diagnosis *d = ctx;
	struct diag_pool *p = pool_of(d, v);

	(void)w;
	if (!p)
		return;
	if (e->kind == DOZE_EV_post)
		diag_decision_post(d, p, e);
	if (e->kind == DOZE_EV_deadlock)
		p->deadlocks++;
	if (e->kind == DOZE_EV_pool_stop && !p->ended) {
		diag_spans_end(d, p);
		end_pool(d, p);
	}
}

/* Accounts for the time of the other pools up to ts, because this worker starts or stops using a
 * CPU, which changes the number of CPUs left for them. */
static void spend_others(struct diagnosis *d, const struct diag_pool *p, int64_t ts)
{
	for (struct diag_pool *q = d->live; q; q = q->next_live)
		if (q != p)
			diag_spend(d, q, ts);
}

static void on_state(void *ctx, const struct doze_worker_view *w, enum doze_state to,
		     enum doze_reason why, int64_t ts)
{
	struct diagnosis *d = ctx;
	struct diag_pool *p = diag_pool_at(d, w->pool_row);

	if (!p || !p->begun)
		return;
	if (d->live && d->live->next_live &&
	    (to == DOZE_STATE_active || w->state == DOZE_STATE_active))
		spend_others(d, p, ts);
	diag_state(d, p, w, to, why, ts);
	diag_allowed_state(d, p, w, to);
	if (to != DOZE_STATE_sleeping)
		diag_served(d, w);
	if (to == DOZE_STATE_blocked)
		diag_blocked(d, w, ts);
}

static void on_lost(void *ctx, int64_t to)
{
	struct diagnosis *d = ctx;

	diag_off_lost(d);
	for (size_t i = 0; i < d->pools; i++) {
		struct diag_pool *p = d->pool[i];

		if (!p || !p->begun || p->ended)
			continue;
		p->lost_until = to > p->lost_until ? to : p->lost_until;
		diag_queued_lost(p);
		if (to > p->last)
			diag_instance(p, DOZE_TROUBLE_losses,
				      &(struct instance){.at = p->last,
							 .end = to,
							 .cost = (double)(to - p->last),
							 .worker = -1,
							 .vtid = -1});
	}
}

/* Called when a new pool reuses this pool's number. The times of both pools are added up as if they
 * were one pool. */
static void on_replaced(void *ctx, const struct doze_pool_view *v)
{
	struct diagnosis *d = ctx;
	struct diag_pool *p = diag_pool_at(d, v->row);

	if (p && p->begun && p->ended)
		go_live(d, p);
}

static void on_finding(void *ctx, const struct doze_finding *f)
{
	struct diagnosis *d = ctx;

	if (f->ambiguous || d->finding.any)
		return;
	d->finding.any = true;
	d->finding.first = *f;
}

static void on_finish(void *ctx, const struct doze_pool_view *v, int64_t ts)
{
	struct diagnosis *d = ctx;
	struct diag_pool *p = pool_of(d, v);

	d->event = 0;
	if (!p || !p->begun)
		return;
	diag_spend(d, p, ts);
	for (int32_t i = 0; i < (int32_t)v->index_end; i++)
		if (doze_pool_worker(v, i))
			diag_stretch_end(d, p, doze_pool_worker(v, i), p->last);
	diag_hang(d, p, ts);
	diag_standstill(d, p, ts);
	for (int32_t i = 0; i < (int32_t)v->index_end; i++)
		if (doze_pool_worker(v, i))
			diag_off_end(d, p, doze_pool_worker(v, i));
	if (!p->ended)
		diag_spans_end(d, p);
	diag_decisions_end(d, p);
	end_pool(d, p);
}

static void on_free(void *ctx)
{
	struct diagnosis *d = ctx;

	for (size_t i = 0; i < d->pools; i++)
		free(d->pool[i]);
	free(d->pool);
	free(d->worker);
	free(d);
}

static const struct doze_observer observer = {
    .free = on_free,
    .event = on_event,
    .folded = on_folded,
    .folded_kinds = DOZE_KIND(post) | DOZE_KIND(deadlock) | DOZE_KIND(pool_stop),
    .snapshot = on_snapshot,
    .state = on_state,
    .lost = on_lost,
    .replaced = on_replaced,
    .finding = on_finding,
    .finish = on_finish,
};

struct doze_model *doze_with_diagnosis(struct doze_model *m)
{
	struct diagnosis *d;

	if (!m)
		return 0;
	d = calloc(1, sizeof *d);
	if (d && doze_model_observe(m, &observer, d)) {
		d->model = m;
		return m;
	}
	free(d);
	doze_model_free(m);
	return 0;
}

struct diagnosis *diagnosis_for(const struct doze_model *m)
{
	return doze_model_observed_by(m, &observer);
}

const struct diagnosis *diagnosis_of(const struct doze_model *m)
{
	return doze_model_observed_by(m, &observer);
}

void doze_diagnosis_cpus(const struct doze_model *m, uint32_t cpus)
{
	struct diagnosis *d = doze_model_observed_by(m, &observer);

	if (d)
		d->cpus_told = cpus;
}

/* ---- saving and loading ---- */

static void pool_saved(struct diagnosis *d, size_t row, struct doze_saved *s)
{
	bool any = row < d->pools && d->pool[row];
	struct diag_pool *p;

	if (!doze_saved_value(s, any) || !any)
		return;
	p = diag_pool_at(d, row);
	if (!p) {
		(void)doze_saved_fail(s);
		return;
	}
	(void)doze_saved_bytes(s, p, sizeof *p);
	p->next_live = NULL;
	p->v = doze_model_pool(d->model, row);
}

static void finding_saved(struct diag_finding *f, struct doze_saved *s)
{
	const char *rule = f->first.rule;

	(void)doze_saved_value(s, *f);
	if (s->failed || !f->any)
		return;
	doze_rule_saved(s, &rule);
	f->first.rule = rule;
}

void doze_diagnosis_saved(const struct doze_model *m, struct doze_saved *s)
{
	struct diagnosis *d = diagnosis_for(m);

	if (!d) {
		(void)doze_saved_fail(s);
		return;
	}
	for (size_t i = 0; i < doze_model_pools(m) && !s->failed; i++)
		pool_saved(d, i, s);
	(void)doze_saved_array(s, d->worker, d->workers);
	(void)doze_saved_value(s, d->cpu_seen);
	(void)doze_saved_value(s, d->cpus);
	(void)doze_saved_value(s, d->cpus_told);
	(void)doze_saved_value(s, d->cpus_online);
	(void)doze_saved_value(s, d->failed);
	finding_saved(&d->finding, s);
}
