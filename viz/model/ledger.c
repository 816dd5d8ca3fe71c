/*
 * SPDX-License-Identifier: MIT
 *
 * ledger.c - one line for each wake, from the waker's notification to the verdict.
 *
 * A worker sleeps at most one sleep at a time, so it has at most one open wake: the first that was
 * aimed at its sleep. Any other is redundant at once. The life of an open wake:
 *
 *	wake event ──▶ NOTIFIED ──woken──▶ AWAKE ──ran a job / slept again / …──▶ verdict
 *	   └─ target still sleepy: EARLY, until it sleeps (NOTIFIED) or does not (redundant)
 *
 * EARLY exists because the timestamps of two CPUs are not the order of the two steps.
 */
#include "model_int.h"

static bool valid_cause(enum doze_cause c)
{
	return (unsigned)c < DOZE_CAUSE_COUNT;
}

static void add_latency(struct doze_hist *h, int64_t from, int64_t to)
{
	if (from && to)
		doze_hist_add(h, to - from);
}

static void measure(struct doze_measures *s, const struct doze_wake *k)
{
	add_latency(&s->notify_awake, k->notified, k->awake);
	if (k->verdict == DOZE_VERDICT_useful && k->published && k->awake) {
		add_latency(&s->publish_notify, k->published, k->notified);
		add_latency(&s->useful_awake, k->notified, k->awake);
		add_latency(&s->awake_job, k->awake, k->first_job);
		add_latency(&s->publish_job, k->published, k->first_job);
	} else if (k->verdict == DOZE_VERDICT_futile) {
		add_latency(&s->futile_search, k->awake ? k->awake : k->notified, k->ended);
	}
}

static void count(struct doze_model *m, struct pool *p, const struct doze_wake *k,
		  struct worker *by)
{
	struct doze_measures *s = &m->measures;

	if (by && k->verdict == DOZE_VERDICT_futile && in_range(m, k->notified))
		by->v.futile_sent++;
	else if (k->waker < 0 && k->verdict == DOZE_VERDICT_futile)
		outside_futile(m, p, k);
	if (!wake_in_scope(m, k))
		return;
	m->totals.verdicts[k->verdict]++;
	if (valid_cause(k->cause))
		s->verdicts[k->cause][k->verdict]++;
	if (k->cause == DOZE_CAUSE_work_found)
		s->chain.futile += k->verdict == DOZE_VERDICT_futile;
	measure(s, k);
}

/* The open wake of w has its verdict. */
static void resolve(struct doze_model *m, struct worker *w, enum doze_verdict v, int64_t ts)
{
	struct doze_wake *k = &w->wake;

	if (w->wake_lost && v != DOZE_VERDICT_self)
		v = DOZE_VERDICT_unresolved;
	if (w->phase == WAKE_NOTIFIED || w->phase == WAKE_EARLY)
		w->pool->notified--;
	w->phase = WAKE_NONE;
	w->woken_due = false;
	k->verdict = v;
	k->ended = ts;
	count(m, w->pool, k, w->wake_by);
	decision_verdict(m, w->pool, k, v != DOZE_VERDICT_redundant && v != DOZE_VERDICT_self);
	if (m->on.on_verdict)
		m->on.on_verdict(m->ctx, k);
}

/* A line that needs no waiting: redundant wakes, and self-wakes that nobody made. */
void ledger_close(struct doze_model *m, struct pool *p, struct doze_wake *k, enum doze_verdict v)
{
	k->verdict = v;
	count(m, p, k, 0);
	if (k->decision_id)
		decision_verdict(m, p, k, false);
	if (m->on.on_verdict)
		m->on.on_verdict(m->ctx, k);
}

void ledger_chain(struct doze_model *m, const struct worker *by, struct worker *target)
{
	struct doze_chain_measures *c = &m->measures.chain;
	bool link = target->wake.cause == DOZE_CAUSE_work_found;

	target->chain_depth = !link ? 0 : by ? by->chain_depth + 1 : 1;
	if (!wake_in_scope(m, &target->wake))
		return;
	c->roots += !link;
	c->wakes += link;
	if (target->chain_depth > c->longest)
		c->longest = target->chain_depth;
}

