/*
 * SPDX-License-Identifier: MIT
 *
 * path.c - computes the critical path of a phase: the chain of work and waiting that ends with the
 * phase's last work.
 *
 * By definition, the path starts at the work that ended last, goes back to the work that it had to
 * wait for, and so on, to the beginning of the phase. This file computes it in one forward pass,
 * without storing events. Each thread has an account of how the time since the phase's beginning
 * was spent on the chain that led to its current work. When an idle worker begins to
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
#include <stdlib.h>
#include <string.h>

#include "path_int.h"

/*
 * ---- An account records how one thread spent the time up to a given moment (path.h).
 *
 * Each post, wake and set latch copies an account, and most copies are never used. An account is
 * therefore small: it contains only the times since its thread last continued from another account.
 * The sums of the earlier part of the path are in a node, which it shares with other accounts of
 * the same thread. A thread that continues from another account gets a new node; existing nodes
 * never change. Nodes are reference-counted. Their array is allocated once and reused from the
 * start in each phase, which invalidates all references of earlier phases.
 *
 * A node names up to DOZE_PATH_NAMED threads. If a path has more, the one with the least work is
 * added to `others`.
 */

/* Nodes per worker: one for its current account, and one for the copies that its posts, wakes and
 * set latches make. Most of these copies share a node. */
#define NODES_PER_WORKER 2
#define NODES_MORE       128

struct item {
	int64_t ns;
	int32_t who;
};

struct node {
	uint32_t refs, next; /* next: next node in the free list */
	uint32_t named;
	int64_t others, part[DOZE_PATH_PARTS];
	struct item item[];
};

struct accounts {
	uint64_t phase;
	uint32_t room, used, free; /* number of nodes; number of nodes used so far in this phase;
				    * head of the free list */
	uint32_t names;            /* items per node */
	size_t stride;
	_Alignas(struct node) char nodes[];
};

static void size_for(struct accounts *a, uint32_t workers)
{
	uint32_t names = workers + PATH_OUTSIDE;

	a->names = names < DOZE_PATH_NAMED ? names : DOZE_PATH_NAMED;
	a->room = NODES_PER_WORKER * workers + NODES_MORE;
	a->stride = sizeof(struct node) + a->names * sizeof(struct item);
}

static size_t path_accounts_bytes(uint32_t workers)
{
	struct accounts a;

	size_for(&a, workers);
	return sizeof a + a.room * a.stride;
}

static struct accounts *path_accounts_new(uint32_t workers)
{
	struct accounts *a = calloc(1, path_accounts_bytes(workers));

	if (a)
		size_for(a, workers);
	return a;
}

/* Nodes are numbered from 1. */
static struct node *node_at(const struct accounts *a, uint32_t n)
{
	return (struct node *)(a->nodes + (n - 1) * a->stride);
}

static bool path_account_valid(const struct accounts *a, const struct path_ref *r)
{
	return r->phase == a->phase;
}

static void path_account_drop(struct accounts *a, struct path_ref *r)
{
	struct node *n;

	if (path_account_valid(a, r) && r->node) {
		n = node_at(a, r->node);
		if (!--n->refs) {
			n->next = a->free;
			a->free = r->node;
		}
	}
	r->phase = 0;
	r->node = 0;
}

/* Returns a new node with one reference, or 0 if none is free. */
static uint32_t node_new(struct accounts *a)
{
	uint32_t n = a->free;

	if (n)
		a->free = node_at(a, n)->next;
	else if (a->used < a->room)
		n = ++a->used;
	if (n)
		node_at(a, n)->refs = 1;
	return n;
}

/* Adds ns to the item of thread `who`. If all items are in use, the smallest one is first moved to
 * `others`. */
static void add_item(const struct accounts *a, struct node *n, int32_t who, int64_t ns)
{
	uint32_t least = 0;

	for (uint32_t i = 0; i < n->named; i++) {
		if (n->item[i].who == who) {
			n->item[i].ns += ns;
			return;
		}
		if (n->item[i].ns < n->item[least].ns)
			least = i;
	}
	if (n->named < a->names)
		least = n->named++;
	else
		n->others += n->item[least].ns;
	n->item[least] = (struct item){.who = who, .ns = ns};
}

/* Stores all sums of the account *r in a node that no other account shares yet. */
static void node_fill(const struct accounts *a, struct node *n, const struct path_ref *r)
{
	const struct node *from = r->node ? node_at(a, r->node) : 0;

	n->named = from ? from->named : 0;
	n->others = from ? from->others : 0;
	for (int k = 0; k < DOZE_PATH_PARTS; k++)
		n->part[k] = r->part[k] + (from ? from->part[k] : 0);
	if (from)
		memcpy(n->item, from->item, from->named * sizeof *from->item);
	if (r->work)
		add_item(a, n, r->who, r->work);
}

