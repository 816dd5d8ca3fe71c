/*
 * SPDX-License-Identifier: MIT
 *
 * path.c - computes the critical path of a phase: the chain of work and waiting that ends with the
 * phase's last work.
 *
 * By definition, the path starts at the work that ended last, goes back to the work that it had to
 * wait for, and so on, to the beginning of the phase. This file computes it in one forward pass,
 * without storing events. Each thread has an account of how the time since the phase's beginning
 * was spent on the chain that led to its current work (account.c). When an idle worker begins to
 * work, it has waited for the latest of these:
 *
 *	the worker became free;
 *	its job was published (the job that it took, if the trace shows which);
 *	it was woken;
 *	its latch was set, if this is its reason to continue.
 *
 * The worker then replaces its own account with a copy of the account that the causing thread had
 * at that moment, and adds the time since then as waiting. At the end of the phase, the account of
 * the thread that worked last is the critical path.
 */
#include "path_int.h"

struct lane *path_lane(const struct path_pool *p, int32_t worker)
{
	struct path *path = p->path;
	struct lane *l;

	if (!path || worker < 0 || (uint32_t)worker >= path->workers)
		return 0;
	l = &path->lane[worker];
	if (l->now.phase != path->phase) {
		l->now = (struct path_ref){.phase = path->phase, .ts = path->begin, .who = worker};
		l->free = path->begin;
	}
	return l;
}

void path_copy(struct path_pool *p, struct path_ref *to, const struct path_ref *from)
{
	if (p->path)
		path_account_set(p->path->accounts, to, from);
	else
		to->phase = 0;
}

void path_forget(struct path_pool *p, struct path_ref *of)
{
	if (p->path)
		path_account_drop(p->path->accounts, of);
	of->phase = 0;
}

static void add(struct path_ref *now, enum doze_state s, int64_t ns)
{
	switch (s) {
	case DOZE_STATE_active:
		now->work += ns;
		break;
	case DOZE_STATE_sleeping:
		now->part[DOZE_PATH_asleep] += ns;
		break;
	case DOZE_STATE_blocked:
		now->part[DOZE_PATH_blocked] += ns;
		break;
	case DOZE_STATE_idle:
	case DOZE_STATE_sleepy:
		now->part[DOZE_PATH_searching] += ns;
		break;
	default: /* the worker's thread has not started yet */
		now->part[DOZE_PATH_waiting] += ns;
		break;
	}
}

/* Extends the worker's account to ts, as time in its current state. */
static void advance(const struct doze_worker_view *w, struct lane *l, int64_t ts)
{
	if (ts <= l->now.ts)
		return;
	add(&l->now, w->state, ts - l->now.ts);
	l->now.ts = ts;
}

static struct path_ref *now_of(struct path_pool *p, const struct doze_event *e)
{
	const struct doze_worker_view *w = doze_pool_worker(p->v, e->worker);
	struct lane *l = path_lane(p, e->worker);

	if (e->worker < 0)
		return path_out_now(p, e->vtid, e->ts);
	if (!w || !l)
		return 0;
	advance(w, l, e->ts);
	return &l->now;
}

void path_note(struct path_pool *p, const struct doze_event *e, struct path_ref *to)
{
	static const struct path_ref none;
	const struct path_ref *now = now_of(p, e);

	path_copy(p, to, now ? now : &none);
}

void path_post(struct path_pool *p, const struct doze_event *e)
{
	if (!p->path)
		return;
	if (e->u.post.queue == DOZE_QUEUE_injector) {
		path_note(p, e, &p->path->injected);
		p->path->injected_jobs = e->u.post.jobs;
		p->path->injector = e->worker < 0 ? e->vtid : -1;
	} else if (e->u.post.queue == DOZE_QUEUE_broadcast) {
		path_note(p, e, &p->path->broadcast);
		p->path->broadcaster = e->worker < 0 ? e->vtid : -1;
	}
	if (e->worker < 0)
		path_out_posted(p, e);
}

void path_latch(struct path_pool *p, const struct doze_event *e)
{
	struct lane *to = path_lane(p, e->u.latch.owner);

	if (e->u.latch.to == DOZE_LATCH_set && to && e->worker != e->u.latch.owner)
		path_note(p, e, &to->latch);
}

void path_owe(struct path_pool *p, const struct doze_worker_view *w, const struct path_ref *by)
{
	struct lane *l = path_lane(p, w->key.index);

	if (l)
		path_copy(p, &l->wake, by);
}

/* Returns the poster's account for an injected job below level `all`, where not all posts are
 * reported. Assumes that the job belongs to the latest reported post or, if all jobs of that post
 * have been found, to an unreported post that the same thread has just made. */
static const struct path_ref *injected(struct path_pool *p, int64_t ts)
{
	struct path *path = p->path;

	if (path->injected_jobs) {
		path->injected_jobs--;
		return &path->injected;
	}
	return path->injector < 0 ? 0 : path_out_now(p, path->injector, ts);
}

static const struct path_job *taken_by(const struct path_pool *p, const struct doze_worker_view *w)
{
	static const struct path_job none = {.vtid = -1};
	const struct path_worker *notes = path_worker_of(p, w->key.index);

	return notes ? &notes->took : &none;
}

/* Returns the poster's account at the time when it posted the job that the worker found, or null if
 * unknown. */
static const struct path_ref *publisher(struct path_pool *p, const struct doze_worker_view *w,
					enum doze_reason why, int64_t ts)
{
	if (why == DOZE_REASON_found_broadcast)
		return &p->path->broadcast;
	if (why == DOZE_REASON_found_injected && !p->v->jobs_level)
		return injected(p, ts);
	return &taken_by(p, w)->by;
}

