/*
 * SPDX-License-Identifier: MIT
 *
 * effects.c - determines which effect a question refers to (README.md). The chain of the best
 * candidate is copied at once, because the steps are not kept for long.
 */
#include "why_int.h"

static int64_t asked_time(const struct why *y)
{
	return doze_model_totals(y->model)->first_ts + y->question.time;
}

static bool in_part(const struct why *y, int64_t ts)
{
	int64_t at = ts - doze_model_totals(y->model)->first_ts;

	return at >= y->question.from && at <= y->question.to;
}

/* Makes the candidate the effect if its delay is the longest so far. Returns whether it did so. */
static bool consider(struct why *y, enum effect_kind kind, int64_t delay, step_no no)
{
	if (y->effect.kind && delay <= y->effect.delay)
		return false;
	y->effect = (struct effect){.kind = kind, .delay = delay, .slept = -1};
	why_chain(y, &y->effect, no);
	return true;
}

/* Records when the worker began to be busy with other jobs, for the headline. */
static void note_busy(struct why *y, const struct doze_worker_view *w)
{
	const struct why_worker *k = why_worker_of(y, w);
	const struct step *state = k ? why_at(y, k->state) : 0;

	y->effect.busy = k && k->ended && state && k->ended > state->e.ts ? state->e.ts : 0;
}

static void started_late(struct why *y, const struct doze_worker_view *w, step_no no, int64_t delay)
{
	if (consider(y, EFFECT_job, delay, no))
		note_busy(y, w);
}

/* Considers a job that waited while the worker in question slept and no wake of that worker was in
 * progress. */
static void slept_meanwhile(struct why *y, const struct doze_worker_view *w,
			    const struct step *post, step_no no, int64_t delay)
{
	const struct doze_worker_view *s =
	    doze_pool_worker(doze_model_pool(y->model, w->pool_row), y->question.worker);
	struct why_worker *k = s ? why_worker_of(y, s) : 0;

	if (!k || !k->asleep.no || k->notified || k->asleep.e.ts > post->e.ts ||
	    !consider(y, EFFECT_missed, delay, no))
		return;
	note_busy(y, w);
	y->effect.slept = s->key.index;
	y->effect.slept_since = k->asleep.e.ts;
	y->effect.ignored = k->ignored;
}

/* Considers the worker's delay. A worker that ran other jobs after the post was not late. */
static void ask_worker(struct why *y, const struct doze_worker_view *w, const struct step *job,
		       const struct step *post)
{
	const struct step *came = why_at(y, job->cause[1]);
	const struct why_worker *k = why_worker_of(y, w);
	const struct step *woken = k ? why_at(y, k->woken) : 0;
	int64_t delay = job->e.ts - post->e.ts;

	if (!in_part(y, job->e.ts))
		return;
	if (w->key.index != y->question.worker)
		slept_meanwhile(y, w, post, job->no, delay);
	else if ((woken && woken->e.ts > post->e.ts) || (came && came->since < post->e.ts))
		started_late(y, w, job->no, delay);
}

void why_started(struct why *y, const struct doze_worker_view *w, step_no no)
{
	const struct step *job = why_at(y, no), *post = job ? why_at(y, job->cause[0]) : 0;
	const struct doze_why_question *q = &y->question;
	int64_t delay = post ? job->e.ts - post->e.ts : 0;

	if (!job)
		return;
	if (q->kind == DOZE_WHY_job && job->e.u.job.id == q->job && !y->effect.kind)
		started_late(y, w, no, delay);
	else if (q->kind == DOZE_WHY_none && post && in_part(y, job->e.ts))
		started_late(y, w, no, delay);
	else if (q->kind == DOZE_WHY_worker && post)
		ask_worker(y, w, job, post);
	else if (q->kind == DOZE_WHY_time && post && post->e.ts <= asked_time(y) &&
		 job->e.ts > asked_time(y))
		started_late(y, w, no, delay);
}

void why_awake(struct why *y, const struct doze_worker_view *w, step_no no)
{
	const struct step *woken = why_at(y, no), *wake = woken ? why_at(y, woken->cause[0]) : 0;
	const struct doze_why_question *q = &y->question;

	if (!wake || wake->e.u.wake.cause == DOZE_CAUSE_terminate)
		return;
	if (((q->kind == DOZE_WHY_none ||
	      (q->kind == DOZE_WHY_worker && w->key.index == q->worker)) &&
	     in_part(y, woken->e.ts)) ||
	    (q->kind == DOZE_WHY_time && wake->e.ts <= asked_time(y) &&
	     woken->e.ts > asked_time(y)))
		(void)consider(y, EFFECT_wake, woken->e.ts - wake->e.ts, no);
}