/* Whether the target's sleep can be this wake's own. */
static enum wake_phase phase_of(const struct worker *t)
{
	if (t->phase != WAKE_NONE)
		return WAKE_NONE;
	if (!t->known || t->span_lost || t->v.state == DOZE_STATE_sleeping)
		return WAKE_NOTIFIED;
	return t->v.state == DOZE_STATE_sleepy ? WAKE_EARLY : WAKE_NONE;
}

static struct doze_wake new_line(const struct pool *p, const struct doze_event *e)
{
	return (struct doze_wake){.target = pool_key(p, e->u.wake.target),
				  .waker = e->worker,
				  .waker_vtid = e->vtid,
				  .wake_id = e->u.wake.wake_id,
				  .decision_id = e->u.wake.decision_id,
				  .cause = e->u.wake.cause,
				  .notified = e->ts};
}

void ledger_count_sent(struct doze_model *m, struct pool *p, const struct doze_wake *k,
		       const struct worker *by)
{
	bool counts = wake_in_scope(m, k);

	m->totals.wakes += counts;
	m->totals.outside_wakes += counts && !by;
	if (k->waker < 0)
		outside_sent(m, p, k);
}

void ledger_wake(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	struct worker *by = worker_of(m, p, e->worker), *t = worker_of(m, p, e->u.wake.target);
	struct doze_wake line;
	struct path_ref by_path = {0};
	enum wake_phase phase;

	line = new_line(p, e);
	ledger_count_sent(m, p, &line, by);
	if (by)
		by->v.wakes_sent += in_range(m, e->ts);
	decision_wake(m, p, e, &line);
	if (!t) {
		loose_add(m, p, &line, by, e);
		return;
	}
	if (m->on.on_wake)
		m->on.on_wake(m->ctx, &line);
	phase = phase_of(t);
	if (phase == WAKE_NONE) {
		t->redundant_ids[t->redundant_n++ % REDUNDANT_IDS] = line.wake_id;
		line.ended = e->ts;
		ledger_close(m, p, &line,
			     e->ts <= m->lost_to ? DOZE_VERDICT_unresolved
						 : DOZE_VERDICT_redundant);
		return;
	}
	t->wake = line;
	t->wake_by = by;
	t->wake_scope = e->u.wake.scope;
	t->wake_lost = !t->known || t->span_lost || e->ts <= m->lost_to;
	t->phase = phase;
	p->notified++;
	ledger_chain(m, by, t);
	path_note(p, e, &by_path);
	path_owe(t, &by_path);
	path_forget(p, &by_path);
}

/* What is known as soon as the target is awake. */
static void awake(struct doze_model *m, struct worker *w, int64_t ts)
{
	w->pool->notified--;
	w->phase = WAKE_AWAKE;
	if (w->wake.cause == DOZE_CAUSE_terminate)
		resolve(m, w, DOZE_VERDICT_terminate, ts);
	else if (w->wake.cause == DOZE_CAUSE_latch && w->wake_scope != DOZE_SCOPE_all)
		resolve(m, w, DOZE_VERDICT_latch, ts);
}

static bool was_redundant(const struct worker *w, uint64_t id)
{
	for (unsigned i = 0; i < REDUNDANT_IDS; i++)
		if (w->redundant_ids[i] == id)
			return true;
	return false;
}

static void self_wake(struct doze_model *m, struct worker *w, int64_t ts)
{
	struct doze_wake line = {.target = w->v.key,
				 .waker = w->v.key.index,
				 .waker_vtid = -1,
				 .awake = ts,
				 .ended = ts};

	ledger_close(m, w->pool, &line, DOZE_VERDICT_self);
}

/* Woken is counted with its wake, so that a part of the trace does not have the one without the
 * other. */
static void count_woken(struct doze_model *m, struct worker *w, int64_t at)
{
	w->v.wakes += in_range(m, at);
	m->totals.woken += in_scope(m, at, w->v.key.index);
}

