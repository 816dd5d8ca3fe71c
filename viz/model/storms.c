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

#include "model_int.h"

/* ---- Keeps one row per outside thread that woke a pool's workers, up to OUTSIDE_ROWS ---- */

enum { OUTSIDE_ROWS = 64 };

struct outside {
	size_t count, last; /* last: the row used last */
	struct doze_outside_view
	    row[OUTSIDE_ROWS + 1]; /* the last row stands for all further threads */
};

static struct doze_outside_view *row_of(struct pool *p, int32_t vtid)
{
	struct outside *o = p->outside;
	size_t i = 0;

	if (!o)
		o = p->outside = calloc(1, sizeof *o);
	if (!o)
		return 0;
	if (o->count && o->row[o->last].vtid == vtid)
		return &o->row[o->last];
	while (i < o->count && o->row[i].vtid != vtid)
		i++;
	if (i >= OUTSIDE_ROWS) {
		i = OUTSIDE_ROWS;
		vtid = -1;
	}
	if (i >= o->count) {
		o->row[i].vtid = vtid;
		o->count = i + 1;
	}
	o->last = i;
	return &o->row[i];
}

void model_outside_count(struct doze_model *m, struct pool *p, const struct doze_wake *k,
			 uint64_t wakes, uint64_t futile)
{
	struct doze_outside_view *row = wake_in_scope(m, k) ? row_of(p, k->waker_vtid) : 0;

	if (!row)
		return;
	row->wakes_sent += wakes;
	row->futile_sent += futile;
}

const struct doze_outside_view *doze_model_outside(const struct doze_model *m, size_t pool,
						   size_t i)
{
	const struct outside *o = pool < doze_model_pools(m) ? model_pool_at(m, pool)->outside : 0;

	return o && i < o->count ? &o->row[i] : 0;
}

void model_outside_saved(struct pool *p, struct doze_saved *s)
{
	size_t any = p->outside != 0;

	(void)doze_saved_array(s, p->outside, any);
}

/*
 * ---- Remembers the posts that decided to wake workers until their wakes are reported, in
 * order to know when the jobs behind a wake were published.
 *
 * The table is direct-mapped by decision id. Ids are consecutive, so two posts share a slot only if
 * their ids differ by a multiple of the table size. This happens when a poster loses its CPU
 * between its decision and its wakes. The table then doubles, up to POSTS_MAX, so that it does not
 * forget a post whose wake is still to come.
 */

enum { POSTS_MIN = 64, POSTS_MAX = 1 << 15 };

static struct post_slot *post_slot_of(const struct recent_posts *t, uint64_t id)
{
	return &t->slot[id % t->size];
}

static bool resize(struct recent_posts *t, uint32_t size)
{
	struct recent_posts bigger = {.slot = calloc(size, sizeof *bigger.slot), .size = size};

	if (!bigger.slot)
		return false;
	for (uint32_t i = 0; i < t->size; i++)
		if (t->slot[i].decision_id)
			*post_slot_of(&bigger, t->slot[i].decision_id) = t->slot[i];
	free(t->slot);
	t->slot = bigger.slot;
	t->size = size;
	return true;
}

/* Stores a post. Replaces another post only if a wake of that post was seen, or if the table has
 * its maximum size. In the latter case the wakes of the replaced post count as unmeasured. */
static void put(struct recent_posts *t, const struct post_slot *post)
{
	if (!t->size && !resize(t, POSTS_MIN))
		return;
	for (;;) {
		const struct post_slot *old = post_slot_of(t, post->decision_id);

		if (!old->decision_id || old->decision_id == post->decision_id || old->met ||
		    t->size >= POSTS_MAX || !resize(t, 2 * t->size))
			break;
	}
	*post_slot_of(t, post->decision_id) = *post;
}

static void put_nameless(struct recent_posts *t, const struct post_slot *post)
{
	for (unsigned i = 0; i < NAMELESS_POSTS; i++) {
		if (t->nameless[i].ts && t->nameless[i].vtid == post->vtid) {
			t->nameless[i] = *post;
			return;
		}
	}
	t->nameless[t->nameless_next++ % NAMELESS_POSTS] = *post;
}

/* Returns the waker's latest post without an id: `tickle` assigns an id only when it wakes a
 * worker. */
static struct post_slot adopt(struct recent_posts *t, const struct doze_event *wake)
{
	for (unsigned i = 0; i < NAMELESS_POSTS; i++) {
		struct post_slot post = t->nameless[i];

		if (!post.ts || post.vtid != wake->vtid)
			continue;
		post.decision_id = wake->u.wake.decision_id;
		post.met = true;
		put(t, &post);
		t->nameless[i] = (struct post_slot){0};
		return post;
	}
	return (struct post_slot){0};
}

/* Returns the post that led to a wake. Its ts is 0 if the post is unknown. */
static struct post_slot model_post_of(struct pool *p, const struct doze_event *wake)
{
	uint64_t id = wake->u.wake.decision_id;
	enum doze_cause cause = wake->u.wake.cause;
	struct post_slot *s = p->recent.size ? post_slot_of(&p->recent, id) : 0;

	if (s && s->decision_id == id) {
		s->met = true;
		return *s;
	}
	if (cause != DOZE_CAUSE_push && cause != DOZE_CAUSE_inject)
		return (struct post_slot){0};
	return adopt(&p->recent, wake);
}

void model_posts_forget(struct pool *p)
{
	free(p->recent.slot);
	p->recent = (struct recent_posts){.nameless_next = p->recent.nameless_next};
}

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

	return !d->pool || d->seq != q->at[q->head % DECISION_SLOTS].seq ||
	       (!d->open && now - d->last_wake > m->opt.storm_merge_ns);
}

