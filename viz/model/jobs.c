/*
 * SPDX-License-Identifier: MIT
 *
 * jobs.c - publishes and under-wakes.
 *
 * An under-wake is the RFC's missed notification: a published job waits, somebody sleeps, nobody
 * searches. It is a cost, not a fault, where the policy allows it. Which job waits does not matter
 * for it, only whether one does, so a count per pool is enough: published jobs up, jobs taken from
 * a queue down. Whose post it was is told by left.c. Needs every post and every start, so the level
 * `jobs`.
 */
#include "model_int.h"

void jobs_post(struct doze_model *m, struct pool *p, struct worker *w, const struct doze_event *e)
{
	bool counts = in_scope(m, e->ts, e->worker);

	m->totals.posts += counts;
	if (e->worker < 0 && counts)
		m->totals.jobs_published += e->u.post.jobs;
	if (e->u.post.queue == DOZE_QUEUE_injector)
		p->inject_ts = e->ts;
	if (e->u.post.queue != DOZE_QUEUE_broadcast)
		p->jobs.waiting += e->u.post.jobs;
	left_post(p, w, e);
	p->jobs.waking = e->u.post.wakes > 0;
	p->jobs.waking_vtid = e->vtid;
	jobs_state(m, p, e->ts);
}

/* Below 0 for a moment: a thief can be faster than the poster's event. No further than one a
 * worker, so that posts which were not seen do not hide all later ones. */
static void take_one(struct pool *p, struct worker *w, enum doze_source from)
{
	if (p->jobs.waiting > -(int64_t)p->seen_workers)
		p->jobs.waiting--;
	left_take(p, w, from);
}

static enum doze_source source_of(enum doze_reason why)
{
	switch (why) {
	case DOZE_REASON_found_local:
		return DOZE_SOURCE_local;
	case DOZE_REASON_found_stolen:
		return DOZE_SOURCE_stolen;
	case DOZE_REASON_found_injected:
		return DOZE_SOURCE_injected;
	default:
		return DOZE_SOURCE_none;
	}
}

void jobs_found(struct worker *w, enum doze_reason why)
{
	enum doze_source from = source_of(why);

	w->has_found = from != DOZE_SOURCE_none;
	if (w->has_found)
		take_one(w->pool, w, from);
}

/* A job taken from a queue; an inline job was never in one, a broadcast one is not for anybody. */
void jobs_start(struct doze_model *m, struct pool *p, struct worker *w, const struct doze_event *e)
{
	enum doze_source s = e->u.job.source;

	w->starts++;
	if (s == DOZE_SOURCE_inline || s == DOZE_SOURCE_broadcast)
		return;
	if (!w->has_found)
		take_one(p, w, s);
	w->has_found = false;
	jobs_state(m, p, e->ts);
}

void jobs_any(struct pool *p, const struct doze_event *e)
{
	if (p->jobs.waking && p->jobs.waking_vtid == e->vtid)
		p->jobs.waking = false;
}

static bool missed(const struct pool *p)
{
	const uint32_t *n = p->in_state;

	/* Who was notified, or is about to be, or is leaving its sleep, is as good as searching. */
	return p->jobs.waiting > 0 && n[DOZE_STATE_sleeping] && !n[DOZE_STATE_idle] &&
	       !n[DOZE_STATE_sleepy] && !p->notified && !p->leaving && !p->jobs.waking;
}

static void under_end(struct doze_model *m, struct pool *p, int64_t ts)
{
	struct doze_underwake_measures *u = &m->measures.underwake;
	int64_t ns = ts - p->jobs.under_ts;

	p->jobs.under = false;
	if (!in_scope(m, p->jobs.under_ts, p->jobs.under_left.poster))
		return;
	u->spans++;
	u->by_why[doze_left_why(&p->jobs.under_left)]++;
	doze_hist_add(&u->wait, ns);
	if (ns <= u->worst)
		return;
	u->worst = ns;
	u->worst_at = p->jobs.under_ts;
	u->worst_left = p->jobs.under_left;
	u->worst_pool = p->v.pool;
}

void jobs_state(struct doze_model *m, struct pool *p, int64_t ts)
{
	bool now = p->v.jobs_level && missed(p);

	if (now == p->jobs.under)
		return;
	if (!now) {
		under_end(m, p, ts);
		return;
	}
	p->jobs.under = true;
	p->jobs.under_ts = ts;
	p->jobs.under_left = left_oldest(p);
}

/* Events were lost: how many jobs wait is not known any more. */
void jobs_lost(struct pool *p)
{
	p->jobs.waiting = 0;
	p->jobs.round++;
	p->jobs.ahead = 0;
	p->jobs.under = false;
}
