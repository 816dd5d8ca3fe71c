/*
 * SPDX-License-Identifier: MIT
 *
 * jobs.c - counts published jobs and finds under-wakes.
 *
 * An under-wake is what the RFC calls a missed notification: a published job waits, a worker
 * sleeps, and no worker searches. Under policies that allow under-wakes, they are a cost and not a
 * fault. Which job waits does not matter, so one count per pool is enough: a post adds its jobs,
 * and a job taken from a queue subtracts one. The lists of waiting posts show which post the job
 * belongs to. The count needs every post and every job start, that is, level `all`.
 */
#include <stdlib.h>

#include "model_int.h"

/*
 * ---- Lists the posts whose jobs still wait, one short list per queue (the injector
 * and each worker's deque), in order to name the post behind an under-wake.
 *
 * The owner of a deque takes the newest job; thieves, and takers from the injector, take the
 * oldest. (If the owner uses its deque first in, first out, the number of jobs is correct, but the
 * post may be wrong.) A job that a thief has moved to its own deque stays in the list of its
 * poster. A full list adds further jobs to its last post. Jobs that were taken before their post
 * was reported count as early, and are subtracted from the queue's next post. When no job of the
 * pool waits and none is early, all lists are emptied, so that a steal whose victim is unknown
 * causes no lasting error.
 */

enum { TAKERS = 8 };

struct waiting_posts {
	uint64_t round; /* the list is empty if this differs from the pool's round */
	uint32_t first, count;
	uint32_t early, early_first; /* number of jobs taken before their posts were seen; index of
				      * the oldest of them (modulo TAKERS in `taker`) */
	int32_t taker[TAKERS];       /* the workers that took the latest early jobs */
	uint32_t first_slot;         /* first slot number of the list, for observers */
	struct {
		struct doze_waiting_post post;
		uint32_t waiting;
	} at[DOZE_POST_SLOTS];
};

static uint32_t position(const struct waiting_posts *q, uint32_t i)
{
	return (q->first + i) % DOZE_POST_SLOTS;
}

static void renew(struct doze_model *m, struct pool *p, struct waiting_posts *q)
{
	if (q->round == p->queues.round)
		return;
	q->round = p->queues.round;
	for (uint32_t i = 0; i < q->count; i++)
		notify_observers(m, post_done, &p->v, q->first_slot + position(q, i));
	q->count = q->early = 0;
}

/* Returns the list of owner's deque, or of the injector if owner is null. Returns null if out of
 * memory. */
static struct waiting_posts *list(struct doze_model *m, struct pool *p, struct worker *owner)
{
	struct waiting_posts **q = owner ? &owner->posts : &p->queues.injector;

	if (!*q) {
		*q = calloc(1, sizeof **q);
		if (*q && owner)
			(*q)->first_slot = ((uint32_t)owner->v.key.index + 1) * DOZE_POST_SLOTS;
	}
	if (*q)
		renew(m, p, *q);
	return *q;
}

struct doze_waiting_post doze_waiting_post_of(const struct doze_event *e)
{
	return (struct doze_waiting_post){.known = true,
					  .ts = e->ts,
					  .poster = e->worker,
					  .poster_vtid = e->vtid,
					  .queue = e->u.post.queue,
					  .jobs = e->u.post.jobs,
					  .wakes = e->u.post.wakes,
					  .idle = e->u.post.idle,
					  .sleeping = e->u.post.sleeping,
					  .decision_id = e->u.post.decision_id,
					  .caller = e->u.post.caller};
}

/* Returns the worker that took the oldest early job, or null if unknown. */
static const struct doze_worker_view *early_taker(const struct pool *p,
						  const struct waiting_posts *q)
{
	if (q->early > TAKERS)
		return 0;
	return doze_pool_worker(&p->v, q->taker[q->early_first % TAKERS]);
}

