/*
 * SPDX-License-Identifier: MIT
 *
 * why_observer.c - observes the model: which event is a step, and which earlier steps caused it.
 *
 *	post          the job that the poster runs
 *	wake          the post of its decision; the latch that was set; how its waker found work
 *	woken         the wake; how the worker had fallen asleep
 *	worker_state  the step before it; the latch that was set
 *	job           the post; how its worker came to run jobs
 *	latch set     the job of the thread that set it
 */
#include <stdlib.h>

#include "why_int.h"

/* Returns the latest step that shows what the acting thread was doing. */
static step_no doing(struct why *y, const struct doze_worker_view *w)
{
	struct why_worker *k = w ? why_worker_of(y, w) : 0;

	if (!k)
		return 0;
	return k->runs && k->job ? k->job : k->state;
}

static void on_post(struct why *y, struct why_pool *p, const struct doze_worker_view *w,
		    const struct doze_event *e)
{
	step_no no = why_step(y, p->v, w, e, doing(y, w), 0);

	for (uint32_t i = 0; e->u.post.job && i < e->u.post.jobs && i < JOB_SLOTS; i++)
		if (!why_has_started(p, e->u.post.job + i))
			why_remember(p->job, JOB_SLOTS, e->u.post.job + i, no);
	if (e->u.post.decision_id)
		why_remember(p->decision, WAKE_SLOTS, e->u.post.decision_id, no);
	for (int32_t i = 0; !e->u.post.wakes && i < (int32_t)p->v->index_end; i++) {
		const struct doze_worker_view *s = doze_pool_worker(p->v, i);
		struct why_worker *k = s ? why_worker_of(y, s) : 0;

		if (k && k->asleep.no)
			k->ignored++;
	}
	p->post = no;
	why_posted(y, no);
}

static step_no cause_of_wake(struct why *y, struct why_pool *p, const struct doze_worker_view *w,
			     const struct why_worker *target, const struct doze_event *e)
{
	step_no post = why_find(p->decision, WAKE_SLOTS, e->u.wake.decision_id);
	struct why_worker *k = w ? why_worker_of(y, w) : 0;

	/* Under tickle, a post has no decision id. The latest post caused the wake if the same
	 * thread made both. */
	if (!post && (e->u.wake.cause == DOZE_CAUSE_push || e->u.wake.cause == DOZE_CAUSE_inject) &&
	    why_at(y, p->post) && why_at(y, p->post)->e.vtid == e->vtid)
		post = p->post;
	if (post)
		return post;
	if (e->u.wake.cause == DOZE_CAUSE_latch && target && target->latch)
		return target->latch;
	if (e->u.wake.cause == DOZE_CAUSE_work_found && k)
		return k->state;
	return doing(y, w);
}

static void on_wake(struct why *y, struct why_pool *p, const struct doze_worker_view *w,
		    const struct doze_event *e)
{
	const struct doze_worker_view *t = doze_pool_worker(p->v, e->u.wake.target);
	struct why_worker *target = t ? why_worker_of(y, t) : 0;
	step_no no = why_step(y, p->v, w, e, cause_of_wake(y, p, w, target, e), 0);

	why_remember(p->wake, WAKE_SLOTS, e->u.wake.wake_id, no);
	if (target)
		target->notified = true;
}

static void on_woken(struct why *y, struct why_pool *p, const struct doze_worker_view *w,
		     const struct doze_event *e)
{
	struct why_worker *k = why_worker_of(y, w);
	step_no wake = why_find(p->wake, WAKE_SLOTS, e->u.woken.wake_id);

	if (!k)
		return;
	k->woken = k->state =
	    why_step(y, p->v, w, e, wake, k->asleep.no ? why_again(y, &k->asleep) : 0);
	why_awake(y, w, k->woken);
	k->asleep.no = k->latch = 0;
	k->notified = false;
}

/* Returns whether a change of state adds nothing to the chain: it follows a `woken`, or is one
 * between idle and sleepy. */
static bool follows(const struct doze_event *e)
{
	return (e->u.state.from == DOZE_STATE_sleeping && e->u.state.reason == DOZE_REASON_woken) ||
	       (e->u.state.from == DOZE_STATE_idle && e->u.state.to == DOZE_STATE_sleepy) ||
	       (e->u.state.from == DOZE_STATE_sleepy && e->u.state.to == DOZE_STATE_idle);
}

