/*
 * SPDX-License-Identifier: MIT
 *
 * path_outside.c - accounts for the time of outside threads on the critical path (path.h).
 *
 * The trace shows only when such a thread posts, wakes, sets a latch or marks. Between these
 * events it works, sleeps, or waits for the pool, and the trace does not show which. This file
 * assumes that it waited in two cases. At level `all`, when all jobs that it posted have ended, it
 * waited for the job that ended last. Below that level, when no worker is active, it waited for the
 * worker that was last active. All other time counts as the thread's own work.
 */
#include "path_int.h"

static struct out_lane *find(struct path *path, int32_t vtid)
{
	for (int i = 0; i < PATH_OUTSIDE; i++)
		if (path->out[i].used && path->out[i].vtid == vtid)
			return &path->out[i];
	return 0;
}

/* Returns an unused entry, or else the entry of the thread whose latest event is oldest. */
static struct out_lane *make(struct path *path, int32_t vtid)
{
	struct out_lane *o = &path->out[0];

	for (int i = 1; i < PATH_OUTSIDE && o->used; i++)
		if (!path->out[i].used || path->out[i].now.ts < o->now.ts)
			o = &path->out[i];
	path_account_drop(path->accounts, &o->now);
	path_account_drop(path->accounts, &o->ended);
	*o = (struct out_lane){.used = true, .vtid = vtid};
	return o;
}

static struct out_lane *out_lane_of(const struct path_pool *p, int32_t vtid)
{
	struct out_lane *o;

	if (!p->path)
		return 0;
	o = find(p->path, vtid);
	if (!o)
		o = make(p->path, vtid);
	if (!path_account_valid(p->path->accounts, &o->now))
		o->now = (struct path_ref){
		    .phase = p->path->phase, .ts = p->path->begin, .who = path_outside(vtid)};
	return o;
}

/* Returns the end of the work that the thread is assumed to have waited for, or null. */
static const struct path_ref *waited_for(const struct path_pool *p, const struct out_lane *o)
{
	const struct path_ref *end = p->v->jobs_level ? &o->ended : &p->path->last;
	bool rests = p->v->jobs_level ? o->open <= 0 : !p->v->in_state[DOZE_STATE_active];

	return rests && path_account_valid(p->path->accounts, end) && end->ts > o->now.ts ? end : 0;
}

struct path_ref *path_out_now(struct path_pool *p, int32_t vtid, int64_t ts)
{
	struct out_lane *o = out_lane_of(p, vtid);
	const struct path_ref *end;

	if (!o)
		return 0;
	end = waited_for(p, o);
	if (end)
		path_account_follow(p->path->accounts, &o->now, end, path_outside(vtid));
	if (ts > o->now.ts) {
		o->now.work += ts - o->now.ts;
		o->now.ts = ts;
	}
	return &o->now;
}

void path_out_posted(struct path_pool *p, const struct doze_event *e)
{
	struct out_lane *o = out_lane_of(p, e->vtid);

	if (o)
		o->open += e->u.post.jobs;
}

void path_out_ended(struct path_pool *p, int32_t vtid, const struct path_ref *end)
{
	struct out_lane *o = p->path ? find(p->path, vtid) : 0;

	if (!o)
		return;
	o->open -= o->open > 0;
	if (end)
		path_account_set(p->path->accounts, &o->ended, end);
}
