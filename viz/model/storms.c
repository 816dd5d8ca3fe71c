/*
 * SPDX-License-Identifier: MIT
 *
 * storms.c - collects wakes by decision, judges a decision when all its wakes have verdicts, and
 * merges decisions that are close in time into one storm.
 *
 * The table is direct-mapped. The ids of a pool's decisions are consecutive, so two open decisions
 * share a slot only if thousands of decisions came between them. The older one is then judged by
 * the verdicts known so far, and counted as evicted. The queue holds decisions in the order of
 * their first wakes, so storms are reported in chronological order.
 */
#include <stdlib.h>

#include "model_fn.h"

/* One wake decision, from its first wake until all its wakes have verdicts. */
struct decision {
	struct pool *pool; /* null = free slot */
	uint64_t id, seq;
	int32_t waker, waker_vtid;
	enum doze_cause cause;
	int64_t first_wake, last_wake, last_verdict;
	uint64_t caller;
	uint32_t jobs, woken, open, useful, futile, latch, unresolved;
	int64_t burnt;
	bool all;       /* the decision is to wake all sleepers */
	bool concerned; /* the decision woke a selected worker */
};

struct decisions {
	uint64_t head, tail; /* sequence numbers of the oldest and of the next decision */
	struct {
		uint64_t seq;
		uint32_t slot;
	} at[DECISION_SLOTS];
	struct decision slot[DECISION_SLOTS];
};

static uint32_t slot_of(const struct pool *p, uint64_t id)
{
	return (uint32_t)(id + p->v.row * 1021) % DECISION_SLOTS;
}

static struct decision *find(struct doze_model *m, const struct pool *p, uint64_t id)
{
	struct decision *d = m->decisions ? &m->decisions->slot[slot_of(p, id)] : 0;

	return d && d->pool == p && d->id == id ? d : 0;
}

/* Returns the smallest number of woken workers that makes a storm in this pool. */
static uint32_t least_woken(const struct doze_model *m, const struct pool *p)
{
	uint32_t workers = p->v.workers ? p->v.workers : p->v.known_workers;
	double share = m->opt.storm_min_share * workers;
	uint32_t n = (uint32_t)share;

	n += (double)n < share;
	return n > m->opt.storm_min_wakes ? n : m->opt.storm_min_wakes;
}

/* Returns whether a storm is in scope: it begins in the selected time range, and a selected worker
 * caused it or was woken in it. */
static bool storm_in_scope(const struct doze_model *m, int64_t first_wake, int32_t waker,
			   bool concerned)
{
	return in_range(m, first_wake) && (concerned || in_choice(m, waker));
}

static void storm_emit(struct doze_model *m, struct pool *p)
{
	struct doze_storm_measures *s = &m->measures.storm;

	p->storm.open = false;
	m->storms_open--;
	if (!storm_in_scope(m, p->storm.storm.from, p->storm.storm.waker, p->storm.concerns_scope))
		return;
	m->totals.storms++;
	s->storms++;
	s->decisions += p->storm.storm.decisions;
	s->woken += p->storm.storm.woken;
	s->futile += p->storm.storm.futile;
	s->burnt += p->storm.storm.burnt;
	s->by_cause[p->storm.storm.cause]++;
	if (m->on.on_storm)
		m->on.on_storm(m->ctx, &p->storm.storm);
}

static void storm_join(struct doze_storm *s, const struct decision *d)
{
	s->decisions++;
	s->jobs += d->jobs;
	s->woken += d->woken;
	s->useful += d->useful;
	s->futile += d->futile;
	s->latch += d->latch;
	s->unresolved += d->unresolved;
	s->burnt += d->burnt;
	s->to = d->last_verdict > s->to ? d->last_verdict : s->to;
}

static void storm_add(struct doze_model *m, struct pool *p, const struct decision *d)
{
	if (p->storm.open && d->first_wake - p->storm.last_wake > m->opt.storm_merge_ns)
		storm_emit(m, p);
	if (!p->storm.open) {
		p->storm.storm = (struct doze_storm){.host = p->v.host,
						     .vpid = p->v.vpid,
						     .pool = p->v.pool,
						     .pool_row = p->v.row,
						     .waker = d->waker,
						     .waker_vtid = d->waker_vtid,
						     .decision_id = d->id,
						     .caller = d->caller,
						     .cause = d->cause,
						     .from = d->first_wake};
		p->storm.open = true;
		p->storm.concerns_scope = false;
		m->storms_open++;
	}
	storm_join(&p->storm.storm, d);
	p->storm.concerns_scope |= d->concerned || in_choice(m, d->waker);
	p->storm.last_wake = d->last_wake;
}

static void count_herd(struct doze_model *m, const struct decision *d)
{
	struct doze_herd_measures *h = &m->measures.herd;

	if (!d->all || !d->woken || !storm_in_scope(m, d->first_wake, d->waker, d->concerned))
		return;
	h->decisions++;
	h->woken += d->woken;
	h->most = d->woken > h->most ? d->woken : h->most;
}

/* Judges a decision by its verdicts. Wakes that are still open count as unresolved. */
static void judge(struct doze_model *m, struct decision *d)
{
	struct pool *p = d->pool;
	double half = m->opt.storm_min_futile * d->woken;

	d->unresolved += d->open;
	d->pool = 0;
	count_herd(m, d);
	if (d->woken < least_woken(m, p) || d->woken <= d->jobs)
		return;
	if (d->futile >= half)
		storm_add(m, p, d);
	else if (d->futile + d->unresolved >= half &&
		 storm_in_scope(m, d->first_wake, d->waker, d->concerned))
		m->measures.storm.unresolved++;
}

