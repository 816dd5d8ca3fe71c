/*
 * SPDX-License-Identifier: MIT
 *
 * restart.c - handles a pool_start for a known pool: the process executed another program, which
 * numbers its pools from 1 again, or another process has reused the process id. The open spans and
 * wakes of the old pool become unknown, and the new pool starts empty.
 */
#include <string.h>

#include "model_fn.h"

static void worker_forget(struct worker *w)
{
	struct pool *p = w->pool;

	p->v.in_state[w->v.state] -= w->v.known;
	p->v.known_workers -= w->v.known;
	p->v.uncertain_workers -= w->v.known && w->v.unknown;
	p->leaving -= w->v.leaving;
	w->v.known = w->v.leaving = w->v.counted_out = w->v.unknown = false;
	w->v.state = DOZE_STATE_none;
	w->wake.lost = w->wake.woken_due = w->v.job_in_hand = false;
	w->wake.redundant_count = w->wake.chain_depth = 0;
	memset(w->wake.redundant_ids, 0, sizeof w->wake.redundant_ids);
	/* Workers of the new program count their jobs from 0. */
	w->reported = (struct job_sums){.begun = true};
	w->starts = 0;
	w->confirmed = 0;
	w->waits = (struct thread_waits){0};
	w->v.wait = (struct doze_wait){0};
	w->latch_set = DOZE_LATCH_KIND_none;
}

static void pool_forget(struct pool *p)
{
	p->chain.mismatch = false;
	p->quiet = (struct quiet){0};
	p->causes = (struct causes){0};
	p->loops = (struct wait_loops){0};
	model_posts_forget(p);
}

static void pool_replaced(struct doze_model *m, struct pool *p, int64_t ts)
{
	model_untargeted_withdrawn(m, p, INT64_MAX);
	for (uint32_t i = 0; i < p->v.index_end; i++) {
		struct worker *w = p->by_index[i];

		if (!w)
			continue;
		model_ledger_finish(m, w, ts);
		model_state_finish(m, w, ts);
		worker_forget(w);
	}
	model_untargeted_finish(m, p, ts);
	model_decisions_end(m, p);
	model_jobs_lost(p);
	pool_forget(p);
	notify_observers(m, replaced, &p->v);
}

/* Called when the pool's start was not seen. This pool_start may then be a repetition for a viewer
 * that attached late, or the start of another pool, so each worker is unknown until its next
 * event. */
static void pool_doubted(struct doze_model *m, struct pool *p)
{
	for (uint32_t i = 0; i < p->v.index_end; i++) {
		if (!p->by_index[i])
			continue;
		model_state_lost(p->by_index[i]);
		model_ledger_lost(m, p->by_index[i]);
	}
	model_chain_lost(p);
	model_jobs_lost(p);
	model_untargeted_lost(p);
}

bool model_pool_restart(struct doze_model *m, struct pool *p, int64_t ts)
{
	if (!p->v.started) {
		pool_doubted(m, p);
		return false;
	}
	m->totals.truncated |= !p->v.stopped;
	model_missing_finish(m, p);
	pool_replaced(m, p, ts);
	return true;
}
