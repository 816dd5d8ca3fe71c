/*
 * SPDX-License-Identifier: MIT
 *
 * jobs.c - counts published jobs and finds under-wakes.
 *
 * An under-wake is what the RFC calls a missed notification: a published job waits, a worker
 * sleeps, and no worker searches. Under policies that allow under-wakes, they are a cost and not a
 * fault. Which job waits does not matter, so one count per pool is enough: a post adds its jobs,
 * and a job taken from a queue subtracts one. waiting_posts.c finds out which post the job belongs
 * to. The count needs every post and every job start, that is, level `all`.
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

/* Subtracts one job. The count may briefly be negative, because a thief can take a job before its
 * poster reports it. Its lower limit is minus the number of workers, so that missed posts cannot
 * hide all later under-wakes. */
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

/* Counts a job taken from a queue. An inline job was never in a queue, and a broadcast job waits
 * for a specific worker. */
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

	/* A worker that is notified, about to be notified, or leaving its sleep counts as
	 * searching. */
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
	u->worst_pool_row = p->v.row;
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

/* Lost events make the number of waiting jobs unknown. */
void model_jobs_lost(struct pool *p)
{
	p->v.jobs_waiting = 0;
	model_posts_lost(p);
	p->jobs.under = false;
}
