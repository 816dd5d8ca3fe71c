/*
 * SPDX-License-Identifier: MIT
 *
 * path.c - the critical path of a phase: who was waited for.
 *
 * Looked for from the end of the phase, the path goes back through the work that ended last to
 * whatever this work had to wait for, and so on to the phase's beginning. Found it is in one pass
 * forwards, without the events: each thread carries an account of how the time from the phase's
 * beginning until now was spent on the chain that led to what it does now (account.c). While it
 * goes on by itself its account grows. When a worker that had nothing to do begins to work, it was
 * the last of these that it had waited for:
 *
 *	it was free;
 *	its job was published (the job that it took, where the trace says which: left.c);
 *	it was woken;
 *	its latch was set, if that is why it goes on.
 *
 * It goes on from the account which that one had at that moment, and the time in between is
 * waiting. So at the end of the phase the account of whoever worked last is the critical path.
 */
#include "../model/model_int.h"

struct lane *path_lane(const struct pool *p, int32_t worker)
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

void path_copy(struct pool *p, struct path_ref *to, const struct path_ref *from)
{
	if (p->path)
		account_set(p->path->accounts, to, from);
	else
		to->phase = 0;
}

void path_forget(struct pool *p, struct path_ref *of)
{
	if (p->path)
		account_drop(p->path->accounts, of);
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
	default: /* its thread has not begun yet */
		now->part[DOZE_PATH_waiting] += ns;
		break;
	}
}

/* Until ts the worker went on in the state that it is in. */
static void advance(const struct worker *w, struct lane *l, int64_t ts)
{
	if (ts <= l->now.ts)
		return;
	add(&l->now, w->v.state, ts - l->now.ts);
	l->now.ts = ts;
}

static struct path_ref *now_of(struct pool *p, const struct doze_event *e)
{
	struct worker *w = worker_seen(p, e->worker);
	struct lane *l = path_lane(p, e->worker);

	if (e->worker < 0)
		return path_out_now(p, e->vtid, e->ts);
	if (!w || !l)
		return 0;
	advance(w, l, e->ts);
	return &l->now;
}

void path_note(struct pool *p, const struct doze_event *e, struct path_ref *to)
{
	static const struct path_ref none;
	const struct path_ref *now = now_of(p, e);

	path_copy(p, to, now ? now : &none);
}

void path_post(struct pool *p, const struct doze_event *e)
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

void path_latch(struct pool *p, const struct doze_event *e)
{
	struct lane *to = path_lane(p, e->u.latch.owner);

	if (e->u.latch.to == DOZE_LATCH_set && to && e->worker != e->u.latch.owner)
		path_note(p, e, &to->latch);
}

void path_owe(struct worker *w, const struct path_ref *by)
{
	struct lane *l = path_lane(w->pool, w->v.key.index);

	if (l)
		path_copy(w->pool, &l->wake, by);
}

/* At the level states not all posts are told. The job is taken to be of the latest post; where all
 * of its jobs have been found it is one that was not told, made just now by whoever made that. */
static const struct path_ref *injected(struct pool *p, int64_t ts)
{
	struct path *path = p->path;

	if (path->injected_jobs) {
		path->injected_jobs--;
		return &path->injected;
	}
	return path->injector < 0 ? 0 : path_out_now(p, path->injector, ts);
}

/* The account of whoever published the job that the worker found; null: not known. */
static const struct path_ref *publisher(struct worker *w, enum doze_reason why, int64_t ts)
{
	if (why == DOZE_REASON_found_broadcast)
		return &w->pool->path->broadcast;
	if (why == DOZE_REASON_found_injected && !w->pool->v.jobs_level)
		return injected(w->pool, ts);
	return &w->took.by;
}

static bool is_taken(enum doze_reason why)
{
	return why == DOZE_REASON_found_injected || why == DOZE_REASON_found_stolen;
}

/* A worker begins to work: after whom? */
static void follow(struct worker *w, struct lane *l, enum doze_reason why, int64_t ts)
{
	struct accounts *a = w->pool->path->accounts;
	const struct path_ref *cause[] = {
	    why == DOZE_REASON_latch_set ? &l->latch : publisher(w, why, ts), &l->wake};
	const struct path_ref *best = 0;

	for (int i = 0; i < 2; i++) {
		const struct path_ref *c = cause[i];

		if (c && account_valid(a, c) && c->ts >= l->free && c->ts <= ts &&
		    (!best || c->ts > best->ts))
			best = c;
	}
	l->unpaid = is_taken(why) && !account_valid(a, &w->took.by) ? ts : 0;
	if (!best || !account_follow(a, &l->now, best, w->v.key.index))
		return;
	l->now.part[DOZE_PATH_waiting] += ts - l->now.ts;
	l->now.ts = ts;
}

