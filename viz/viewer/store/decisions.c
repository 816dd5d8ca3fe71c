/*
 * SPDX-License-Identifier: MIT
 *
 * decisions.c - the decisions to wake, and the wakes between each two workers: see history.h.
 */
#include "history.h"

#include <stdlib.h>
#include <string.h>

/* ---- pairs of waker and woken worker ---- */

/* Returns the entry of the pair, or the free one that it would get. The table has free entries. */
static struct tui_pair *find_pair(const struct tui_pairs *p, int32_t waker, uint32_t target)
{
	uint64_t key = (uint64_t)(uint32_t)waker << 32 | target;
	size_t i = (size_t)(key * 0x9e3779b97f4a7c15u >> 32) & (p->room - 1);

	while (p->pair[i].wakes && (p->pair[i].waker != waker || p->pair[i].target != target))
		i = (i + 1) & (p->room - 1);
	return &p->pair[i];
}

/* Doubles the table when it is half full. Returns false if out of memory. */
static bool make_room(struct tui_pairs *p)
{
	struct tui_pairs more = {.room = p->room ? p->room * 2 : 64, .count = p->count};

	if (p->count * 2 < p->room)
		return true;
	more.pair = calloc(more.room, sizeof *more.pair);
	if (!more.pair)
		return false;
	for (size_t i = 0; i < p->room; i++)
		if (p->pair[i].wakes)
			*find_pair(&more, p->pair[i].waker, p->pair[i].target) = p->pair[i];
	free(p->pair);
	*p = more;
	return true;
}

void tui_pairs_count(struct tui_pairs *p, int32_t waker, uint32_t target, size_t rows, bool futile)
{
	struct tui_pair *at;

	if (target >= rows || (waker >= 0 && (size_t)waker >= rows) || !make_room(p))
		return;
	at = find_pair(p, waker, target);
	p->count += at->wakes == 0;
	at->waker = waker;
	at->target = target;
	at->wakes++;
	at->futile += futile;
}

const struct tui_pair *tui_pair_at(const struct tui_pairs *p, int32_t waker, uint32_t target)
{
	static const struct tui_pair none;

	return p->room ? find_pair(p, waker, target) : &none;
}

void tui_pairs_free(struct tui_pairs *p)
{
	free(p->pair);
	*p = (struct tui_pairs){0};
}

/* If another decision occupies an id's slot in the hash table, search the newest decisions for the
 * id, but at most this many. */
enum { LOOK_BACK = 64 };

static struct tui_decision *by_number(const struct tui_decisions *d, uint64_t number)
{
	if (number < d->ring.dropped)
		return NULL;
	return tui_ring_at(&d->ring, (size_t)(number - d->ring.dropped));
}

/* Returns the key of a decision in the table. A wake without a decision counts as a separate
 * decision. */
static uint64_t key_of(uint64_t decision_id, uint64_t wake_id)
{
	return decision_id ? decision_id : wake_id | UINT64_C(1) << 63;
}

static size_t slot_of(uint32_t host, int32_t vpid, uint32_t pool, uint64_t key)
{
	uint64_t h = key * UINT64_C(0x9e3779b97f4a7c15);

	h ^= (uint64_t)pool * 31 + (uint64_t)(uint32_t)vpid * 17 + host;
	return (size_t)(h >> 20) % TUI_DECISION_SLOTS;
}

static bool is(const struct tui_decision *x, uint32_t host, int32_t vpid, uint32_t pool,
	       uint64_t key)
{
	return x && x->id == key && x->pool == pool && x->vpid == vpid && x->host == host;
}

static struct tui_decision *find(struct tui_decisions *d, uint32_t host, int32_t vpid,
				 uint32_t pool, uint64_t key)
{
	uint64_t number = d->slot[slot_of(host, vpid, pool, key)];
	struct tui_decision *x = number ? by_number(d, number - 1) : NULL;
	size_t n = d->ring.count;

	if (is(x, host, vpid, pool, key))
		return x;
	for (size_t i = n; i-- > 0 && n - i <= LOOK_BACK;) {
		x = tui_ring_at(&d->ring, i);
		if (is(x, host, vpid, pool, key))
			return x;
	}
	return NULL;
}

static struct tui_decision *add(struct tui_decisions *d, struct tui_decision *x)
{
	const struct tui_decision *last = tui_ring_at(&d->ring, d->ring.count - 1);
	size_t slot = slot_of(x->host, x->vpid, x->pool, x->id);

