/*
 * SPDX-License-Identifier: MIT
 *
 * ledger_untargeted.c - handles wakes without a target (-1): a thread that calls
 * pthread_cond_signal cannot see which waiter wakes. Such wakes wait in a ring, oldest first, until
 * a worker reports that one of them woke it. v.untargeted counts them, and v.notified includes
 * them.
 */
#include <stdlib.h>

#include "model_fn.h"

struct untargeted_wake {
	struct doze_wake line;
	struct worker *by; /* not owned; null: outside thread */
	enum doze_scope_kind scope;
	bool lost;     /* events were lost since the signal */
	uint32_t slot; /* slot number, for observers */
};

struct untargeted {
	uint32_t first;
	struct untargeted_wake ring[DOZE_SIGNAL_SLOTS];
};

static struct untargeted_wake *at(const struct pool *p, uint32_t i)
{
	return &p->untargeted->ring[(p->untargeted->first + i) % DOZE_SIGNAL_SLOTS];
}

/* Closes the oldest wake that no worker has reported: no worker was asleep when it was signalled
 * (forkjoin signals for each job), or another signal woke the worker first. If events were lost or
 * the trace ended first, neither is certain. In a crew, the thread that the wake was for has left
 * its wait by itself. */
static void drop_oldest(struct doze_model *m, struct pool *p, int64_t ts, bool certain)
{
	struct untargeted_wake *k = at(p, 0);

	enum doze_verdict v = p->v.rules->foreign ? DOZE_VERDICT_nobody : DOZE_VERDICT_redundant;

	k->line.ended = ts;
	model_ledger_close(m, p, &k->line, certain && !k->lost ? v : DOZE_VERDICT_unresolved);
	notify_observers(m, signal_missed, &p->v, k->slot);
	p->untargeted->first++;
	p->v.untargeted--;
	p->v.notified--;
}

/* Returns the pool's ring, or null if out of memory. Creates it for the first wake without a
 * target. */
static struct untargeted *ring_of(struct pool *p)
{
	if (p->untargeted)
		return p->untargeted;
	p->untargeted = calloc(1, sizeof *p->untargeted);
	for (uint32_t i = 0; p->untargeted && i < DOZE_SIGNAL_SLOTS; i++)
		p->untargeted->ring[i].slot = i;
	return p->untargeted;
}

void model_untargeted_add(struct doze_model *m, struct pool *p, struct doze_wake *line,
			  struct worker *by, const struct doze_event *e)
{
	struct untargeted_wake *k;

	if (!ring_of(p)) {
		m->totals.evicted++;
		return;
	}
	model_untargeted_withdrawn(m, p, line->notified - m->opt.long_quiet_ns);
	/* A condition variable does not store signals, so a full ring contains signals that no
	 * worker received. */
	if (p->v.untargeted == DOZE_SIGNAL_SLOTS)
		drop_oldest(m, p, line->notified, !p->v.rules->foreign);
	k = at(p, p->v.untargeted++);
	*k = (struct untargeted_wake){.line = *line,
				      .by = by,
				      .scope = e->u.wake.scope,
				      .lost = line->notified <= m->lost_to,
				      .slot = k->slot};
	notify_observers(m, signal, &p->v, k->slot, e);
	p->v.notified++;
}

void model_untargeted_withdrawn(struct doze_model *m, struct pool *p, int64_t ts)
{
	while (p->v.rules->foreign && p->v.untargeted && at(p, 0)->line.notified < ts &&
	       !model_waits_may_take(p, at(p, 0)->line.notified))
		drop_oldest(m, p, m->now, true);
}

/* Removes the i-th oldest wake from the ring; the older ones keep their order. */
static struct untargeted_wake take(struct pool *p, uint32_t i)
{
	struct untargeted_wake k = *at(p, i);

	for (; i > 0; i--)
		*at(p, i) = *at(p, i - 1);
	at(p, 0)->slot = k.slot; /* so that every slot number remains in use exactly once */
	p->untargeted->first++;
	p->v.untargeted--;
	return k;
}

/* Returns the index of a wake in the pool's ring, or v.untargeted. */
static uint32_t index_of(const struct pool *p, uint64_t wake_id)
{
	uint32_t i = 0;

	while (i < p->v.untargeted && at(p, i)->line.wake_id != wake_id)
		i++;
	return i;
}

/* A condition variable may wake a thread of another crew than the one for which the preload noted
 * the wake. Takes the wake out of that crew of the process; its decision goes on without it. */
static bool take_of_another_crew(struct doze_model *m, struct pool *p, uint64_t wake_id,
				 struct untargeted_wake *k)
{
	for (size_t i = 0; p->v.rules->foreign && i < m->entities.pool_count; i++) {
		struct pool *o = m->entities.pools[i];
		uint32_t n = o->v.vpid == p->v.vpid && o->v.host == p->v.host ? index_of(o, wake_id)
									      : o->v.untargeted;

		if (o == p || n == o->v.untargeted)
			continue;
		*k = take(o, n);
		o->v.notified--;
		p->v.notified++;
		k->line.verdict = DOZE_VERDICT_went_on;
		k->line.ended = m->now;
		if (k->line.decision_id)
			model_decision_verdict(m, o, &k->line, true);
		k->line.decision_id = 0;
		return true;
	}
	return false;
}

bool model_untargeted_adopt(struct doze_model *m, struct worker *w, uint64_t wake_id)
{
	struct pool *p = w->pool;
	uint32_t i = index_of(p, wake_id);
	struct untargeted_wake k;

	if (i < p->v.untargeted)
		k = take(p, i);
	else if (!take_of_another_crew(m, p, wake_id, &k))
		return false;
	w->wake.line = k.line;
	w->wake.line.target = w->v.key;
	w->wake.by = k.by;
	w->wake.scope = k.scope;
	w->wake.lost = k.lost || w->v.unknown;
	w->v.wake_phase = DOZE_WAKE_notified;   /* v.notified already includes this wake */
	if (!in_choice(m, k.line.target.index)) /* not counted yet: the selection does not contain
						 * unknown targets */
		model_ledger_count_sent(m, p, &w->wake.line, k.by);
	model_ledger_chain(m, k.by, w);
	notify_observers(m, signal_met, &w->v, k.slot);
	if (m->on.on_wake)
		m->on.on_wake(m->ctx, &w->wake.line);
	return true;
}

int64_t doze_pool_signalled(const struct doze_pool_view *v, uint64_t wake_id)
{
	const struct pool *p = (const struct pool *)v;

	for (uint32_t i = 0; i < v->untargeted; i++)
		if (at(p, i)->line.wake_id == wake_id)
			return at(p, i)->line.notified;
	return 0;
}

void model_untargeted_lost(struct pool *p)
{
	for (uint32_t i = 0; i < p->v.untargeted; i++)
		at(p, i)->lost = true;
}

void model_untargeted_finish(struct doze_model *m, struct pool *p, int64_t ts)
{
	while (p->v.untargeted)
		drop_oldest(m, p, ts, p->v.stopped && !p->v.rules->foreign);
}
