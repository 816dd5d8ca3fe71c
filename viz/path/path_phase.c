/*
 * SPDX-License-Identifier: MIT
 *
 * path_phase.c - where a critical path begins and ends (path.h), and the memory for it.
 *
 * Accounts take memory by the number of workers, so pools of any size have a path, as long as all
 * together stay below PATH_BYTES. Beyond that stopped pools lose theirs first; how many pools have
 * none is counted.
 */
#include <stdlib.h>

#include "../model/model_int.h"

#define PATH_BYTES (32u << 20)

void path_free(struct pool *p)
{
	if (!p->path)
		return;
	free(p->path->accounts);
	free(p->path);
	p->path = 0;
}

static void path_drop(struct doze_model *m, struct pool *p)
{
	if (p->path)
		m->path_bytes -= p->path->bytes;
	path_free(p);
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
	size_t own = sizeof *p->path + p->v.workers * sizeof *p->path->lane;
	size_t all = own + accounts_bytes(p->v.workers);

	if (path_room(m, all))
		p->path = calloc(1, own);
	if (p->path)
		p->path->accounts = accounts_new(p->v.workers);
	if (!p->path || !p->path->accounts) {
		path_free(p);
		m->measures.paths_missing++;
		return;
	}
	p->path->bytes = all;
	p->path->workers = p->v.workers;
	m->path_bytes += p->path->bytes;
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
	p->path->phase = ++m->path_phases;
	accounts_begin(p->path->accounts, p->path->phase);
}

static bool at_work(const struct worker *w, const struct lane *l)
{
	return w && l && known_state(w, DOZE_STATE_active) && (!w->pool->v.jobs_level || l->depth);
}

/* Who is at work at the phase's end: whoever ends it, or has worked longest. */
static struct worker *last_at_work(const struct doze_model *m, const struct pool *p)
{
	struct worker *best = 0, *w;

	if (m->mark && p->v.pool == m->mark->pool && p->v.vpid == m->mark->vpid &&
	    p->v.host == m->mark->host)
		best = worker_seen(p, m->mark->worker);
	if (best && at_work(best, path_lane(p, m->mark->worker)))
		return best;
	best = 0;
	for (uint32_t i = 0; i < p->path->workers && i < p->room; i++) {
		w = p->by_index[i];
		if (at_work(w, path_lane(p, (int32_t)i)) && (!best || w->v.since < best->v.since))
			best = w;
	}
	return best;
}

bool doze_model_path(const struct doze_model *m, size_t pool, int64_t ts, struct doze_path *out)
{
	struct pool *p = pool < m->pool_count ? m->pools[pool] : 0;
	struct worker *w;
	struct path_ref end;

	if (!p || !p->path)
		return false;
	w = last_at_work(m, p);
	end = w ? path_lane(p, w->v.key.index)->now : p->path->last;
	if (end.phase != p->path->phase)
		return false;
	if (w && ts > end.ts) {
		end.work += ts - end.ts;
		end.ts = ts;
	}
	*out = (struct doze_path){.from = p->path->begin, .to = end.ts, .last = end.who};
	out->after = ts > end.ts ? ts - end.ts : 0;
	account_tell(p->path->accounts, &end, out);
	return true;
}
