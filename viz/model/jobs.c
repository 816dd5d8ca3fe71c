/*
 * SPDX-License-Identifier: MIT
 *
 * jobs.c - publishes and under-wakes.
 *
 * An under-wake is the RFC's missed notification: a published job waits, somebody sleeps, nobody
 * searches. It is a cost, not a fault, where the policy allows it. Which job waits does not matter
 * for it, only whether one does, so a count per pool is enough: published jobs up, jobs taken from
 * a queue down. waiting_posts.c knows whose post it was. Needs every post and every start, so the
 * level `jobs`.
 */
#include "model_fn.h"

void model_jobs_post(struct doze_model *m, struct pool *p, struct worker *w,
		     const struct doze_event *e)
{
	bool counts = in_scope(m, e->ts, e->worker);

	m->totals.posts += counts;
	if (e->worker < 0 && counts)
		m->totals.jobs_published += e->u.post.jobs;
	if (e->u.post.queue != DOZE_QUEUE_broadcast)
		p->v.jobs_waiting += e->u.post.jobs;
	model_posts_add(m, p, w, e);
	p->jobs.waking = e->u.post.wakes > 0;
	p->jobs.waking_vtid = e->vtid;
	model_jobs_state(m, p, e->ts);
}

/* Below 0 for a moment: a thief can be faster than the poster's event. No further than one a
 * worker, so that posts which were not seen do not hide all later ones. */
static void take_one(struct doze_model *m, struct pool *p, struct worker *w, enum doze_source from)
{
	if (p->v.jobs_waiting > -(int64_t)p->v.known_workers)
		p->v.jobs_waiting--;
	model_posts_take(m, p, w, from);
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

void model_jobs_found(struct doze_model *m, struct worker *w, enum doze_reason why)
{
	enum doze_source from = source_of(why);

	w->v.job_in_hand = from != DOZE_SOURCE_none;
	if (w->v.job_in_hand)
		take_one(m, w->pool, w, from);
}

/* A job taken from a queue; an inline job was never in one, a broadcast one is not for anybody. */
void model_jobs_start(struct doze_model *m, struct pool *p, struct worker *w,
		      const struct doze_event *e)
{
	enum doze_source s = e->u.job.source;

	w->starts++;
	if (s == DOZE_SOURCE_inline || s == DOZE_SOURCE_broadcast)
		return;
	if (!w->v.job_in_hand)
		take_one(m, p, w, s);
	w->v.job_in_hand = false;
	model_jobs_state(m, p, e->ts);
}

void model_jobs_any(struct pool *p, const struct doze_event *e)
{
	if (p->jobs.waking && p->jobs.waking_vtid == e->vtid)
		p->jobs.waking = false;
}

static bool missed(const struct pool *p)
{
	const uint32_t *n = p->v.in_state;

	/* Who was notified, or is about to be, or is leaving its sleep, is as good as searching. */
	return p->v.jobs_waiting > 0 && n[DOZE_STATE_sleeping] && !n[DOZE_STATE_idle] &&
	       !n[DOZE_STATE_sleepy] && !p->v.notified && !p->leaving && !p->jobs.waking;
}

static void under_end(struct doze_model *m, struct pool *p, int64_t ts)
{
	struct doze_underwake_measures *u = &m->measures.underwake;
	int64_t ns = ts - p->jobs.under_ts;

	p->jobs.under = false;
	if (!in_scope(m, p->jobs.under_ts, p->jobs.under_post.poster))
		return;
	u->spans++;
	u->by_why[doze_underwake_why(&p->jobs.under_post)]++;
	doze_hist_add(&u->wait, ns);
	if (ns <= u->worst)
		return;
	u->worst = ns;
	u->worst_at = p->jobs.under_ts;
	u->worst_post = p->jobs.under_post;
	u->worst_pool = p->v.pool;
}

void model_jobs_state(struct doze_model *m, struct pool *p, int64_t ts)
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
	p->jobs.under_post = model_posts_oldest(p);
}

/* Events were lost: how many jobs wait is not known any more. */
void model_jobs_lost(struct pool *p)
{
	p->v.jobs_waiting = 0;
	model_posts_lost(p);
	p->jobs.under = false;
}