static void on_state(struct why *y, struct why_pool *p, const struct doze_worker_view *w,
		     const struct doze_event *e)
{
	struct why_worker *k = why_worker_of(y, w);
	bool latch = e->u.state.reason == DOZE_REASON_latch_set;

	if (!k || follows(e))
		return;
	k->state = why_step(y, p->v, w, e, k->state, latch ? k->latch : 0);
	if (e->u.state.to == DOZE_STATE_sleeping && k->state) {
		k->asleep = *why_at(y, k->state);
		k->latch = 0;
		k->notified = false;
		k->ignored = 0;
	} else if (e->u.state.to == DOZE_STATE_active || e->u.state.to == DOZE_STATE_idle) {
		k->asleep.no = 0;
		k->runs = k->runs && e->u.state.from != DOZE_STATE_none;
	}
}

static void on_job(struct why *y, struct why_pool *p, const struct doze_worker_view *w,
		   const struct doze_event *e)
{
	struct why_worker *k = why_worker_of(y, w);
	const struct step *before = k ? why_at(y, k->job) : 0;
	step_no post = why_find(p->job, JOB_SLOTS, e->u.job.id);

	/* Before schema 1.2, both job_taken and job_start could report the same start. */
	if (!k || !e->u.job.id || e->u.job.source == DOZE_SOURCE_inline ||
	    (before && k->runs && before->e.u.job.id == e->u.job.id))
		return;
	k->job = why_step(y, p->v, w, e, post, k->state);
	why_remember(p->job, JOB_SLOTS, e->u.job.id, 0);
	k->runs = true;
	why_started(y, w, k->job);
}

static void on_job_end(struct why *y, const struct doze_worker_view *w, const struct doze_event *e)
{
	struct why_worker *k = why_worker_of(y, w);
	const struct step *job = k ? why_at(y, k->job) : 0;

	if (!k)
		return;
	k->ended = e->ts;
	if (job && job->e.u.job.id == e->u.job.id)
		k->runs = false;
}

static void on_latch(struct why *y, struct why_pool *p, const struct doze_worker_view *w,
		     const struct doze_event *e)
{
	const struct doze_worker_view *o = doze_pool_worker(p->v, e->u.latch.owner);
	struct why_worker *owner = o ? why_worker_of(y, o) : 0;

	if (owner && e->u.latch.to == DOZE_LATCH_set)
		owner->latch = why_step(y, p->v, w, e, doing(y, w), 0);
}

static void see_cpu(struct why *y, int32_t cpu)
{
	uint64_t bit = UINT64_C(1) << (cpu & 63);

	if (cpu < 0 || cpu >= WHY_CPUS || (y->cpu_seen[cpu / 64] & bit))
		return;
	y->cpu_seen[cpu / 64] |= bit;
	y->cpus++;
}

static void dispatch(struct why *y, struct why_pool *p, const struct doze_worker_view *w,
		     const struct doze_event *e)
{
	if (e->kind == DOZE_EV_post)
		on_post(y, p, w, e);
	else if (e->kind == DOZE_EV_wake)
		on_wake(y, p, w, e);
	else if (e->kind == DOZE_EV_latch)
		on_latch(y, p, w, e);
	else if (w && e->kind == DOZE_EV_woken)
		on_woken(y, p, w, e);
	else if (w && e->kind == DOZE_EV_worker_state)
		on_state(y, p, w, e);
	else if (w && (e->kind == DOZE_EV_job_taken || e->kind == DOZE_EV_job_start))
		on_job(y, p, w, e);
	else if (w && e->kind == DOZE_EV_job_end)
		on_job_end(y, w, e);
}

static void on_event(void *ctx, const struct doze_pool_view *v, const struct doze_worker_view *w,
		     const struct doze_event *e)
{
	struct why *y = ctx;
	struct why_pool *p = why_pool_of(y, v);

	see_cpu(y, e->cpu);
	why_moment(y, v, e);
	if (p)
		dispatch(y, p, w, e);
}

static void on_finish(void *ctx, const struct doze_pool_view *v, int64_t ts)
{
	why_end(ctx, v, ts);
}

static void on_free(void *ctx)
{
	struct why *y = ctx;

	doze_notes_free(&y->pools);
	doze_notes_free(&y->workers);
	free(y->step);
	free(y);
}

static const struct doze_observer observer = {
    .free = on_free,
    .event = on_event,
    .finish = on_finish,
};

struct doze_model *doze_with_why(struct doze_model *m, const struct doze_why_question *q)
{
	struct why *y;

	if (!m)
		return 0;
	y = calloc(1, sizeof *y);
	if (y && doze_model_observe(m, &observer, y)) {
		y->model = m;
		y->question = *q;
		return m;
	}
	free(y);
	doze_model_free(m);
	return 0;
}

const struct why *why_of(const struct doze_model *m)
{
	return doze_model_observed_by(m, &observer);
}
