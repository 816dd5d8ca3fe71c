/*
 * SPDX-License-Identifier: MIT
 *
 * path_observer.c - observes the model: finds the notes for each event, wake, post and taken job.
 */
#include <stdlib.h>

#include "path_int.h"

static void on_event(void *ctx, const struct doze_pool_view *v, const struct doze_worker_view *w,
		     const struct doze_event *e)
{
	struct path_pool *p = path_pool_of(ctx, v);

	(void)w;
	if (p && e->kind == DOZE_EV_post)
		path_post(p, e);
	else if (p)
		path_latch(p, e);
}

static void on_folded(void *ctx, const struct doze_pool_view *v, const struct doze_worker_view *w,
		      const struct doze_event *e)
{
	struct path_pool *p;

	/* Level `jobs` lacks some starts and ends of jobs, so the recorded ones do not show when a
	 * worker is free. */
	if (e->kind != DOZE_EV_pool_start && v->level == DOZE_LEVEL_jobs)
		return;
	p = path_pool_of(ctx, v);
	if (p && e->kind == DOZE_EV_pool_start)
		path_begin(ctx, p, e->ts);
	else if (p && w && e->kind == DOZE_EV_job_start)
		path_job_start(p, w, e);
	else if (p && w && e->kind == DOZE_EV_job_end)
		path_job_end(p, w, e);
}

static struct path_pool *pool_with(struct paths *all, const struct doze_worker_view *w)
{
	struct path_pool *p = doze_notes_find(&all->pools, w->pool_row);

	if (p)
		return p;
	return path_pool_of(all, doze_model_pool(all->model, w->pool_row));
}

static void on_state(void *ctx, const struct doze_worker_view *w, enum doze_state to,
		     enum doze_reason why, int64_t ts)
{
	struct path_pool *p = pool_with(ctx, w);

	if (p)
		path_state(p, w, to, why, ts);
}

static void on_mark(void *ctx, const struct doze_event *e)
{
	struct paths *all = ctx;

	all->mark = e;
}

/* Ends the phase in all pools of the process, because a mark belongs to the whole program. */
static void on_marked(void *ctx, const struct doze_event *e)
{
	struct paths *all = ctx;

	all->mark = 0;
	for (size_t i = 0; i < doze_model_pools(all->model); i++) {
		const struct doze_pool_view *v = doze_model_pool(all->model, i);
		struct path_pool *p = 0;

		if (v->vpid == e->vpid && v->host == e->host)
			p = path_pool_of(all, v);
		if (p)
			path_begin(all, p, e->ts);
	}
}

static void on_lost(void *ctx, int64_t to)
{
	struct paths *all = ctx;

	(void)to;
	for (uint32_t i = 0; i < all->pools.capacity; i++)
		if (all->pools.at[i])
			path_lost(all->pools.at[i]);
}

static void on_replaced(void *ctx, const struct doze_pool_view *v)
{
	struct path_pool *p = path_pool_of(ctx, v);

	if (p)
		p->asked = 0;
}

/* ---- wakes, with and without a target ---- */

static void on_wake(void *ctx, const struct doze_worker_view *target, const struct doze_event *e)
{
	struct path_pool *p = pool_with(ctx, target);
	struct path_ref waker = {0};

	if (!p)
		return;
	path_note(p, e, &waker);
	path_owe(p, target, &waker);
	path_forget(p, &waker);
}

static void on_signal(void *ctx, const struct doze_pool_view *v, uint32_t slot,
		      const struct doze_event *e)
{
	struct paths *all = ctx;
	struct path_pool *p = path_pool_of(all, v);

	if (!p || !p->path)
		return;
	if (!p->signals)
		p->signals = calloc(DOZE_SIGNAL_SLOTS, sizeof *p->signals);
	if (p->signals)
		path_note(p, e, &p->signals[slot]);
	else
		doze_model_evicted(all->model);
}

static void on_signal_met(void *ctx, const struct doze_worker_view *target, uint32_t slot)
{
	struct path_pool *p = pool_with(ctx, target);
	static const struct path_ref none;

	if (!p)
		return;
	path_owe(p, target, p->signals ? &p->signals[slot] : &none);
	if (p->signals)
		path_forget(p, &p->signals[slot]);
}

static void on_signal_missed(void *ctx, const struct doze_pool_view *v, uint32_t slot)
{
	struct path_pool *p = path_pool_of(ctx, v);

	if (p && p->signals)
		path_forget(p, &p->signals[slot]);
}

