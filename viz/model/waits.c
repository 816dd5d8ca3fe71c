/*
 * SPDX-License-Identifier: MIT
 *
 * waits.c - crews of programs without libdoze: the waits of their threads, and the places that
 * wake.
 *
 * Of such a program, only its waits and its calls that wake are seen. If a woken thread waits again
 * on the same condition variable and has held the mutex throughout, nobody else could have changed
 * what it waits for, so the wake was in vain. Such a wait also shows that this place of the program
 * waits in a loop. A later wake of the same place after which a thread does not wait again is
 * useful: the thread has left the loop. Without a loop, nothing is claimed.
 */
#include <stdlib.h>
#include <string.h>

#include "../trace/grow.h"
#include "model_int.h"

/*
 * ---- The places in programs without libdoze that call a function that wakes: how often
 * they called it, how often no thread waited, and what became of the wakes.
 *
 * The program counts its calls, and the events show the wakes. A place is identified by its process
 * and its code address; address 0, which stands for many places, also by the kind of object. The
 * table has room for WAKE_SITES places; further ones count in totals.evicted.
 */

/* What identifies a place, or a part of it. */
struct key {
	uint32_t host;
	int32_t vpid;
	uint64_t caller, caller2;
	enum doze_wait_kind kind; /* none: any */
};

static bool is_at(const struct doze_wake_site *s, const struct key *k)
{
	return s->caller == k->caller && s->caller2 == k->caller2 && s->vpid == k->vpid &&
	       s->host == k->host &&
	       (s->kind == k->kind || k->kind == DOZE_WAIT_none || s->kind == DOZE_WAIT_none);
}

/* Returns the index of a place, which is added if it is new, or SIZE_MAX if there is no room. */
static size_t site_of(struct doze_model *m, const struct key *k)
{
	struct wake_sites *t = &m->sites;
	size_t i = 0;
	void *more;

	if (t->count && is_at(&t->site[t->last].v, k))
		return t->last;
	while (i < t->count && !is_at(&t->site[i].v, k))
		i++;
	if (i == t->count) {
		more = i < WAKE_SITES ? doze_grow(t->site, &t->room, i, sizeof *t->site) : NULL;
		if (!more) {
			m->totals.evicted++;
			return SIZE_MAX;
		}
		t->site = more;
		t->site[i].v = (struct doze_wake_site){
		    .host = k->host, .vpid = k->vpid, .caller = k->caller, .caller2 = k->caller2};
		t->count++;
	}
	t->last = i;
	return i;
}

/* Adds the increase since the last report. A process that executes another program counts from 0
 * again. */
static void add(uint64_t *sum, uint64_t *last, uint64_t now)
{
	*sum += now >= *last ? now - *last : now;
	*last = now;
}

void model_site_event(struct doze_model *m, const struct doze_event *e)
{
	const struct key k = {.host = e->host,
			      .vpid = e->vpid,
			      .caller = e->u.wake_site.caller,
			      .kind = e->u.wake_site.kind};
	size_t i = site_of(m, &k);

	if (i == SIZE_MAX)
		return;
	m->sites.site[i].v.kind = e->u.wake_site.kind;
	add(&m->sites.site[i].v.calls, &m->sites.site[i].calls, e->u.wake_site.calls);
	add(&m->sites.site[i].v.nobody, &m->sites.site[i].nobody, e->u.wake_site.nobody);
}

void model_site_count(struct doze_model *m, const struct pool *p, const struct doze_wake *w,
		      uint64_t wakes, uint64_t futile)
{
	struct key k = {.host = p->v.host, .vpid = p->v.vpid, .caller = w->caller};

	for (int part = 0; p->v.rules->foreign && part < (w->caller2 ? 2 : 1); part++) {
		size_t i;

		k.caller2 = part ? w->caller2 : 0;
		i = site_of(m, &k);
		if (i == SIZE_MAX)
			return;
		m->sites.site[i].v.wakes += wakes;
		m->sites.site[i].v.futile += futile;
	}
}

void model_sites_free(struct wake_sites *t)
{
	free(t->site);
	*t = (struct wake_sites){0};
}

void model_sites_copy(struct wake_sites *to, const struct wake_sites *from)
{
	struct wake_sites copy = {0};
	void *site;

	model_sites_free(to);
	site = from->count ? doze_grow(NULL, &copy.room, from->count, sizeof *copy.site) : NULL;
	if (!site)
		return;
	copy.site = memcpy(site, from->site, from->count * sizeof *from->site);
	copy.count = from->count;
	*to = copy;
}

void model_sites_saved(struct wake_sites *t, struct doze_saved *s)
{
	(void)doze_saved_array(s, t->site, t->count);
	t->room = s->loads ? t->count : t->room;
}

const struct doze_wake_site *doze_model_wake_site(const struct doze_model *m, size_t i)
{
	return i < m->sites.count ? &m->sites.site[i].v : NULL;
}

const struct doze_pool_view *doze_model_site_pool(const struct doze_model *m,
						  const struct doze_wake_site *s)
{
	for (const struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p))
		if (p->v.vpid == s->vpid && p->v.host == s->host)
			return &p->v;
	return NULL;
}

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

void model_waits_begin(struct worker *w, const struct doze_event *e)
{
	w->v.wait = (struct doze_wait){
	    .kind = e->u.wait.kind, .address = e->u.wait.address, .caller = e->u.wait.caller};
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
	model_waits_forget(w);
}

void model_waits_lost(struct worker *w)
{
	w->waits.woken_from = w->v.wait = (struct doze_wait){0};
	w->waits.woken_at = 0;
}

void model_waits_forget(struct worker *w)
{
	w->waits = (struct thread_waits){0};
	w->v.wait = (struct doze_wait){0};
}

void model_waits_forget_loops(struct pool *p)
{
	p->loops = (struct wait_loops){0};
}

void model_waits_exit(struct pool *p, int64_t ts)
{
	for (struct worker *w = model_next_worker(p, 0); w; w = model_next_worker(p, w))
		model_state_confirm(w, ts);
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
	for (const struct worker *w = model_next_worker(p, 0); w; w = model_next_worker(p, w)) {
		if (known_state(w, DOZE_STATE_stopped))
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
	for (const struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p))
		if (!p->v.rules->foreign)
			return false;
	return doze_model_pools(m) > 0;
}

struct doze_wait_counts doze_model_wait_counts(const struct doze_model *m)
{
	struct doze_wait_counts all = {0};

	for (const struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p)) {
		const struct doze_wait_counts *c = &p->v.waits;

		all.waits += c->waits;
		all.woken += c->woken;
		all.again += c->again;
		all.timed_out += c->timed_out;
		all.sampled |= c->sampled;
	}
	return all;
}