static void push(struct doze_model *m, struct pool *p, struct waiting_posts *q,
		 const struct doze_event *e)
{
	uint32_t n = e->u.post.jobs, last;

	for (; n && q->early; n--) {
		notify_observers(m, job_was_taken, &p->v, early_taker(p, q), e);
		q->early_first++;
		q->early--;
		p->queues.early--;
	}
	if (!n)
		return;
	if (q->count == DOZE_POST_SLOTS) {
		last = position(q, q->count - 1);
		q->at[last].post.merged = true;
		q->at[last].waiting += n;
		return;
	}
	last = position(q, q->count++);
	q->at[last].post = doze_waiting_post_of(e);
	q->at[last].waiting = n;
	notify_observers(m, post_waits, &p->v, q->first_slot + last, e);
}

static void take_early(struct pool *p, const struct worker *w, struct waiting_posts *q)
{
	if (q->early >= p->v.known_workers)
		return;
	q->taker[(q->early_first + q->early++) % TAKERS] = w->v.key.index;
	p->queues.early++;
}

/* Removes a job from the list of owner's deque, or of the injector if owner is null. Sets *done if
 * it was the last job of its post. w: the worker that takes the job, or null. */
static struct doze_taken_job take(struct doze_model *m, struct pool *p, struct worker *w,
				  struct worker *owner, bool newest, bool *done)
{
	struct doze_taken_job job = {.slot = -1, .poster_vtid = -1};
	struct waiting_posts *q = list(m, p, owner);
	uint32_t i;

	if (q && !q->count && w)
		take_early(p, w, q);
	if (!q || !q->count)
		return job;
	i = newest ? position(q, q->count - 1) : q->first;
	job.slot = q->first_slot + i;
	job.poster_vtid = q->at[i].post.poster < 0 ? q->at[i].post.poster_vtid : -1;
	*done = !--q->at[i].waiting;
	q->count -= *done;
	if (*done && !newest)
		q->first = position(q, 1);
	return job;
}

/* Returns whether the list of the worker's own posts has a job. */
static bool has_own(const struct pool *p, const struct worker *w)
{
	return w->posts && w->posts->round == p->queues.round && w->posts->count;
}

/* Removes one of the moved jobs from the worker's deque. Returns the worker that posted it, or null
 * if there is none. */
static struct worker *poster_of_moved(struct pool *p, struct worker *w)
{
	if (!w->moved)
		return NULL;
	w->moved--;
	return model_worker_seen(p, (int32_t)w->moved_from - 1);
}

static struct doze_taken_job take_from(struct doze_model *m, struct pool *p, struct worker *w,
				       enum doze_source from, bool *done)
{
	struct doze_taken_job unknown = {.slot = -1, .poster_vtid = -1};
	struct worker *victim, *poster;

	switch (from) {
	case DOZE_SOURCE_local:
	case DOZE_SOURCE_helped:
		victim = has_own(p, w) ? NULL : poster_of_moved(p, w);
		return victim ? take(m, p, w, victim, false, done) : take(m, p, w, w, true, done);
	case DOZE_SOURCE_stolen:
		victim = model_worker_seen(p, (int32_t)w->stolen_from - 1);
		poster = victim ? poster_of_moved(p, victim) : NULL;
		return victim ? take(m, p, w, poster ? poster : victim, false, done) : unknown;
	case DOZE_SOURCE_injected:
		return take(m, p, w, 0, false, done);
	default:
		return unknown;
	}
}

static void older(const struct pool *p, const struct waiting_posts *q,
		  const struct doze_waiting_post **best)
{
	const struct doze_waiting_post *post;

	if (!q || q->round != p->queues.round || !q->count)
		return;
	post = &q->at[q->first].post;
	if (!*best || post->ts < (*best)->ts)
		*best = post;
}

/* Returns the oldest post with a waiting job. Its `known` is false if no such post was seen. */
static struct doze_waiting_post model_posts_oldest(const struct pool *p)
{
	const struct doze_waiting_post *best = 0;

	older(p, p->queues.injector, &best);
	for (const struct worker *w = model_next_worker(p, 0); w; w = model_next_worker(p, w))
		older(p, w->posts, &best);
	return best ? *best : (struct doze_waiting_post){.poster = -1, .poster_vtid = -1};
}