	/* The model reported the decision late. Use the time of the last entry, because the ring
	 * must stay in chronological order. */
	if (last && last->at > x->at)
		x->at = last->at;
	x->number = d->ring.dropped + d->ring.count;
	tui_ring_push(&d->ring, x, TUI_DECISIONS_MAX);
	if (x->id)
		d->slot[slot] = x->number + 1;
	return by_number(d, x->number);
}

static bool is_repeat(const struct tui_decision *last, const struct tui_decision *x)
{
	return last && last->posted && !last->chosen && !last->wakes && !x->chosen &&
	       last->waker == x->waker && last->vtid == x->vtid && last->pool == x->pool &&
	       last->vpid == x->vpid && last->host == x->host && last->queue == x->queue;
}

void tui_decisions_post(struct tui_decisions *d, const struct doze_event *e)
{
	struct tui_decision x = {.at = e->ts,
				 .id = e->u.post.decision_id,
				 .host = e->host,
				 .pool = e->pool,
				 .vpid = e->vpid,
				 .waker = e->worker,
				 .vtid = e->vtid,
				 .cause = DOZE_CAUSE_push,
				 .posted = true,
				 .queue = e->u.post.queue,
				 .jobs = e->u.post.jobs,
				 .chosen = e->u.post.wakes,
				 .was_empty = e->u.post.was_empty,
				 .idle = e->u.post.idle,
				 .sleeping = e->u.post.sleeping,
				 .caller = e->u.post.caller};
	struct tui_decision *known = x.id ? find(d, x.host, x.vpid, x.pool, x.id) : NULL;
	struct tui_decision *last = tui_ring_at(&d->ring, d->ring.count - 1);

	if (known) { /* one of the decision's wakes was processed before its post */
		known->posted = true;
		known->queue = x.queue;
		known->jobs = x.jobs;
		known->chosen = x.chosen;
		known->was_empty = x.was_empty;
		known->caller = x.caller;
		known->idle = x.idle;
		known->sleeping = x.sleeping;
	} else if (is_repeat(last, &x)) {
		last->repeats++;
		last->jobs += x.jobs;
		last->idle = x.idle;
		last->sleeping = x.sleeping;
	} else {
		add(d, &x);
	}
}

static struct tui_target *target_of(struct tui_decision *x, const struct doze_wake *w, bool *added)
{
	*added = false;
	for (uint32_t i = 0; i < x->targets; i++)
		if (x->target[i].wake_id == w->wake_id)
			return &x->target[i];
	if (x->targets == TUI_TARGETS)
		return NULL;
	*added = true;
	return &x->target[x->targets++];
}

/* Returns whether this wake has already been counted, as a wake without a verdict. A wake is
 * reported when it is made, and again with its verdict. A redundant wake or a self-wake is reported
 * only with its verdict. Wakes whose targets did not fit into the decision are not remembered. */
static bool was_open(const struct tui_decision *x, const struct tui_target *t, bool added,
		     enum doze_verdict v)
{
	if (t)
		return !added && t->verdict == DOZE_VERDICT_open;
	return v != DOZE_VERDICT_open && v != DOZE_VERDICT_redundant && v != DOZE_VERDICT_self &&
	       x->verdicts[DOZE_VERDICT_open] > 0;
}

static void count(struct tui_decision *x, const struct doze_wake *w, bool was_open)
{
	if (was_open)
		x->verdicts[DOZE_VERDICT_open]--;
	else
		x->wakes++;
	x->verdicts[w->verdict]++;
	if (w->verdict == DOZE_VERDICT_futile && w->awake && w->ended > w->awake)
		x->searched += w->ended - w->awake;
}

void tui_decisions_wake(struct tui_decisions *d, const struct doze_wake *w)
{
	const struct doze_worker_key *k = &w->target;
	uint64_t key = key_of(w->decision_id, w->wake_id);
	struct tui_decision *x = find(d, k->host, k->vpid, k->pool, key);
	struct tui_target *t;
	bool added, before;

	if (!x) {
		struct tui_decision fresh = {.at = w->notified ? w->notified : w->awake,
					     .id = key,
					     .host = k->host,
					     .pool = k->pool,
					     .vpid = k->vpid,
					     .waker = w->waker,
					     .vtid = w->waker_vtid,
					     .cause = w->cause,
					     .idle = -1,
					     .sleeping = -1};
		x = add(d, &fresh);
	}
	if (!x)
		return;
	x->cause = w->cause;
	t = target_of(x, w, &added);
	before = was_open(x, t, added, w->verdict);
	if (t)
		*t = (struct tui_target){.row = k->row,
					 .index = k->index,
					 .verdict = (uint8_t)w->verdict,
					 .wake_id = w->wake_id,
					 .awake = w->awake,
					 .first_job = w->first_job,
					 .ended = w->ended};
	count(x, w, before);
}