static bool settled(const struct doze_model *m, const struct decision *d, int64_t now)
{
	return !d->open && now - d->last_wake > m->opt.storm_merge_ns;
}

/* Returns whether a decision that leaves the table early is a gap in the results. In a crew, a wake
 * whose thread has left its wait by itself is open until the trace ends. */
static bool is_cut_off(const struct decision *d)
{
	return d->open && !d->pool->v.rules->foreign;
}

static void queue_pop(struct doze_model *m, bool force)
{
	struct decisions *q = m->decisions;
	uint32_t slot = q->at[q->head % DECISION_SLOTS].slot;
	struct decision *d = &q->slot[slot];

	if (d->pool && d->seq == q->at[q->head % DECISION_SLOTS].seq) {
		m->totals.evicted += force && is_cut_off(d);
		judge(m, d);
	}
	q->head++;
}

static bool head_settled(struct doze_model *m, int64_t now)
{
	struct decisions *q = m->decisions;
	const struct decision *d = &q->slot[q->at[q->head % DECISION_SLOTS].slot];

	return !d->pool || d->seq != q->at[q->head % DECISION_SLOTS].seq || settled(m, d, now);
}

void model_storms_advance(struct doze_model *m, int64_t now)
{
	struct decisions *q = m->decisions;

	if (!q)
		return;
	while (q->head != q->tail && head_settled(m, now))
		queue_pop(m, false);
	for (size_t i = 0; q->head == q->tail && m->storms_open && i < m->entities.pool_count; i++)
		if (m->entities.pools[i]->storm.open &&
		    now - m->entities.pools[i]->storm.last_wake > 2 * m->opt.storm_merge_ns)
			storm_emit(m, m->entities.pools[i]);
}

static struct decision *create(struct doze_model *m, struct pool *p, const struct doze_event *e,
			       const struct post_slot *post)
{
	struct decisions *q = m->decisions;
	uint32_t slot = slot_of(p, e->u.wake.decision_id);
	struct decision *d;

	if (!q) {
		q = m->decisions = calloc(1, sizeof *q);
		if (!q)
			return 0;
	}
	if (q->tail - q->head == DECISION_SLOTS)
		queue_pop(m, true);
	d = &q->slot[slot];
	if (d->pool) {
		m->totals.evicted += is_cut_off(d);
		judge(m, d);
	}
	*d = (struct decision){.pool = p,
			       .id = e->u.wake.decision_id,
			       .seq = q->tail,
			       .waker = e->worker,
			       .waker_vtid = e->vtid,
			       .cause = e->u.wake.cause,
			       .first_wake = e->ts,
			       .caller = post->caller,
			       .jobs = post->jobs,
			       .all = e->u.wake.scope == DOZE_SCOPE_all};
	q->at[q->tail % DECISION_SLOTS].seq = q->tail;
	q->at[q->tail % DECISION_SLOTS].slot = slot;
	q->tail++;
	return d;
}

void model_decision_post(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	uint64_t id = e->u.post.decision_id;
	struct decision *d = id ? find(m, p, id) : 0;

	model_recent_post(p, e);
	if (!d)
		return;
	d->jobs = e->u.post.jobs; /* the post was reported after its wakes */
	d->caller = e->u.post.caller;
}

void model_decision_wake(struct doze_model *m, struct pool *p, const struct doze_event *e,
			 struct doze_wake *line)
{
	struct post_slot post;
	struct decision *d;

	if (!e->u.wake.decision_id)
		return;
	post = model_post_of(p, e);
	line->published = post.ts;
	line->caller = post.caller;
	line->caller2 = post.caller2;
	/* A woken thread of a crew may report its wake in the name of the thread that called. */
	if (p->v.rules->foreign && post.decision_id)
		line->waker_vtid = post.vtid;
	d = find(m, p, e->u.wake.decision_id);
	if (!d) {
		model_storms_advance(m, e->ts);
		d = create(m, p, e, &post);
	}
	if (!d)
		return;
	d->woken++;
	d->open++;
	d->last_wake = e->ts;
}

static void count(struct decision *d, const struct doze_wake *k)
{
	d->useful += k->verdict == DOZE_VERDICT_useful;
	d->latch += k->verdict == DOZE_VERDICT_latch;
	d->unresolved += k->verdict == DOZE_VERDICT_unresolved;
	if (k->verdict != DOZE_VERDICT_futile)
		return;
	d->futile++;
	d->burnt += k->ended - (k->awake ? k->awake : k->notified);
}

void model_decision_verdict(struct doze_model *m, struct pool *p, const struct doze_wake *k,
			    bool counted)
{
	struct decision *d = k->decision_id ? find(m, p, k->decision_id) : 0;

	if (!d || !d->open)
		return;
	d->open--;
	d->last_verdict = k->ended;
	d->concerned |= counted && in_choice(m, k->target.index);
	if (counted)
		count(d, k);
	else
		d->woken--;
}

void model_decisions_end(struct doze_model *m, const struct pool *p)
{
	for (size_t i = 0; m->decisions && i < DECISION_SLOTS; i++)
		if (m->decisions->slot[i].pool == p)
			judge(m, &m->decisions->slot[i]);
}

void model_storms_finish(struct doze_model *m)
{
	while (m->decisions && m->decisions->head != m->decisions->tail)
		queue_pop(m, false);
	for (size_t i = 0; i < m->entities.pool_count; i++)
		if (m->entities.pools[i]->storm.open)
			storm_emit(m, m->entities.pools[i]);
}