enum doze_underwake_why doze_underwake_why(const struct doze_waiting_post *post)
{
	if (!post->known)
		return DOZE_UNDERWAKE_unknown;
	if (post->wakes)
		return DOZE_UNDERWAKE_woke;
	if (post->idle > 0)
		return DOZE_UNDERWAKE_idle;
	if (post->sleeping == 0)
		return DOZE_UNDERWAKE_none_asleep;
	return DOZE_UNDERWAKE_rule;
}

const char *doze_underwake_why_name(enum doze_underwake_why why)
{
	static const char *const names[] = {[DOZE_UNDERWAKE_unknown] = "unknown",
					    [DOZE_UNDERWAKE_woke] = "woke",
					    [DOZE_UNDERWAKE_idle] = "idle",
					    [DOZE_UNDERWAKE_none_asleep] = "none_asleep",
					    [DOZE_UNDERWAKE_rule] = "rule"};

	return (unsigned)why < DOZE_UNDERWAKE_COUNT ? names[why] : "?";
}

void model_jobs_post(struct doze_model *m, struct pool *p, struct worker *w,
		     const struct doze_event *e)
{
	bool counts = in_scope(m, e->ts, e->worker);
	struct waiting_posts *q;

	m->totals.posts += counts;
	if (e->worker < 0 && counts)
		m->totals.jobs_published += e->u.post.jobs;
	if (e->u.post.queue != DOZE_QUEUE_broadcast) {
		p->v.jobs_waiting += e->u.post.jobs;
		q = list(m, p, e->u.post.queue == DOZE_QUEUE_local ? w : 0);
		if (q)
			push(m, p, q, e);
	}
	p->underwake.waking = e->u.post.wakes > 0;
	p->underwake.waking_vtid = e->vtid;
	model_jobs_state(m, p, e->ts);
}

/* Subtracts one job. The count may briefly be negative, because a thief can take a job before its
 * poster reports it. Its lower limit is minus the number of workers, so that missed posts cannot
 * hide all later under-wakes. */
static void take_one(struct doze_model *m, struct pool *p, struct worker *w, enum doze_source from)
{
	struct doze_taken_job job;
	bool done = false;

	if (p->v.jobs_waiting > -(int64_t)p->v.known_workers)
		p->v.jobs_waiting--;
	job = take_from(m, p, w, from, &done);
	notify_observers(m, job_taken, &w->v, job);
	if (done)
		notify_observers(m, post_done, &p->v, (uint32_t)job.slot);
	if (p->v.jobs_waiting == 0 && p->queues.early == 0)
		p->queues.round++;
}

void model_jobs_found(struct doze_model *m, struct worker *w, enum doze_reason why)
{
	enum doze_source from = model_source_of(why);

	w->v.job_in_hand = from != DOZE_SOURCE_none && from != DOZE_SOURCE_broadcast;
	if (w->v.job_in_hand)
		take_one(m, w->pool, w, from);
}

/* Counts a job taken from a queue. An inline job was never in a queue, and a broadcast job waits
 * for a specific worker. */
void model_jobs_start(struct doze_model *m, struct pool *p, struct worker *w,
		      const struct doze_event *e)
{
	enum doze_source s = e->u.job.source;

	model_missing_start(w);
	if (s == DOZE_SOURCE_inline || s == DOZE_SOURCE_broadcast)
		return;
	if (!w->v.job_in_hand)
		take_one(m, p, w, s);
	w->v.job_in_hand = false;
	model_jobs_state(m, p, e->ts);
}

/* The lists do not have the jobs' ids, so this removes the oldest job. */
void model_jobs_cancelled(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	struct doze_taken_job job;
	bool done = false;

	if (e->u.job.source != DOZE_SOURCE_injected || p->v.jobs_waiting <= 0)
		return;
	p->v.jobs_waiting--;
	job = take(m, p, 0, 0, false, &done);
	if (done)
		notify_observers(m, post_done, &p->v, (uint32_t)job.slot);
	if (p->v.jobs_waiting == 0 && p->queues.early == 0)
		p->queues.round++;
	model_jobs_state(m, p, e->ts);
}