static bool is_taken(enum doze_reason why)
{
	return why == DOZE_REASON_found_injected || why == DOZE_REASON_found_stolen;
}

/* Called when a worker begins to work. Continues its path from the latest cause. */
static void follow(struct path_pool *p, const struct doze_worker_view *w, struct lane *l,
		   enum doze_reason why, int64_t ts)
{
	struct accounts *a = p->path->accounts;
	const struct path_ref *cause[] = {
	    why == DOZE_REASON_latch_set ? &l->latch : publisher(p, w, why, ts), &l->wake};
	const struct path_ref *best = 0;

	for (int i = 0; i < 2; i++) {
		const struct path_ref *c = cause[i];

		if (c && path_account_valid(a, c) && c->ts >= l->free && c->ts <= ts &&
		    (!best || c->ts > best->ts))
			best = c;
	}
	l->unpaid = is_taken(why) && !path_account_valid(a, &taken_by(p, w)->by) ? ts : 0;
	if (!best || !path_account_follow(a, &l->now, best, w->key.index))
		return;
	l->now.part[DOZE_PATH_waiting] += ts - l->now.ts;
	l->now.ts = ts;
}

/* Called when a worker runs out of work. At level `all`, the end of its last job may have set
 * l->free already. */
static void work_ended(struct path_pool *p, const struct doze_worker_view *w, struct lane *l,
		       int64_t ts)
{
	if (p->v->jobs_level && !l->depth && l->free >= w->since)
		return;
	l->free = ts;
	if (!p->v->jobs_level)
		path_account_set(p->path->accounts, &p->path->last, &l->now);
}

void path_state(struct path_pool *p, const struct doze_worker_view *w, enum doze_state to,
		enum doze_reason why, int64_t ts)
{
	struct lane *l = path_lane(p, w->key.index);

	if (!l)
		return;
	advance(w, l, ts);
	if (w->state == DOZE_STATE_active && w->why != DOZE_REASON_start &&
	    to != DOZE_STATE_stopped) /* a worker that stops has no work to end */
		work_ended(p, w, l, ts);
	l->unpaid = 0;
	if (why == DOZE_REASON_start)
		l->depth = l->nested = 0;
	else if (to == DOZE_STATE_active)
		follow(p, w, l, why, ts);
	/* A wake may be reported before the sleep that it ends. */
	if (to == DOZE_STATE_active ||
	    (to == DOZE_STATE_sleeping && w->wake_phase == DOZE_WAKE_none))
		path_forget(p, &l->wake);
}

void path_job_start(struct path_pool *p, const struct doze_worker_view *w,
		    const struct doze_event *e)
{
	struct lane *l = path_lane(p, w->key.index);
	bool broadcast = e->u.job.source == DOZE_SOURCE_broadcast;

	if (!l)
		return;
	l->depth++;
	if ((!broadcast && e->u.job.source != DOZE_SOURCE_injected) || l->nested == PATH_NESTED)
		return;
	l->running[l->nested].job = e->u.job.id;
	l->running[l->nested++].vtid = broadcast ? p->path->broadcaster : taken_by(p, w)->vtid;
}

/* Corrects the taker's path, so that it is the same as if the post had been reported before the job
 * was taken. */
static void pay_late(struct path_pool *p, const struct doze_worker_view *w, struct lane *l,
		     const struct doze_event *e)
{
	struct accounts *a = p->path->accounts;
	struct path_ref post = {0};
	int64_t late;

	path_note(p, e, &post);
	late = e->ts - l->unpaid;
	late = late < post.work ? late : post.work;
	post.work -= late;
	post.ts -= late;
	if (post.ts >= l->free && path_account_follow(a, &l->now, &post, w->key.index)) {
		l->now.work = e->ts - post.ts;
		l->now.ts = e->ts;
	}
	path_account_drop(a, &post);
}

/* Returns where to store the poster's vtid: in the job that was taken or that is running. Returns
 * null if the job has ended. */
static int32_t *poster_of(struct path_pool *p, const struct doze_worker_view *w, struct lane *l)
{
	struct path_worker *notes = path_worker_of(p, w->key.index);

	if (w->job_in_hand)
		return notes ? &notes->took.vtid : 0;
	for (uint32_t i = l->nested; i > 0; i--)
		if (l->running[i - 1].vtid < 0)
			return &l->running[i - 1].vtid;
	return 0;
}

void path_taken_before(struct path_pool *p, const struct doze_worker_view *w,
		       const struct doze_event *e)
{
	struct lane *l = w ? path_lane(p, w->key.index) : 0;
	int32_t *vtid = l ? poster_of(p, w, l) : 0;

	if (vtid && e->worker < 0)
		*vtid = e->vtid;
	else if (e->worker < 0)
		path_out_ended(p, e->vtid, 0);
	if (l && l->unpaid)
		pay_late(p, w, l, e);
	if (l)
		l->unpaid = 0;
}

void path_job_end(struct path_pool *p, const struct doze_worker_view *w, const struct doze_event *e)
{
	struct lane *l = path_lane(p, w->key.index);

	if (!l)
		return;
	advance(w, l, e->ts);
	l->depth -= l->depth > 0;
	if (!l->depth) {
		l->free = e->ts;
		path_account_set(p->path->accounts, &p->path->last, &l->now);
	}
	if (l->nested && l->running[l->nested - 1].job == e->u.job.id)
		path_out_ended(p, l->running[--l->nested].vtid, &l->now);
}

void path_lost(struct path_pool *p)
{
	for (uint32_t i = 0; p->path && i < p->path->workers; i++)
		p->path->lane[i].depth = p->path->lane[i].nested = 0;
	for (int i = 0; p->path && i < PATH_OUTSIDE; i++)
		p->path->out[i].open = 0;
}