/* Makes *now an account of `who` that continues *from. Returns false, with *now unchanged, if no
 * node is free or *from is not a valid account. */
static bool path_account_follow(struct accounts *a, struct path_ref *now,
				const struct path_ref *from, int32_t who)
{
	int64_t ts = from->ts;
	uint32_t n;

	if (!path_account_valid(a, from))
		return false;
	n = node_new(a);
	if (!n)
		return false;
	node_fill(a, node_at(a, n), from);
	path_account_drop(a, now);
	*now = (struct path_ref){.phase = a->phase, .ts = ts, .node = n, .who = who};
	return true;
}

/* Copies the account's items to *out, in no particular order. */
static void path_account_items(const struct accounts *a, const struct path_ref *r,
			       struct doze_path *out)
{
	union {
		struct node node;
		char room[sizeof(struct node) + DOZE_PATH_NAMED * sizeof(struct item)];
	} all;
	struct node *n = &all.node;

	node_fill(a, n, r);
	out->named = n->named;
	out->others = n->others;
	for (uint32_t i = 0; i < n->named; i++) {
		bool outside = n->item[i].who < 0;

		out->work[i].worker = outside ? -1 : n->item[i].who;
		out->work[i].vtid = outside ? path_vtid(n->item[i].who) : -1;
		out->work[i].ns = n->item[i].ns;
	}
	memcpy(out->part, n->part, sizeof out->part);
}

/* Returns the worker's struct lane, or null if the pool has no path or no such worker. */
static struct lane *path_lane(const struct path_pool *p, int32_t worker)
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

void path_forget(struct path_pool *p, struct path_ref *of)
{
	struct accounts *a = p->path ? p->path->accounts : 0;

	if (a)
		path_account_drop(a, of);
	of->phase = 0;
}

void path_copy(struct path_pool *p, struct path_ref *to, const struct path_ref *from)
{
	struct accounts *a = p->path ? p->path->accounts : 0;
	bool valid = a && path_account_valid(a, from);

	/* Takes the new reference before dropping the old one, because *to may already refer to
	 * that node. */
	if (valid && from->node)
		node_at(a, from->node)->refs++;
	path_forget(p, to);
	if (valid)
		*to = *from;
}

/*
 * ---- Accounts for the time of outside threads on the critical path (path.h).
 *
 * The trace shows only when such a thread posts, wakes, sets a latch or marks. Between these events
 * it works, sleeps, or waits for the pool, and the trace does not show which. This file assumes
 * that it waited in two cases. At level `all`, when all jobs that it posted have ended, it waited
 * for the job that ended last. Below that level, when no worker is active, it waited for the worker
 * that was last active. All other time counts as the thread's own work.
 */

static struct out_lane *find_out(struct path *path, int32_t vtid)
{
	for (int i = 0; i < PATH_OUTSIDE; i++)
		if (path->out[i].used && path->out[i].vtid == vtid)
			return &path->out[i];
	return 0;
}

/* Returns an unused entry, or else the entry of the thread whose latest event is oldest. */
static struct out_lane *make_out(struct path *path, int32_t vtid)
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
	o = find_out(p->path, vtid);
	if (!o)
		o = make_out(p->path, vtid);
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

/* Returns the thread's account, extended to ts, or null if there is none. */
static struct path_ref *path_out_now(struct path_pool *p, int32_t vtid, int64_t ts)
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

static void path_out_posted(struct path_pool *p, const struct doze_event *e)
{
	struct out_lane *o = out_lane_of(p, e->vtid);

	if (o)
		o->open += e->u.post.jobs;
}

/* Counts the end of a job that the thread posted. A null account means that the job ended earlier,
 * at an unknown time. */
static void path_out_ended(struct path_pool *p, int32_t vtid, const struct path_ref *end)
{
	struct out_lane *o = p->path ? find_out(p->path, vtid) : 0;

	if (!o)
		return;
	o->open -= o->open > 0;
	if (end)
		path_copy(p, &o->ended, end);
}

/*
 * ---- Begins and ends critical paths (path.h), and limits their memory.
 *
 * The accounts of a pool take memory in proportion to its number of workers. All pools together may
 * use PATH_BYTES. When a new pool needs more, stopped pools lose their paths; if that is not
 * enough, the new pool has none. Pools without a path are counted.
 */

#define PATH_BYTES (32u << 20)

static void path_free(struct path_pool *p)
{
	if (!p->path)
		return;
	free(p->path->accounts);
	free(p->path);
	p->path = 0;
}

static void drop(struct paths *all, struct path_pool *p)
{
	if (p->path)
		all->bytes -= p->path->bytes;
	path_free(p);
}

/* Drops accounts of stopped pools until `bytes` more fit. Returns false if that is not enough. */
static bool make_space(struct paths *all, size_t bytes)
{
	for (uint32_t i = 0; i < all->pools.capacity && all->bytes + bytes > PATH_BYTES; i++) {
		struct path_pool *p = all->pools.at[i];

		if (!p || !p->v->stopped || !p->path)
			continue;
		drop(all, p);
		all->missing++;
	}
	return all->bytes + bytes <= PATH_BYTES;
}