static bool posts_it(const struct why *y, const struct doze_event *e)
{
	return y->question.kind == DOZE_WHY_job && e->u.post.job &&
	       y->question.job - e->u.post.job < e->u.post.jobs;
}

void why_posted(struct why *y, step_no no)
{
	const struct step *post = why_at(y, no);
	bool gap = post && y->question.kind == DOZE_WHY_time && post->e.ts > asked_time(y);

	if (!post || y->next.kind || (!gap && !posts_it(y, &post->e)))
		return;
	y->next = (struct effect){.kind = gap ? EFFECT_gap : EFFECT_unrun, .slept = -1};
	why_chain(y, &y->next, no);
}

void why_moment(struct why *y, const struct doze_pool_view *v, const struct doze_event *e)
{
	if (y->question.kind != DOZE_WHY_time || y->moment.taken || e->ts <= asked_time(y))
		return;
	y->moment.taken = true;
	y->moment.row = v->row;
	for (int s = 0; s < DOZE_STATE_COUNT; s++)
		y->moment.in_state[s] = v->in_state[s];
}

/* Makes the sleep of a worker that does not wake up before the trace ends the effect. */
static void sleeps_on(struct why *y, struct why_worker *k, int64_t ts)
{
	step_no no = k->latch ? k->latch : why_again(y, &k->asleep);

	y->effect = (struct effect){.kind = EFFECT_sleep,
				    .delay = ts - k->asleep.e.ts,
				    .slept = k->v->key.index,
				    .slept_since = k->asleep.e.ts,
				    .ignored = k->ignored};
	why_chain(y, &y->effect, no);
}

static bool asked_of_sleeper(const struct why *y, const struct why_worker *k)
{
	const struct doze_why_question *q = &y->question;

	if (q->kind == DOZE_WHY_worker)
		return k->v->key.index == q->worker && (k->latch || !y->effect.kind);
	return q->kind == DOZE_WHY_time && !y->next.kind && asked_time(y) >= k->asleep.e.ts &&
	       (!y->effect.kind || (k->latch && y->effect.kind != EFFECT_job));
}

/* Returns whether a job that was posted in this step and never started answers the question. */
static bool asked_of_unstarted(const struct why *y, const struct step *post)
{
	const struct doze_why_question *q = &y->question;

	return (q->kind == DOZE_WHY_none && in_part(y, post->e.ts)) ||
	       (q->kind == DOZE_WHY_time && post->e.ts <= asked_time(y));
}

/* Considers the job that was posted first among those that never started. This is certain only if
 * the trace contains each start. */
static void consider_unstarted(struct why *y, const struct doze_pool_view *v, int64_t ts)
{
	const struct why_pool *p = why_pool_of(y, v);
	const struct step *first = 0;
	uint64_t job = 0;

	if (!p || v->stopped || !v->jobs_level || doze_model_totals(y->model)->discarded)
		return;
	for (size_t i = 0; i < JOB_SLOTS; i++) {
		const struct step *post = p->job[i].id ? why_at(y, p->job[i].no) : 0;

		if (!post || !asked_of_unstarted(y, post) ||
		    (first &&
		     (post->e.ts > first->e.ts || (post->no == first->no && p->job[i].id > job))))
			continue;
		first = post;
		job = p->job[i].id;
	}
	if (first && consider(y, EFFECT_unrun, ts - first->e.ts, first->no))
		y->effect.job = job;
}

void why_end(struct why *y, const struct doze_pool_view *v, int64_t ts)
{
	for (int32_t i = 0; !v->stopped && i < (int32_t)v->index_end; i++) {
		const struct doze_worker_view *w = doze_pool_worker(v, i);
		struct why_worker *k = w ? why_worker_of(y, w) : 0;

		if (k && k->asleep.no && asked_of_sleeper(y, k))
			sleeps_on(y, k, ts);
	}
	consider_unstarted(y, v, ts);
	if (!y->effect.kind && y->next.kind) {
		y->effect = y->next;
		y->effect.delay = ts - y->next.chain[0].e.ts;
	}
}