/* ---- posts with waiting jobs ---- */

static struct path_worker *worker_of(struct paths *all, struct path_pool *p, int32_t index)
{
	struct path_worker *w = path_worker_of(p, index);

	if (w || index < 0)
		return w;
	w = doze_notes_create(&p->workers, (uint32_t)index, sizeof *w, all->model);
	if (w)
		w->took.vtid = -1;
	return w;
}

/* Returns the account of the post in that slot, or null if there are no notes on its queue. */
static struct path_ref *post_at(struct path_pool *p, uint32_t slot)
{
	uint32_t queue = slot / DOZE_POST_SLOTS, i = slot % DOZE_POST_SLOTS;
	struct path_worker *w = queue ? path_worker_of(p, (int32_t)queue - 1) : 0;

	if (!queue)
		return &p->injector[i];
	return w ? &w->post[i] : 0;
}

static void on_post_waits(void *ctx, const struct doze_pool_view *v, uint32_t slot,
			  const struct doze_event *e)
{
	struct path_pool *p = path_pool_of(ctx, v);
	struct path_ref *post;

	if (!p || !p->path)
		return;
	if (slot >= DOZE_POST_SLOTS)
		worker_of(ctx, p, (int32_t)(slot / DOZE_POST_SLOTS) - 1);
	post = post_at(p, slot);
	if (post)
		path_note(p, e, post);
}

static void on_post_done(void *ctx, const struct doze_pool_view *v, uint32_t slot)
{
	struct path_pool *p = path_pool_of(ctx, v);
	struct path_ref *post = p ? post_at(p, slot) : 0;

	if (post)
		path_forget(p, post);
}

static void on_job_taken(void *ctx, const struct doze_worker_view *w, struct doze_taken_job job)
{
	struct path_pool *p = pool_with(ctx, w);
	struct path_worker *notes = p ? worker_of(ctx, p, w->key.index) : 0;
	struct path_ref *post;

	if (!notes)
		return;
	path_forget(p, &notes->took.by);
	notes->took.vtid = job.poster_vtid;
	post = job.slot < 0 ? 0 : post_at(p, (uint32_t)job.slot);
	if (post)
		path_copy(p, &notes->took.by, post);
}

static void on_job_was_taken(void *ctx, const struct doze_pool_view *v,
			     const struct doze_worker_view *taker, const struct doze_event *post)
{
	struct path_pool *p = path_pool_of(ctx, v);

	if (p)
		path_taken_before(p, taker, post);
}

static const struct doze_observer observer = {
    .free = path_notes_free,
    .event = on_event,
    .event_kinds = DOZE_KIND(post) | DOZE_KIND(latch),
    .folded = on_folded,
    .folded_kinds = DOZE_KIND(pool_start) | DOZE_KIND(job_start) | DOZE_KIND(job_end),
    .state = on_state,
    .mark = on_mark,
    .marked = on_marked,
    .lost = on_lost,
    .replaced = on_replaced,
    .wake = on_wake,
    .signal = on_signal,
    .signal_met = on_signal_met,
    .signal_missed = on_signal_missed,
    .post_waits = on_post_waits,
    .post_done = on_post_done,
    .job_taken = on_job_taken,
    .job_was_taken = on_job_was_taken,
};

struct doze_model *doze_with_paths(struct doze_model *m)
{
	struct paths *all = m ? calloc(1, sizeof *all) : NULL;

	if (all && doze_model_observe(m, &observer, all)) {
		all->model = m;
		return m;
	}
	free(all);
	doze_model_free(m);
	return NULL;
}

bool doze_path_of(const struct doze_model *m, size_t pool, int64_t ts, struct doze_path *out)
{
	const struct paths *all = doze_model_observed_by(m, &observer);
	struct path_pool *p = all && pool < all->pools.capacity ? all->pools.at[pool] : 0;

	return p && path_find(all, p, ts, out);
}

uint64_t doze_paths_missing(const struct doze_model *m)
{
	const struct paths *all = doze_model_observed_by(m, &observer);

	return all ? all->missing : 0;
}

const char *doze_path_part_name(enum doze_path_part k)
{
	static const char *const names[] = {"waiting", "searching", "asleep", "blocked"};

	return (unsigned)k < DOZE_PATH_PARTS ? names[k] : "?";
}