static void make(struct paths *all, struct path_pool *p)
{
	uint32_t workers = p->v->workers;
	size_t own = sizeof *p->path + workers * sizeof *p->path->lane;
	size_t bytes = own + path_accounts_bytes(workers);

	if (make_space(all, bytes))
		p->path = calloc(1, own);
	if (p->path)
		p->path->accounts = path_accounts_new(workers);
	if (!p->path || !p->path->accounts) {
		path_free(p);
		all->missing++;
		return;
	}
	p->path->bytes = bytes;
	p->path->workers = workers;
	all->bytes += bytes;
}

void path_begin(struct paths *all, struct path_pool *p, int64_t ts)
{
	if (p->path && p->path->workers != p->v->workers)
		drop(all, p);
	/* If a pool's path did not fit, do not try again at each mark. */
	if (!p->path && p->v->workers && p->asked != p->v->workers) {
		p->asked = p->v->workers;
		make(all, p);
	}
	if (!p->path)
		return;
	p->path->begin = ts;
	p->path->phase = ++all->phases;
	/* All nodes are unused again. */
	p->path->accounts->phase = p->path->phase;
	p->path->accounts->used = p->path->accounts->free = 0;
}

static bool at_work(const struct path_pool *p, const struct doze_worker_view *w,
		    const struct lane *l)
{
	return w && l && w->known && w->state == DOZE_STATE_active &&
	       (!p->v->jobs_level || l->depth);
}

/* Returns the worker whose mark ends the phase. Returns null if another thread makes the mark,
 * or if the phase ends without one. */
static const struct doze_worker_view *marker(const struct paths *all, const struct path_pool *p)
{
	const struct doze_event *e = all->mark;

	if (!e || p->v->pool != e->pool || p->v->vpid != e->vpid || p->v->host != e->host)
		return 0;
	return doze_pool_worker(p->v, e->worker);
}

/* Returns a worker that is still working when the phase ends: the worker that makes the mark, or
 * else the one that has worked longest. */
static const struct doze_worker_view *last_at_work(const struct paths *all,
						   const struct path_pool *p)
{
	const struct doze_worker_view *best = marker(all, p), *w;

	if (best && at_work(p, best, path_lane(p, best->key.index)))
		return best;
	best = 0;
	for (uint32_t i = 0; i < p->path->workers && i < p->v->index_end; i++) {
		w = doze_pool_worker(p->v, (int32_t)i);
		if (at_work(p, w, path_lane(p, (int32_t)i)) && (!best || w->since < best->since))
			best = w;
	}
	return best;
}

bool path_find(const struct paths *all, struct path_pool *p, int64_t ts, struct doze_path *out)
{
	const struct doze_worker_view *w;
	struct path_ref end;

	if (!p->path)
		return false;
	w = last_at_work(all, p);
	end = w ? path_lane(p, w->key.index)->now : p->path->last;
	if (end.phase != p->path->phase)
		return false;
	if (w && ts > end.ts) {
		end.work += ts - end.ts;
		end.ts = ts;
	}
	*out = (struct doze_path){.from = p->path->begin, .to = end.ts, .last = end.who};
	out->after = ts > end.ts ? ts - end.ts : 0;
	path_account_items(p->path->accounts, &end, out);
	return true;
}

void path_notes_free(void *paths)
{
	struct paths *all = paths;

	for (uint32_t i = 0; i < all->pools.capacity; i++) {
		struct path_pool *p = all->pools.at[i];

		if (!p)
			continue;
		doze_notes_free(&p->workers);
		free(p->signals);
		path_free(p);
	}
	doze_notes_free(&all->pools);
	free(all);
}

/* Extends the worker's account to ts, as time in its current state. */
static void advance(const struct doze_worker_view *w, struct lane *l, int64_t ts)
{
	/* Other states: the worker's thread has not started yet. */
	static const enum doze_path_part part_of[DOZE_STATE_COUNT] = {
	    [DOZE_STATE_none] = DOZE_PATH_waiting,     [DOZE_STATE_sleeping] = DOZE_PATH_asleep,
	    [DOZE_STATE_blocked] = DOZE_PATH_blocked,  [DOZE_STATE_idle] = DOZE_PATH_searching,
	    [DOZE_STATE_sleepy] = DOZE_PATH_searching,
	};
	int64_t ns = ts - l->now.ts;

	if (ns <= 0)
		return;
	*(w->state == DOZE_STATE_active ? &l->now.work : &l->now.part[part_of[w->state]]) += ns;
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
		path_copy(p, &p->path->last, &l->now);
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
		path_copy(p, &p->path->last, &l->now);
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