void ledger_woken(struct doze_model *m, struct worker *w, const struct doze_event *e)
{
	uint64_t id = e->u.woken.wake_id;
	bool open = w->phase != WAKE_NONE;

	if (known_state(w, DOZE_STATE_sleeping) && !w->leaving) {
		w->leaving = true;
		w->pool->leaving++;
	}
	if (!id) {
		self_wake(m, w, e->ts);
	} else if ((w->phase == WAKE_NOTIFIED || w->phase == WAKE_EARLY) && w->wake.wake_id == id) {
		w->wake.awake = e->ts;
		awake(m, w, e->ts);
	} else if (w->phase == WAKE_NONE && loose_adopt(m, w, id)) {
		w->wake.awake = e->ts;
		awake(m, w, e->ts);
	} else if (w->woken_due && w->wake.wake_id == id) {
		w->woken_due = false;
		if (w->phase == WAKE_AWAKE)
			w->wake.awake = e->ts;
	} else if (!w->span_lost && w->known && !was_redundant(w, id)) {
		finding(m, "wake-pair", w->v.key, e->ts, "woken by wake %llu, which nobody made",
			(unsigned long long)id);
	}
	open |= w->wake.wake_id == id;
	count_woken(m, w, id && open ? w->wake.notified : e->ts);
}

/* Leaving the sleep: normally `woken` came just before. */
static void leave_sleep(struct doze_model *m, struct worker *w, enum doze_reason why, int64_t ts)
{
	bool open = w->phase == WAKE_NOTIFIED;

	if (why == DOZE_REASON_woken && open) {
		awake(m, w, ts);
		w->woken_due = true; /* after awake: it forgets when it has the verdict already */
	} else if (open) {
		resolve(m, w,
			why == DOZE_REASON_self_wake ? DOZE_VERDICT_self : DOZE_VERDICT_redundant,
			ts);
	}
}

/* An awake worker does something that decides what its wake was good for. */
static void decide(struct doze_model *m, struct worker *w, enum doze_state to, enum doze_reason why,
		   int64_t ts)
{
	if (to == DOZE_STATE_stopped || why == DOZE_REASON_terminate) {
		resolve(m, w, DOZE_VERDICT_terminate, ts);
	} else if (to == DOZE_STATE_sleeping) {
		resolve(m, w, DOZE_VERDICT_futile, ts);
	} else if (to == DOZE_STATE_active && why == DOZE_REASON_latch_set) {
		resolve(m, w, DOZE_VERDICT_latch, ts);
	} else if (to == DOZE_STATE_active) {
		w->wake.first_job = ts;
		resolve(m, w, DOZE_VERDICT_useful, ts);
	}
}

void ledger_state(struct doze_model *m, struct worker *w, enum doze_state from, enum doze_state to,
		  enum doze_reason why, int64_t ts)
{
	if (from == DOZE_STATE_sleeping)
		leave_sleep(m, w, why, ts);
	else if (w->woken_due && !w->span_lost)
		finding(m, "wake-pair", w->v.key, ts,
			"it left its sleep as woken (wake %llu), but never said by whom",
			(unsigned long long)w->wake.wake_id);
	w->woken_due = w->woken_due && from == DOZE_STATE_sleeping;
	if (w->phase == WAKE_AWAKE && from != DOZE_STATE_sleeping)
		decide(m, w, to, why, ts);
	else if (w->phase == WAKE_EARLY && to == DOZE_STATE_sleeping)
		w->phase = WAKE_NOTIFIED;
	else if (w->phase == WAKE_EARLY)
		resolve(m, w, DOZE_VERDICT_redundant, ts);
	if (w->phase == WAKE_NOTIFIED && from != DOZE_STATE_sleeping &&
	    to != DOZE_STATE_sleeping) /* it was awake all the time: its state was not known */
		resolve(m, w, DOZE_VERDICT_redundant, ts);
}

void ledger_lost(struct worker *w)
{
	if (w->phase != WAKE_NONE)
		w->wake_lost = true;
}

void ledger_finish(struct doze_model *m, struct worker *w, int64_t ts)
{
	w->wake_lost = true;
	if (w->phase != WAKE_NONE)
		resolve(m, w, DOZE_VERDICT_unresolved, ts);
}
