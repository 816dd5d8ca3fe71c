/*
 * SPDX-License-Identifier: MIT
 *
 * path.c - the critical path of a phase: who was waited for.
 *
 * Each worker carries an account of how the time from the beginning of the phase until now was
 * spent on the chain of events that led to what it does now: by which worker, or waiting, or
 * searching. While it goes on by itself its account grows. When it goes on because of another (its
 * latch was set, or it was woken and found a job), it takes over the account which that one had at
 * that moment, and the time in between is waiting. So at the end of the phase the account of
 * whoever finished last is the critical path, found in one pass forwards, without the events.
 *
 * Key invariant: the items of an account add up to the time from the phase's beginning to its own
 * moment.
 *
 * Kept for pools of at most DOZE_PATH_WORKERS: the accounts take workers^2 numbers.
 */
#include <stdlib.h>
#include <string.h>

#include "model_int.h"

#define KEEP_POOLS                                                                                 \
	64 /* with more pools than this, stopped ones lose their accounts (100 KB each) */

/* Where time goes in an account, behind the workers' own items. */
enum { ITEM_WAIT = DOZE_PATH_WORKERS, ITEM_SEARCH, ITEMS };

struct account {
	int64_t ts; /* it is complete until then */
	double ns[ITEMS];
};

/* What another one's account was when it set the worker's latch or woke it. */
struct debt {
	bool valid;
	struct account from;
};

struct path {
	int64_t begin;
	int32_t last_done; /* the worker that left its work last, -1 none */
	struct lane {
		struct account now;
		struct debt latch, wake;
	} lane[DOZE_PATH_WORKERS];
};

static struct lane *lane_of(struct pool *p, int32_t worker)
{
	if (!p->path || worker < 0 || worker >= DOZE_PATH_WORKERS)
		return 0;
	return &p->path->lane[worker];
}

static void begin_phase(struct path *path, int64_t ts)
{
	path->begin = ts;
	path->last_done = -1;
	for (int i = 0; i < DOZE_PATH_WORKERS; i++) {
		struct lane *l = &path->lane[i];

		memset(&l->now, 0, sizeof l->now);
		l->now.ts = ts;
		l->latch.valid = false;
		l->wake.valid = false;
	}
}

void path_begin(struct pool *p, int64_t ts)
{
	if (!p->path && p->v.workers && p->v.workers <= DOZE_PATH_WORKERS)
		p->path = malloc(sizeof *p->path);
	if (p->path)
		begin_phase(p->path, ts);
}

void path_stop(const struct doze_model *m, struct pool *p)
{
	if (m->pool_count <= KEEP_POOLS)
		return;
	free(p->path);
	p->path = 0;
}

/* Until ts the worker went on in the state that it is in. */
static void advance(const struct worker *w, struct lane *l, int64_t ts)
{
	int item = w->v.state == DOZE_STATE_active ? w->v.key.index : ITEM_SEARCH;

	if (ts <= l->now.ts)
		return;
	l->now.ns[item] += (double)(ts - l->now.ts);
	l->now.ts = ts;
}

static void owe(struct pool *p, int32_t creditor, int32_t debtor, bool latch, int64_t ts)
{
	struct lane *from = lane_of(p, creditor), *to = lane_of(p, debtor);
	struct worker *w = worker_seen(p, creditor);
	struct debt *d;

	if (!from || !to || !w || creditor == debtor)
		return;
	advance(w, from, ts);
	d = latch ? &to->latch : &to->wake;
	d->valid = true;
	d->from = from->now;
}

void path_latch(struct pool *p, const struct doze_event *e)
{
	if (e->u.latch.to == DOZE_LATCH_set)
		owe(p, e->worker, e->u.latch.owner, true, e->ts);
}

void path_wake(struct pool *p, const struct doze_event *e)
{
	owe(p, e->worker, e->u.wake.target, false, e->ts);
}

/* Goes on because of another: takes over its account, and has waited since. */
static void pay(struct lane *l, struct debt *d, int64_t ts)
{
	if (!d->valid || d->from.ts > ts)
		return;
	l->now = d->from;
	l->now.ns[ITEM_WAIT] += (double)(ts - l->now.ts);
	l->now.ts = ts;
	d->valid = false;
}

void path_state(struct worker *w, enum doze_state to, enum doze_reason why, int64_t ts)
{
	struct lane *l = lane_of(w->pool, w->v.key.index);

	if (!l)
		return;
	advance(w, l, ts);
	if (w->v.state == DOZE_STATE_active && to != DOZE_STATE_stopped) /* not the farewell */
		w->pool->path->last_done = w->v.key.index;
	if (to != DOZE_STATE_active)
		return;
	if (why == DOZE_REASON_latch_set)
		pay(l, &l->latch, ts);
	else
		pay(l, &l->wake, ts);
	l->wake.valid = false;
}

bool doze_model_path(const struct doze_model *m, size_t pool, int64_t ts, struct doze_path *out)
{
	struct pool *p = pool < m->pool_count ? m->pools[pool] : 0;
	struct worker *w = p && p->path ? worker_seen(p, p->path->last_done) : 0;
	struct lane *l = w ? lane_of(p, p->path->last_done) : 0;

	if (!l)
		return false;
	memset(out, 0, sizeof *out);
	out->from = p->path->begin;
	out->to = l->now.ts;
	out->after = ts > l->now.ts ? ts - l->now.ts : 0;
	out->last = w->v.key.index;
	for (int i = 0; i < DOZE_PATH_WORKERS; i++)
		out->worker[i] = (int64_t)l->now.ns[i];
	out->wait = (int64_t)l->now.ns[ITEM_WAIT];
	out->search = (int64_t)l->now.ns[ITEM_SEARCH];
	return true;
}
