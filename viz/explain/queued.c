/*
 * SPDX-License-Identifier: MIT
 *
 * queued.c - computes how many jobs wait in queues, and how long each recorded job waited.
 *
 * At level `all`, every post and start is recorded, and the model counts the waiting jobs. Below
 * that level, all posts and starts are recorded only while a worker sleeps. While a worker sleeps,
 * the number is therefore known: a worker that falls asleep reports how many jobs it leaves in the
 * queues (schema 1.1), and each later post or start changes the number. While no worker sleeps, the
 * number does not matter.
 *
 * A job's start may be recorded before its post if they are recorded on different CPUs, so the
 * count may briefly be negative, by at most one job per worker. If records were skipped
 * (`skipped`), the number becomes an interval.
 */
#include "diagnose_int.h"

static bool counts(enum doze_source s)
{
	return s != DOZE_SOURCE_inline && s != DOZE_SOURCE_broadcast;
}

static struct waiting *slot_of(struct queued *q, uint64_t id)
{
	return &q->job[(id * UINT64_C(0x9e3779b97f4a7c15)) >> 52];
}

/* Remembers when the jobs of a post, whose ids are consecutive, were posted. */
static void remember(struct queued *q, const struct doze_event *e)
{
	for (uint32_t i = 0; e->u.post.job && i < e->u.post.jobs && i < JOBS; i++)
		*slot_of(q, e->u.post.job + i) = (struct waiting){e->u.post.job + i, e->ts};
}

static void started(struct queued *q, const struct doze_event *e)
{
	struct waiting *w = slot_of(q, e->u.job.id);

	if (!e->u.job.id || w->id != e->u.job.id) {
		q->unknown++;
		return;
	}
	doze_hist_add(&q->delay, e->ts - w->ts);
	w->id = 0;
}

static void posted(struct diag_pool *p, const struct doze_event *e)
{
	struct queued *q = &p->queued;

	if (e->u.post.queue == DOZE_QUEUE_broadcast)
		return;
	if (q->low <= 0)
		q->first = doze_waiting_post_of(e);
	q->low += e->u.post.jobs;
	q->high += (int64_t)e->u.post.jobs + e->u.post.skipped;
	remember(q, e);
}

static void taken(struct diag_pool *p, const struct doze_event *e)
{
	struct queued *q = &p->queued;
	int64_t floor = -(int64_t)p->v->known_workers;

	if (!counts(e->u.job.source))
		return;
	q->low -= 1 + (int64_t)e->u.job.skipped;
	q->low = q->low < floor ? floor : q->low;
	q->high = q->high > q->low ? q->high - 1 : q->low;
	started(q, e);
}

/* Called when a worker falls asleep; its event reports the jobs left in the queues. */
static void left(struct diag_pool *p, const struct doze_event *e)
{
	struct queued *q = &p->queued;

	q->low = (int64_t)e->u.state.left_in_deques + e->u.state.left_injected;
	q->high = e->u.state.left_injected ? INT32_MAX : q->low;
	if (q->low <= 0)
		q->first.known = false;
}

void diag_queued_event(struct diag_pool *p, const struct doze_event *e)
{
	if (e->kind == DOZE_EV_post)
		posted(p, e);
	else if (e->kind == DOZE_EV_job_taken || e->kind == DOZE_EV_job_start)
		taken(p, e);
	else if (e->kind == DOZE_EV_worker_state && e->u.state.to == DOZE_STATE_sleeping)
		left(p, e);
}

void diag_queued_lost(struct diag_pool *p)
{
	p->queued.low = p->queued.high = 0;
	p->queued.first.known = false;
}