void model_jobs_any(struct pool *p, const struct doze_event *e)
{
	if (p->underwake.waking && p->underwake.waking_vtid == e->vtid)
		p->underwake.waking = false;
}

static bool missed(const struct pool *p)
{
	const uint32_t *n = p->v.in_state;

	/* A worker that is notified, about to be notified, or leaving its sleep counts as
	 * searching. */
	return p->v.jobs_waiting > 0 && n[DOZE_STATE_sleeping] && !n[DOZE_STATE_idle] &&
	       !n[DOZE_STATE_sleepy] && !p->v.notified && !p->leaving && !p->underwake.waking;
}

static void under_end(struct doze_model *m, struct pool *p, int64_t ts)
{
	struct doze_underwake_measures *u = &m->measures.underwake;
	int64_t ns = ts - p->underwake.under_ts;

	p->underwake.under = false;
	if (!in_scope(m, p->underwake.under_ts, p->underwake.under_post.poster))
		return;
	u->spans++;
	u->by_why[doze_underwake_why(&p->underwake.under_post)]++;
	doze_hist_add(&u->wait, ns);
	if (ns <= u->worst)
		return;
	u->worst = ns;
	u->worst_at = p->underwake.under_ts;
	u->worst_post = p->underwake.under_post;
	u->worst_pool = p->v.pool;
	u->worst_pool_row = p->v.row;
}

void model_jobs_state(struct doze_model *m, struct pool *p, int64_t ts)
{
	bool now = p->v.jobs_level && missed(p);

	if (now == p->underwake.under)
		return;
	if (!now) {
		under_end(m, p, ts);
		return;
	}
	p->underwake.under = true;
	p->underwake.under_ts = ts;
	p->underwake.under_post = model_posts_oldest(p);
}

void model_jobs_stolen(struct worker *w, int32_t victim)
{
	w->stolen_from = (uint32_t)victim + 1;
}

void model_jobs_moved(struct worker *w, int32_t victim)
{
	struct worker *from = model_worker_seen(w->pool, victim);
	struct worker *poster = from ? poster_of_moved(w->pool, from) : NULL;

	w->moved_from = poster ? (uint32_t)poster->v.key.index + 1 : (uint32_t)victim + 1;
	w->moved++;
}

void model_jobs_searches(struct worker *w)
{
	w->moved = 0;
}

void model_jobs_drop(struct worker *w)
{
	w->moved = 0;
	w->posts = NULL;
}

/* Saves or loads a list of posts. A loaded list replaces one that was never used. */
static void list_saved(struct waiting_posts **q, struct doze_saved *s)
{
	size_t any = *q != 0;

	(void)doze_saved_array(s, *q, any);
	if (!s->loads || s->failed || !any)
		return;
	if (any > 1 || (*q)->count > DOZE_POST_SLOTS || (*q)->first >= DOZE_POST_SLOTS)
		(void)doze_saved_fail(s);
}

void model_jobs_saved(struct pool *p, struct doze_saved *s)
{
	(void)doze_saved_value(s, p->underwake);
	(void)doze_saved_value(s, p->queues.round);
	(void)doze_saved_value(s, p->queues.early);
	list_saved(&p->queues.injector, s);
	for (struct worker *w = model_next_worker(p, 0); w; w = model_next_worker(p, w))
		list_saved(&w->posts, s);
}

bool model_jobs_settled(const struct pool *p, int64_t to)
{
	return !p->underwake.under || p->underwake.under_ts > to;
}

void model_jobs_free(struct pool *p)
{
	for (struct worker *w = model_next_worker(p, 0); w; w = model_next_worker(p, w)) {
		free(w->posts);
		w->posts = NULL;
	}
	free(p->queues.injector);
	p->queues.injector = NULL;
}

/* Lost events make the contents of the queues unknown. */
void model_jobs_lost(struct pool *p)
{
	p->v.jobs_waiting = 0;
	p->queues.round++; /* empties all lists of waiting posts */
	p->queues.early = 0;
	p->underwake.under = false;
}
