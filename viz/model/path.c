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
 * An account names up to DOZE_PATH_NAMED workers; when a path led over more, the one with least
 * work on it goes into `others`. So accounts take memory by the number of workers, not by its
 * square, and pools of any size have a path, as long as all accounts together stay below
 * PATH_BYTES. Beyond that stopped pools lose theirs first; how many pools have none is counted.
 */
#include <stdlib.h>
#include <string.h>

#include "model_int.h"

/* All accounts together: 2 KB a worker, so some 16,000 of them. */
#define PATH_BYTES (32u << 20)

struct account {
	int64_t ts; /* it is complete until then */
	int64_t wait, search, others;
	uint32_t named;
	int16_t who[DOZE_PATH_NAMED];
	int64_t ns[DOZE_PATH_NAMED];
};

/* What another one's account was when it set the worker's latch or woke it. */
struct debt {
	bool valid;
	struct account from;
};

struct lane {
	uint64_t phase; /* as the path's, else it is of an earlier phase */
	struct account now;
	struct debt latch, wake;
};

struct path {
	size_t bytes;
	int64_t begin;
	uint64_t phase;
	int32_t last_done; /* the worker that left its work last, -1 none */
	uint32_t workers;
	struct lane lane[];
};

static struct lane *lane_of(const struct pool *p, int32_t worker)
{
	struct path *path = p->path;
	struct lane *l;

	if (!path || worker < 0 || (uint32_t)worker >= path->workers)
		return 0;
	l = &path->lane[worker];
	if (l->phase != path->phase) {
		l->phase = path->phase;
		l->now.ts = path->begin;
		l->now.wait = l->now.search = l->now.others = 0;
		l->now.named = 0;
		l->latch.valid = l->wake.valid = false;
	}
	return l;
}

/* Only what is filled. */
static void copy(struct account *to, const struct account *from)
{
	to->ts = from->ts;
	to->wait = from->wait;
	to->search = from->search;
	to->others = from->others;
	to->named = from->named;
	memcpy(to->who, from->who, from->named * sizeof *to->who);
	memcpy(to->ns, from->ns, from->named * sizeof *to->ns);
}

static void path_drop(struct doze_model *m, struct pool *p)
{
	if (!p->path)
		return;
	m->path_bytes -= p->path->bytes;
	free(p->path);
	p->path = 0;
}

/* Makes room by the accounts of pools that have stopped. False: there is none. */
static bool path_room(struct doze_model *m, size_t bytes)
{
	for (size_t i = 0; i < m->pool_count && m->path_bytes + bytes > PATH_BYTES; i++) {
		if (!m->pools[i]->v.stopped || !m->pools[i]->path)
			continue;
		path_drop(m, m->pools[i]);
		m->measures.paths_missing++;
	}
	return m->path_bytes + bytes <= PATH_BYTES;
}

static void path_new(struct doze_model *m, struct pool *p)
{
	size_t bytes = sizeof *p->path + p->v.workers * sizeof *p->path->lane;

	if (path_room(m, bytes))
		p->path = calloc(1, bytes);
	if (!p->path) {
		m->measures.paths_missing++;
		return;
	}
	p->path->bytes = bytes;
	p->path->workers = p->v.workers;
	m->path_bytes += bytes;
}

void path_begin(struct doze_model *m, struct pool *p, int64_t ts)
{
	if (p->path && p->path->workers != p->v.workers)
		path_drop(m, p);
	/* A pool that could not have one is not asked at each mark. */
	if (!p->path && p->v.workers && p->path_asked != p->v.workers) {
		p->path_asked = p->v.workers;
		path_new(m, p);
	}
	if (!p->path)
		return;
	p->path->begin = ts;
	p->path->phase++;
	p->path->last_done = -1;
}

/* The account's item of that worker; where all are in use, the smallest gives way. */
static int64_t *item_of(struct account *a, int32_t worker)
{
	uint32_t least = 0;

	for (uint32_t i = 0; i < a->named; i++) {
		if (a->who[i] == worker)
			return &a->ns[i];
		if (a->ns[i] < a->ns[least])
			least = i;
	}
	if (a->named < DOZE_PATH_NAMED)
		least = a->named++;
	else
		a->others += a->ns[least];
	a->who[least] = (int16_t)worker;
	a->ns[least] = 0;
	return &a->ns[least];
}

/* Until ts the worker went on in the state that it is in. */
static void advance(const struct worker *w, struct lane *l, int64_t ts)
{
	int64_t *item = &l->now.search;

	if (ts <= l->now.ts)
		return;
	if (w->v.state == DOZE_STATE_active)
		item = item_of(&l->now, w->v.key.index);
	*item += ts - l->now.ts;
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
	copy(&d->from, &from->now);
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
	copy(&l->now, &d->from);
	l->now.wait += ts - l->now.ts;
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
	out->named = l->now.named;
	for (uint32_t i = 0; i < l->now.named; i++) {
		out->work[i].worker = l->now.who[i];
		out->work[i].ns = l->now.ns[i];
	}
	out->others = l->now.others;
	out->wait = l->now.wait;
	out->search = l->now.search;
	return true;
}