void model_storms_advance(struct doze_model *m, int64_t now)
{
	struct decisions *q = m->decisions;

	if (!q)
		return;
	while (q->head != q->tail && head_settled(m, now))
		queue_pop(m, false);
	if (q->head != q->tail || !m->storms_open)
		return;
	for (struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p))
		if (p->storm.open && now - p->storm.last_wake > 2 * m->opt.storm_merge_ns)
			storm_emit(m, p);
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
	const struct post_slot post = {.decision_id = e->u.post.decision_id,
				       .ts = e->ts,
				       .caller = e->u.post.caller,
				       .caller2 = e->u.post.caller2,
				       .jobs = e->u.post.jobs,
				       .vtid = e->vtid};
	struct decision *d = post.decision_id ? find(m, p, post.decision_id) : 0;

	if (post.decision_id)
		put(&p->recent, &post);
	else if (e->u.post.wakes)
		put_nameless(&p->recent, &post);
	if (!d)
		return;
	d->jobs = post.jobs; /* the post was reported after its wakes */
	d->caller = post.caller;
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
	int64_t searched;

	d->useful += k->verdict == DOZE_VERDICT_useful;
	d->latch += k->verdict == DOZE_VERDICT_latch;
	d->unresolved += k->verdict == DOZE_VERDICT_unresolved;
	if (k->verdict != DOZE_VERDICT_futile)
		return;
	d->futile++;
	searched = doze_wake_delay(k, DOZE_DELAY_futile_search);
	d->burnt += searched > 0 ? searched : 0;
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
	for (struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p))
		if (p->storm.open)
			storm_emit(m, p);
}

/* ---- The decisions in progress: saved, loaded, and completed at the end of a part ---- */

static void posts_saved(struct recent_posts *t, struct doze_saved *s)
{
	size_t size = t->size;

	(void)doze_saved_array(s, t->slot, size);
	(void)doze_saved_value(s, t->nameless);
	(void)doze_saved_value(s, t->nameless_next);
	if (s->loads && (size > POSTS_MAX || (size & (size - 1))))
		(void)doze_saved_fail(s);
	t->size = s->failed ? t->size : (uint32_t)size;
}

static void decision_saved(struct doze_model *m, struct decision *d, struct doze_saved *s)
{
	struct decision image = *d;
	size_t row = d->pool ? d->pool->v.row : MAX_POOLS;

	image.pool = NULL;
	(void)doze_saved_value(s, image);
	(void)doze_saved_value(s, row);
	if (!s->loads)
		return;
	*d = image;
	d->pool = !s->failed && row < doze_model_pools(m) ? model_pool_at(m, row) : NULL;
}

/* Saves or loads the queue, and the slots to which it refers. */
static void queue_saved(struct doze_model *m, struct decisions *q, struct doze_saved *s)
{
	(void)doze_saved_value(s, q->head);
	(void)doze_saved_value(s, q->tail);
	if (s->failed || q->tail - q->head > DECISION_SLOTS) {
		q->tail = q->head;
		(void)doze_saved_fail(s);
	}
	for (uint64_t i = q->head; i != q->tail && !s->failed; i++) {
		(void)doze_saved_value(s, q->at[i % DECISION_SLOTS]);
		if (q->at[i % DECISION_SLOTS].slot < DECISION_SLOTS)
			decision_saved(m, &q->slot[q->at[i % DECISION_SLOTS].slot], s);
		else
			(void)doze_saved_fail(s);
	}
}

void model_storms_saved(struct doze_model *m, struct doze_saved *s)
{
	bool any = m->decisions;

	for (struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p)) {
		posts_saved(&p->recent, s);
		(void)doze_saved_value(s, p->storm);
	}
	(void)doze_saved_value(s, m->storms_open);
	if (!doze_saved_value(s, any) || !any)
		return;
	if (!m->decisions)
		m->decisions = calloc(1, sizeof *m->decisions);
	if (m->decisions)
		queue_saved(m, m->decisions, s);
	else
		(void)doze_saved_fail(s);
}

/* Returns the time of the first wake of the oldest decision that is not judged yet, or `none`. */
static int64_t oldest_decision(const struct doze_model *m, int64_t none)
{
	const struct decisions *q = m->decisions;

	for (uint64_t i = q ? q->head : 0; q && i != q->tail; i++) {
		const struct decision *d = &q->slot[q->at[i % DECISION_SLOTS].slot];

		if (d->pool && d->seq == q->at[i % DECISION_SLOTS].seq)
			return d->first_wake;
	}
	return none;
}

bool model_storms_settled(const struct doze_model *m, int64_t to)
{
	int64_t next = oldest_decision(m, INT64_MAX), now = next < m->now ? next : m->now;
	size_t open = 0;

	if (next <= to)
		return false;
	for (const struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p)) {
		if (!p->storm.open || p->storm.storm.from > to)
			continue;
		open++;
		if (now - p->storm.last_wake <= m->opt.storm_merge_ns)
			return false;
	}
	return open <= 1; /* only the model knows which of several is reported first */
}

void model_storms_end_part(struct doze_model *m, int64_t to)
{
	for (struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p))
		if (p->storm.open && p->storm.storm.from <= to)
			storm_emit(m, p);
}

struct outside *model_outside_take(struct pool *p)
{
	struct outside *o = p->outside;

	p->outside = NULL;
	return o;
}

void model_outside_put(struct pool *p, struct outside *o)
{
	free(p->outside);
	p->outside = o;
}

void model_storms_free(struct pool *p)
{
	model_posts_forget(p);
	model_outside_put(p, NULL);
}