/* A worker has nothing to do any more. At the level jobs the end of its job was that moment. */
static void work_ended(const struct worker *w, struct lane *l, int64_t ts)
{
	if (w->pool->v.jobs_level && !l->depth && l->free >= w->v.since)
		return;
	l->free = ts;
	if (!w->pool->v.jobs_level)
		account_set(w->pool->path->accounts, &w->pool->path->last, &l->now);
}

void path_state(struct worker *w, enum doze_state to, enum doze_reason why, int64_t ts)
{
	struct lane *l = path_lane(w->pool, w->v.key.index);

	if (!l)
		return;
	advance(w, l, ts);
	if (w->v.state == DOZE_STATE_active && w->why != DOZE_REASON_start &&
	    to != DOZE_STATE_stopped) /* not the farewell */
		work_ended(w, l, ts);
	l->unpaid = 0;
	if (why == DOZE_REASON_start)
		l->depth = l->hands = 0;
	else if (to == DOZE_STATE_active)
		follow(w, l, why, ts);
	/* A wake that came before its sleep was told still owns that sleep. */
	if (to == DOZE_STATE_active || (to == DOZE_STATE_sleeping && w->phase == WAKE_NONE))
		path_forget(w->pool, &l->wake);
}

void path_job_start(struct worker *w, const struct doze_event *e)
{
	struct lane *l = path_lane(w->pool, w->v.key.index);
	bool broadcast = e->u.job.source == DOZE_SOURCE_broadcast;

	if (!l)
		return;
	l->depth++;
	if ((!broadcast && e->u.job.source != DOZE_SOURCE_injected) || l->hands == PATH_HANDS)
		return;
	l->hand[l->hands].job = e->u.job.id;
	l->hand[l->hands++].vtid = broadcast ? w->pool->path->broadcaster : w->took.vtid;
}

/* It goes on after that post as if this had been told in time. */
static void pay_late(struct worker *w, struct lane *l, const struct doze_event *e)
{
	struct accounts *a = w->pool->path->accounts;
	struct path_ref post = {0};
	int64_t late;

	path_note(w->pool, e, &post);
	late = e->ts - l->unpaid;
	late = late < post.work ? late : post.work;
	post.work -= late;
	post.ts -= late;
	if (post.ts >= l->free && account_follow(a, &l->now, &post, w->v.key.index)) {
		l->now.work = e->ts - post.ts;
		l->now.ts = e->ts;
	}
	account_drop(a, &post);
}

/* Where the poster's number belongs: to a job that is taken, or runs. Null: it has ended. */
static int32_t *poster_of(struct worker *w, struct lane *l)
{
	if (w->has_found)
		return &w->took.vtid;
	for (uint32_t i = l->hands; i > 0; i--)
		if (l->hand[i - 1].vtid < 0)
			return &l->hand[i - 1].vtid;
	return 0;
}

void path_taken_before(struct pool *p, struct worker *w, const struct doze_event *e)
{
	struct lane *l = w ? path_lane(p, w->v.key.index) : 0;
	int32_t *vtid = l ? poster_of(w, l) : 0;

	if (vtid && e->worker < 0)
		*vtid = e->vtid;
	else if (e->worker < 0)
		path_out_ended(p, e->vtid, 0);
	if (l && l->unpaid)
		pay_late(w, l, e);
	if (l)
		l->unpaid = 0;
}

void path_job_end(struct worker *w, const struct doze_event *e)
{
	struct lane *l = path_lane(w->pool, w->v.key.index);

	if (!l)
		return;
	advance(w, l, e->ts);
	l->depth -= l->depth > 0;
	if (!l->depth) {
		l->free = e->ts;
		account_set(w->pool->path->accounts, &w->pool->path->last, &l->now);
	}
	if (l->hands && l->hand[l->hands - 1].job == e->u.job.id)
		path_out_ended(w->pool, l->hand[--l->hands].vtid, &l->now);
}

void path_lost(struct pool *p)
{
	for (uint32_t i = 0; p->path && i < p->path->workers; i++)
		p->path->lane[i].depth = p->path->lane[i].hands = 0;
	for (int i = 0; p->path && i < PATH_OUTSIDE; i++)
		p->path->out[i].open = 0;
}
