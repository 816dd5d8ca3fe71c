/*
 * SPDX-License-Identifier: MIT
 *
 * restart.c - a pool_start for a pool that is known already: the process ran another program
 * (exec), which numbers its pools from 1 again, or its number was given to another process. What
 * the former pool left open is unknown; the new one begins from nothing.
 */
#include <string.h>

#include "model_int.h"

static void worker_forget(struct worker *w)
{
	struct pool *p = w->pool;

	p->in_state[w->v.state] -= w->known;
	p->seen_workers -= w->known;
	p->unsure -= w->known && w->span_lost;
	p->leaving -= w->leaving;
	w->known = w->leaving = w->taken_back = w->span_lost = false;
	w->v.state = DOZE_STATE_none;
	w->wake_lost = w->woken_due = w->has_found = w->has_sleepy_jec = false;
	w->redundant_n = w->chain_depth = 0;
	memset(w->redundant_ids, 0, sizeof w->redundant_ids);
	w->slept_on = 0;
	w->due.set = false;
	w->actor = (struct actor){0};
	/* The new program's workers count from 0. */
	w->told_run = w->told_published = w->starts = 0;
}

static void pool_forget(struct pool *p)
{
	p->inject_ts = p->wake_ts = p->broadcast_ts = p->terminate_ts = 0;
	p->terminating = p->counters_bad = false;
	p->quiet_done = p->long_quiet_done = false;
	p->path_asked = 0;
	memset(p->actors, 0, sizeof p->actors);
	memset(p->posts, 0, sizeof p->posts);
	memset(p->nameless, 0, sizeof p->nameless);
}

static void pool_replaced(struct doze_model *m, struct pool *p, int64_t ts)
{
	for (uint32_t i = 0; i < p->room; i++) {
		struct worker *w = p->by_index[i];

		if (!w)
			continue;
		ledger_finish(m, w, ts);
		state_finish(m, w, ts);
		worker_forget(w);
	}
	loose_finish(m, p, ts);
	decisions_end(m, p);
	jobs_lost(p);
	pool_forget(p);
}

/* Its start was not seen, so this one may be told again for somebody who came late, or be another
 * pool's: nothing is certain until each worker says what it does. */
static void pool_doubted(struct pool *p)
{
	for (uint32_t i = 0; i < p->room; i++) {
		if (!p->by_index[i])
			continue;
		state_lost(p->by_index[i]);
		ledger_lost(p->by_index[i]);
	}
	chain_lost(p);
	jobs_lost(p);
	loose_lost(p);
}

bool pool_restart(struct doze_model *m, struct pool *p, int64_t ts)
{
	if (!p->v.started) {
		pool_doubted(p);
		return false;
	}
	m->totals.truncated |= !p->v.stopped;
	missing_finish(m, p);
	pool_replaced(m, p, ts);
	return true;
}
