/*
 * SPDX-License-Identifier: MIT
 *
 * path_phase.c - begins and ends critical paths (path.h), and limits their memory.
 *
 * The accounts of a pool take memory in proportion to its number of workers. All pools together may
 * use PATH_BYTES. When a new pool needs more, stopped pools lose their paths; if that is not
 * enough, the new pool has none. Pools without a path are counted.
 */
#include <stdlib.h>

#include "path_int.h"

#define PATH_BYTES (32u << 20)

void path_free(struct path_pool *p)
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
	path_accounts_begin(p->path->accounts, p->path->phase);
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
