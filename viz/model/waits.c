/*
 * SPDX-License-Identifier: MIT
 *
 * waits.c - crews of programs without libdoze: the waits of their threads.
 *
 * Of such a program, only its waits and its calls that wake are seen. If a woken thread waits again
 * on the same condition variable and has held the mutex throughout, nobody else could have changed
 * what it waits for, so the wake was in vain. Such a wait also shows that this place of the program
 * waits in a loop. A later wake of the same place after which a thread does not wait again is
 * useful: the thread has left the loop. Without a loop, nothing is claimed.
 */
#include "model_fn.h"

static size_t slot_of(const struct doze_wait *w)
{
	uint64_t h = (w->address ^ w->caller * 31) * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(h >> 32) % WAIT_LOOPS;
}

static bool is_loop(const struct pool *p, const struct doze_wait *w)
{
	size_t i = slot_of(w);

	return w->address && p->loops.at[i].address == w->address &&
	       p->loops.at[i].caller == w->caller;
}

static bool is_same(const struct doze_wait *a, const struct doze_wait *b)
{
	return a->kind == b->kind && a->address == b->address && a->caller == b->caller;
}

/* Notes that a thread has waited again. A wait from another place is no loop. */
static void note_again(struct worker *w)
{
	struct pool *p = w->pool;
	size_t i = slot_of(&w->v.wait);

	p->v.waited_again = true;
	if (!w->v.wait.address || !is_same(&w->v.wait, &w->waits.woken_from))
		return;
	p->loops.at[i].address = w->v.wait.address;
	p->loops.at[i].caller = w->v.wait.caller;
}

void model_waits_seen(struct pool *p, const struct doze_event *e)
{
	if (e->worker >= 0 && e->worker < MAX_WORKERS && (uint32_t)e->worker >= p->v.workers)
		p->v.workers = (uint32_t)e->worker + 1;
}

void model_waits_crew(struct pool *p, const struct doze_event *e)
{
	p->v.crew_start = e->u.crew.start;
}

void model_waits_begin(struct worker *w, const struct doze_event *e)
{
	w->v.wait = (struct doze_wait){
	    .kind = e->u.wait.kind, .address = e->u.wait.address, .caller = e->u.wait.caller};
}

/* Adds what a thread has counted since its last report. If the number is lower, another thread has
 * taken over the index, and its start was lost. */
static void add(uint64_t *sum, uint64_t *last, uint64_t now)
{
	*sum += now >= *last ? now - *last : now;
	*last = now;
}

void model_waits_totals(struct worker *w, const struct doze_event *e)
{
	struct doze_wait_counts *sum = &w->pool->v.waits, *last = &w->waits.counted;

	add(&sum->waits, &last->waits, e->u.wait_totals.waits);
	add(&sum->woken, &last->woken, e->u.wait_totals.woken);
	add(&sum->again, &last->again, e->u.wait_totals.again);
	add(&sum->timed_out, &last->timed_out, e->u.wait_totals.timed_out);
	sum->sampled |= e->u.wait_totals.paused;
	w->pool->v.waited_again |= sum->again > 0;
}

void model_waits_new_thread(struct doze_model *m, struct worker *w, int64_t ts)
{
	if (!w->v.known && w->pool->v.started) { /* nothing of this thread was missed */
		w->v.since = ts;
		w->v.unknown = ts <= m->lost_to;
	}
	w->waits = (struct thread_waits){0};
	w->v.wait = (struct doze_wait){0};
}

void model_waits_exit(struct pool *p, int64_t ts)
{
	for (uint32_t i = 0; i < p->v.index_end; i++)
		if (p->by_index[i] && p->by_index[i]->v.known && !p->by_index[i]->v.unknown)
			p->by_index[i]->confirmed = ts;
}

void model_waits_state(struct doze_model *m, struct worker *w, enum doze_state from,
		       enum doze_state to, enum doze_reason why, int64_t ts)
{
	if (from == DOZE_STATE_sleeping) {
		w->waits.woken_from = w->v.wait;
		w->waits.woken_at = why == DOZE_REASON_woken ? ts : 0;
	} else if (to == DOZE_STATE_sleeping) {
		if (from == DOZE_STATE_idle)
			note_again(w);
		if (w->waits.woken_at && !w->v.unknown && in_scope(m, ts, w->v.key.index))
			doze_hist_add(&m->measures.awake, ts - w->waits.woken_at);
		w->waits.woken_at = 0;
	}
}

enum doze_verdict model_waits_verdict(const struct worker *w, enum doze_state to,
				      enum doze_reason why)
{
	if (to == DOZE_STATE_sleeping)
		return DOZE_VERDICT_futile;
	if (why == DOZE_REASON_went_on && w->waits.woken_from.kind == DOZE_WAIT_cond &&
	    is_loop(w->pool, &w->waits.woken_from))
		return DOZE_VERDICT_useful;
	return DOZE_VERDICT_went_on;
}

/* A wake is made for a thread that waits, so only threads that have waited since before it can take
 * it. */
bool model_waits_may_take(const struct pool *p, int64_t notified)
{
	for (uint32_t i = 0; i < p->v.index_end; i++) {
		const struct worker *w = p->by_index[i];

		if (!w || known_state(w, DOZE_STATE_stopped))
			continue;
		if (!w->v.known || w->v.unknown)
			return true;
		if (w->v.state == DOZE_STATE_sleeping && !w->v.leaving && w->v.since <= notified)
			return true;
	}
	return false;
}

bool doze_pool_is_crew(const struct doze_pool_view *p)
{
	return p->rules->foreign;
}

bool doze_model_is_foreign(const struct doze_model *m)
{
	for (size_t i = 0; i < m->entities.pool_count; i++)
		if (!m->entities.pools[i]->v.rules->foreign)
			return false;
	return m->entities.pool_count > 0;
}

struct doze_wait_counts doze_model_wait_counts(const struct doze_model *m)
{
	struct doze_wait_counts all = {0};

	for (size_t i = 0; i < m->entities.pool_count; i++) {
		const struct doze_wait_counts *c = &m->entities.pools[i]->v.waits;

		all.waits += c->waits;
		all.woken += c->woken;
		all.again += c->again;
		all.timed_out += c->timed_out;
		all.sampled |= c->sampled;
	}
	return all;
}
