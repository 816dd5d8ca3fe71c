/*
 * SPDX-License-Identifier: MIT
 *
 * checker.c - passes each event to the rules, and detects states that last too long: a stranded
 * job, a worker that sleeps while the pool terminates.
 */
#include "checker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_int.h"

/* ---- Creates and frees the checker's notes per pool, worker and thread ---- */

struct check_worker *check_worker_new(struct check_pool *p, int32_t index)
{
	const struct doze_worker_view *v = doze_pool_worker(p->v, index);
	struct check_worker *w;

	if (!v)
		return 0;
	w = doze_notes_create(&p->workers, (uint32_t)index, sizeof *w, p->model);
	if (w)
		w->v = v;
	return w;
}

static void check_free(void *ctx)
{
	struct checker *c = ctx;

	for (uint32_t i = 0; i < c->pools.capacity; i++) {
		struct check_pool *p = c->pools.at[i];

		if (!p)
			continue;
		doze_notes_free(&p->workers);
		check_rule_job_forget(p);
	}
	doze_notes_free(&c->pools);
	free(c);
}

/* Returns the notes on the thread that reported an event. w is null for an outside thread. */
static struct actor *check_actor_of(struct check_pool *p, struct check_worker *w, int32_t vtid)
{
	struct actor *a;

	if (w)
		return &w->actor;
	a = &p->actors[(uint32_t)vtid % CHECK_ACTORS];
	if (a->vtid != vtid)
		*a = (struct actor){.vtid = vtid};
	return a;
}

/* Forgets all wakes that workers must still receive, because events were lost. */
static void check_forget_due(struct check_pool *p)
{
	for (uint32_t i = 0; i < p->workers.capacity; i++) {
		struct check_worker *w = p->workers.at[i];

		if (!w)
			continue;
		w->actor = (struct actor){0};
		w->due.set = false;
		w->slept_on = 0;
	}
	memset(p->actors, 0, sizeof p->actors);
	check_rule_job_forget(p);
}

/* Drops all notes, because a new pool now has this pool's number. */
static void check_forget_all(struct check_pool *p)
{
	check_forget_due(p);
	for (uint32_t i = 0; i < p->workers.capacity; i++) {
		struct check_worker *w = p->workers.at[i];

		if (w)
			*w = (struct check_worker){.v = w->v};
	}
	p->terminating = p->after_stop = false;
	p->terminate_ts = p->inject_ts = p->wake_ts = p->broadcast_ts = 0;
}

/* Reports workers that had not stopped when their pool stopped. */
static void check_stopped(struct check_pool *p, int64_t ts)
{
	if (doze_pool_is_crew(p->v)) /* its program may exit while its threads run */
		return;
	for (struct check_worker *w = check_next(p, 0); w; w = check_next(p, w))
		if (w->v->known && !w->v->unknown && w->v->state != DOZE_STATE_stopped)
			doze_model_finding(p->model, "terminate", w->v->key, ts,
					   "this worker was %s when the pool stopped",
					   doze_state_name(w->v->state));
}

/* Returns whether all workers sleep and none has been notified. */
static bool all_asleep(struct check_pool *p)
{
	return p->v->workers && p->v->in_state[DOZE_STATE_sleeping] == p->v->workers &&
	       !p->v->uncertain_workers && !p->v->notified;
}

static int64_t last_asleep(struct check_pool *p)
{
	int64_t ts = INT64_MIN;

	for (struct check_worker *w = check_next(p, 0); w; w = check_next(p, w))
		ts = w->v->since > ts ? w->v->since : ts;
	return ts;
}

/* Returns whether all workers already slept when the last job was injected, and no worker was woken
 * for it. */
static bool ignored(struct check_pool *p)
{
	return p->inject_ts > last_asleep(p) && p->wake_ts <= p->inject_ts;
}

/* Returns whether more jobs were published than taken. All posts and job starts since the pool's
 * start must be recorded, without losses. A worker does not sleep while its own deque has jobs, so
 * the remaining jobs were injected. The last worker may have fallen asleep without seeing them. */
static bool left_over(const struct check_pool *p)
{
	return p->v->jobs_level && p->v->started && doze_model_lost_until(p->model) == INT64_MIN &&
	       p->v->jobs_waiting > 0;
}

/* Reports an injected job that waits while all workers sleep and none is being woken. */
static void check_stranded(struct check_pool *p, int64_t ts)
{
	char asleep[48] = "the only worker is asleep";

	if (!p->inject_ts || !all_asleep(p) || !(ignored(p) || left_over(p)))
		return;
	if (p->v->workers > 1)
		snprintf(asleep, sizeof asleep, "all %u workers are asleep", p->v->workers);
	doze_model_finding_about(
	    p->model, "stranded", doze_pool_key(p->v, -1), ts, p->inject_ts,
	    "no worker was woken for a job that was injected %.3f ms ago, although %s",
	    (double)(ts - p->inject_ts) / 1e6, asleep);
	p->inject_ts = 0;
}

/* Returns whether the worker has slept since before ts and has received no wake. */
static bool slept_through(const struct check_worker *w, int64_t ts)
{
	return is_asleep(w) && !w->v->unknown && w->v->wake_phase == DOZE_WAKE_none &&
	       w->v->since < ts;
}

/* Reports workers that have slept since before a broadcast. Each worker has its own job of the
 * broadcast, which no other worker can run. */
static void check_broadcast(struct check_pool *p, int64_t ts)
{
	if (!p->broadcast_ts)
		return;
	for (struct check_worker *w = check_next(p, 0); w; w = check_next(p, w))
		if (slept_through(w, p->broadcast_ts) && !w->v->leaving)
			doze_model_finding_about(p->model, "stranded", w->v->key, ts,
						 p->broadcast_ts,
						 "this worker's broadcast job has been waiting for "
						 "%.3f ms, but no thread woke the worker",
						 (double)(ts - p->broadcast_ts) / 1e6);
	p->broadcast_ts = 0;
}

/* Reports workers that are still asleep after termination was announced. */
static void check_terminating(struct check_pool *p, int64_t ts)
{
	if (!p->terminating || p->v->stopped)
		return;
	for (struct check_worker *w = check_next(p, 0); w; w = check_next(p, w))
		if (slept_through(w, p->terminate_ts))
			doze_model_finding_about(p->model, "terminate", w->v->key, ts,
						 p->terminate_ts,
						 "the pool has been terminating for %.3f ms, but "
						 "no thread woke this worker",
						 (double)(ts - p->terminate_ts) / 1e6);
	p->terminating = false;
}

/* Records the times and the state that the checks above need. */
static void note(struct check_pool *p, const struct doze_event *e)
{
	if (e->kind == DOZE_EV_post && e->u.post.queue == DOZE_QUEUE_injector)
		p->inject_ts = e->ts;
	if (e->kind == DOZE_EV_wake && e->u.wake.cause == DOZE_CAUSE_terminate && !p->terminating) {
		p->terminating = true;
		p->terminate_ts = e->ts;
	}
	if (e->unknown_label)
		return;
	if (e->kind == DOZE_EV_post && e->u.post.queue == DOZE_QUEUE_broadcast)
		p->broadcast_ts = e->ts;
	if (e->kind == DOZE_EV_wake)
		p->wake_ts = e->ts;
}

static bool is_about_job(const struct doze_event *e)
{
	return e->kind == DOZE_EV_job_taken || e->kind == DOZE_EV_job_start ||
	       e->kind == DOZE_EV_job_end || e->kind == DOZE_EV_steal;
}

static void judge(struct check_pool *p, struct check_worker *w, const struct doze_event *e)
{
	struct actor *a;

	check_rule_word(p, w, e);
	check_rule_jec(p, w, e);
	if (e->kind == DOZE_EV_post)
		check_rule_post(p, e);
	else if (e->kind == DOZE_EV_wake)
		check_rule_wake(p, e);
	else if (is_about_job(e))
		check_rule_job(p, w, e);
	else if (e->kind == DOZE_EV_pool_start)
		return;
	a = check_actor_of(p, w, e->vtid);
	check_rule_latch(p, w, a, e);
	if (a->carry != CARRY_NONE || may_carry(e))
		check_rule_carry(p, a, e);
	if (e->kind == DOZE_EV_pool_stop) {
		check_stopped(p, e->ts);
		check_rule_job_stop(p, e->ts);
	}
}

static void on_event(void *ctx, const struct doze_pool_view *v, const struct doze_worker_view *wv,
		     const struct doze_event *e)
{
	struct check_pool *p = check_pool_of(ctx, v);
	struct check_worker *w;

	if (!p)
		return;
	note(p, e);
	w = wv ? check_worker_of(p, e->worker) : 0;
	check_rule_range(p, w, e);
	if (!e->unknown_label)
		judge(p, w, e);
}

static void on_lost(void *ctx, int64_t to)
{
	struct checker *c = ctx;

	(void)to;
	for (uint32_t i = 0; i < c->pools.capacity; i++)
		if (c->pools.at[i])
			check_forget_due(c->pools.at[i]);
}

static void on_replaced(void *ctx, const struct doze_pool_view *v)
{
	struct check_pool *p = check_pool_of(ctx, v);

	if (p)
		check_forget_all(p);
}

/* Called after a long quiet period. A thread between two steps may still be waiting for a CPU, so
 * its missing steps are judged only at the end of the trace. */
static void on_long_quiet(void *ctx, const struct doze_pool_view *v, int64_t ts)
{
	struct checker *c = ctx;
	struct check_pool *p = check_pool_of(c, v);

	if (!p || ts <= doze_model_lost_until(c->model))
		return;
	check_stranded(p, ts);
	if (!v->notified)
		check_broadcast(p, ts);
	check_terminating(p, ts);
	check_rule_latch_quiet(p, ts);
}

static void on_finish(void *ctx, const struct doze_pool_view *v, int64_t ts)
{
	struct checker *c = ctx;
	struct check_pool *p = check_pool_of(c, v);

	if (!p || ts <= doze_model_lost_until(c->model))
		return;
	check_rule_carry_end(p, ts);
	check_rule_latch_end(p, ts);
}

static const struct doze_observer observer = {
    .free = check_free,
    .event = on_event,
    .lost = on_lost,
    .replaced = on_replaced,
    .long_quiet = on_long_quiet,
    .finish = on_finish,
};

struct doze_model *doze_with_checker(struct doze_model *m)
{
	struct checker *c = m ? calloc(1, sizeof *c) : NULL;

	if (c && doze_model_observe(m, &observer, c)) {
		c->model = m;
		return m;
	}
	free(c);
	doze_model_free(m);
	return NULL;
}
