/*
 * SPDX-License-Identifier: MIT
 *
 * ledger.c - keeps one entry per wake, from the waker's notification to the verdict.
 *
 * A worker has at most one open wake: the first wake that targets its current sleep. Any further
 * wake during that sleep is redundant from the start. The phases of an open wake:
 *
 *	wake event ──▶ NOTIFIED ──woken──▶ AWAKE ──ran a job / slept again / …──▶ verdict
 *	   └─ target still sleepy: EARLY, until it sleeps (NOTIFIED) or not (redundant)
 *
 * EARLY exists because the timestamps of two CPUs do not show which of two steps came first.
 */
#include "model_fn.h"

void model_ledger_chain(struct doze_model *m, const struct worker *by, struct worker *target)
{
	struct doze_chain_measures *c = &m->measures.chain;
	bool link = target->wake.line.cause == DOZE_CAUSE_work_found;

	target->wake.chain_depth = !link ? 0 : by ? by->wake.chain_depth + 1 : 1;
	if (!wake_in_scope(m, &target->wake.line))
		return;
	c->roots += !link;
	c->wakes += link;
	if (target->wake.chain_depth > c->longest)
		c->longest = target->wake.chain_depth;
}

/* Returns the phase in which a new wake of t begins, or none if the wake is redundant. */
static enum doze_wake_phase phase_of(const struct worker *t)
{
	if (t->v.wake_phase != DOZE_WAKE_none)
		return DOZE_WAKE_none;
	if (!t->v.known || t->v.unknown || t->v.state == DOZE_STATE_sleeping)
		return DOZE_WAKE_notified;
	return t->v.state == DOZE_STATE_sleepy ? DOZE_WAKE_early : DOZE_WAKE_none;
}

static struct doze_wake new_line(const struct pool *p, const struct doze_event *e)
{
	return (struct doze_wake){.target = doze_pool_key(&p->v, e->u.wake.target),
				  .waker = e->worker,
				  .waker_vtid = e->vtid,
				  .wake_id = e->u.wake.wake_id,
				  .decision_id = e->u.wake.decision_id,
				  .cause = e->u.wake.cause,
				  .notified = e->ts};
}

void model_ledger_count_sent(struct doze_model *m, struct pool *p, const struct doze_wake *k,
			     const struct worker *by)
{
	bool counts = wake_in_scope(m, k);

	m->totals.wakes += counts;
	m->totals.outside_wakes += counts && !by;
	if (counts)
		model_site_wake(m, p, k);
	if (k->waker < 0)
		model_outside_sent(m, p, k);
}

void model_ledger_wake(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	struct worker *by = model_worker_of(m, p, e->worker),
		      *t = model_worker_of(m, p, e->u.wake.target);
	struct doze_wake line;
	enum doze_wake_phase phase;

	line = new_line(p, e);
	model_decision_wake(m, p, e, &line);
	model_ledger_count_sent(m, p, &line, by);
	if (by)
		by->v.wakes_sent += in_range(m, e->ts);
	if (!t) {
		model_untargeted_add(m, p, &line, by, e);
		return;
	}
	if (m->on.on_wake)
		m->on.on_wake(m->ctx, &line);
	phase = phase_of(t);
	if (phase == DOZE_WAKE_none) {
		t->wake.redundant_ids[t->wake.redundant_count++ % REDUNDANT_IDS] = line.wake_id;
		line.ended = e->ts;
		model_ledger_close(m, p, &line,
				   e->ts <= m->lost_to ? DOZE_VERDICT_unresolved
						       : DOZE_VERDICT_redundant);
		return;
	}
	model_verdict_settle(m, t);
	t->wake.line = line;
	t->wake.by = by;
	t->wake.scope = e->u.wake.scope;
	t->wake.lost = !t->v.known || t->v.unknown || e->ts <= m->lost_to;
	t->v.wake_phase = phase;
	p->v.notified++;
	model_ledger_chain(m, by, t);
	notify_observers(m, wake, &t->v, e);
}

/* Returns whether the wake was sent because a latch of its target was set. */
static bool is_for_its_latch(const struct worker *w)
{
	return w->wake.line.cause == DOZE_CAUSE_latch && w->wake.scope != DOZE_SCOPE_all;
}

/* Returns whether the latch last set for w is known not to be its terminate latch. */
static bool latch_goes_on(const struct worker *w)
{
	return w->latch_set != DOZE_LATCH_KIND_none && w->latch_set != DOZE_LATCH_KIND_terminate;
}

/* Resolves the wake if the verdict is already certain when the target wakes. */
static void awake(struct doze_model *m, struct worker *w, int64_t ts)
{
	w->pool->v.notified--;
	w->v.wake_phase = DOZE_WAKE_awake;
	if (w->wake.line.cause == DOZE_CAUSE_terminate)
		model_verdict(m, w, DOZE_VERDICT_terminate, ts);
	else if (is_for_its_latch(w) && latch_goes_on(w))
		model_verdict(m, w, DOZE_VERDICT_latch, ts);
}

static bool was_redundant(const struct worker *w, uint64_t id)
{
	for (unsigned i = 0; i < REDUNDANT_IDS; i++)
		if (w->wake.redundant_ids[i] == id)
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

	model_ledger_close(m, w->pool, &line, DOZE_VERDICT_self);
}

/* Counts a woken event at the time of its wake, so that a selected range contains both events or
 * neither. */
static void count_woken(struct doze_model *m, struct worker *w, int64_t at)
{
	w->v.wakes += in_range(m, at);
	m->totals.woken += in_scope(m, at, w->v.key.index);
}

void model_ledger_woken(struct doze_model *m, struct worker *w, const struct doze_event *e)
{
	uint64_t id = e->u.woken.wake_id;
	bool open = w->v.wake_phase != DOZE_WAKE_none;

	if (known_state(w, DOZE_STATE_sleeping) && !w->v.leaving) {
		w->v.leaving = true;
		w->pool->leaving++;
	}
	if (!id) {
		self_wake(m, w, e->ts);
	} else if ((w->v.wake_phase == DOZE_WAKE_notified || w->v.wake_phase == DOZE_WAKE_early) &&
		   w->wake.line.wake_id == id) {
		w->wake.line.awake = e->ts;
		awake(m, w, e->ts);
	} else if (w->v.wake_phase == DOZE_WAKE_none && model_untargeted_adopt(m, w, id)) {
		w->wake.line.awake = e->ts;
		awake(m, w, e->ts);
	} else if (w->wake.woken_due && w->wake.line.wake_id == id) {
		w->wake.woken_due = false;
		if (w->v.wake_phase == DOZE_WAKE_awake)
			w->wake.line.awake = e->ts;
	} else if (!w->v.unknown && w->v.known && !was_redundant(w, id)) {
		doze_model_finding(m, "wake-pair", w->v.key, e->ts,
				   "this worker was woken by wake %llu, but the trace has no wake "
				   "with this number",
				   (unsigned long long)id);
	}
	open |= w->wake.line.wake_id == id;
	count_woken(m, w, id && open ? w->wake.line.notified : e->ts);
}

/* Called when the worker leaves its sleep, normally right after its `woken` event. */
static void leave_sleep(struct doze_model *m, struct worker *w, enum doze_reason why, int64_t ts)
{
	bool open = w->v.wake_phase == DOZE_WAKE_notified;

	if (why == DOZE_REASON_woken && open) {
		awake(m, w, ts);
		/* Set this after awake(), which may clear it. After lost events, another wake may
		 * have ended the sleep. */
		w->wake.woken_due = !w->wake.lost;
	} else if (open) {
		model_verdict(
		    m, w, why == DOZE_REASON_self_wake ? DOZE_VERDICT_self : DOZE_VERDICT_redundant,
		    ts);
	}
}

/* Called when the worker finds its latch set. If that is its terminate latch, the worker
 * exits next. */
static void found_latch(struct doze_model *m, struct worker *w, int64_t ts)
{
	w->wake.held = !latch_goes_on(w);
	if (!w->wake.held)
		model_verdict(m, w, DOZE_VERDICT_latch, ts);
}

/* Resolves the wake of an awake worker, if its new state decides the verdict. */
static void decide(struct doze_model *m, struct worker *w, enum doze_state to, enum doze_reason why,
		   int64_t ts)
{
	if (w->pool->v.rules->foreign)
		model_verdict(m, w, model_waits_verdict(w, to, why), ts);
	else if (to == DOZE_STATE_stopped || why == DOZE_REASON_terminate)
		model_verdict(m, w, DOZE_VERDICT_terminate, ts);
	else if (w->wake.held)
		model_verdict(m, w, DOZE_VERDICT_latch, ts);
	else if (to == DOZE_STATE_active && why == DOZE_REASON_latch_set)
		found_latch(m, w, ts);
	else if ((to == DOZE_STATE_active || to == DOZE_STATE_sleeping) && is_for_its_latch(w))
		model_verdict(m, w, DOZE_VERDICT_latch, ts);
	else if (to == DOZE_STATE_sleeping)
		model_verdict(m, w, DOZE_VERDICT_futile, ts);
	else if (to == DOZE_STATE_active)
		model_verdict_found(m, w, why, ts);
}

/* Handles a thread of a crew that leaves its wait. Unless it was woken from a condition variable,
 * it is active at once. */
static void leave_wait(struct doze_model *m, struct worker *w, enum doze_state to,
		       enum doze_reason why, int64_t ts)
{
	if (w->v.wake_phase == DOZE_WAKE_awake && to != DOZE_STATE_idle)
		decide(m, w, to, why, ts);
	else if (why == DOZE_REASON_self_wake && !w->v.leaving)
		self_wake(m, w, ts);
}

void model_ledger_state(struct doze_model *m, struct worker *w, enum doze_state from,
			enum doze_state to, enum doze_reason why, int64_t ts)
{
	model_verdict_settle(m, w);
	if (from == DOZE_STATE_sleeping)
		leave_sleep(m, w, why, ts);
	else if (w->wake.woken_due && !w->v.unknown)
		doze_model_finding(m, "wake-pair", w->v.key, ts,
				   "this worker was woken by wake %llu, but did not report it",
				   (unsigned long long)w->wake.line.wake_id);
	w->wake.woken_due = w->wake.woken_due && from == DOZE_STATE_sleeping;
	if (from == DOZE_STATE_sleeping && w->pool->v.rules->foreign)
		leave_wait(m, w, to, why, ts);
	if (w->v.wake_phase == DOZE_WAKE_awake && from != DOZE_STATE_sleeping)
		decide(m, w, to, why, ts);
	else if (w->v.wake_phase == DOZE_WAKE_early && to == DOZE_STATE_sleeping)
		w->v.wake_phase = DOZE_WAKE_notified;
	else if (w->v.wake_phase == DOZE_WAKE_early)
		model_verdict(m, w, DOZE_VERDICT_redundant, ts);
	/* The target was awake, but its state was unknown. If events were lost and it falls asleep,
	 * the wake ended an earlier sleep. */
	if (w->v.wake_phase == DOZE_WAKE_notified && from != DOZE_STATE_sleeping &&
	    (to != DOZE_STATE_sleeping || w->wake.lost))
		model_verdict(m, w, DOZE_VERDICT_redundant, ts);
	if (to == DOZE_STATE_active) /* the worker has noticed the latch */
		w->latch_set = DOZE_LATCH_KIND_none;
}

void model_ledger_latch(struct pool *p, const struct doze_event *e)
{
	struct worker *owner = model_worker_seen(p, e->u.latch.owner);

	if (owner && e->u.latch.to == DOZE_LATCH_set)
		owner->latch_set = e->u.latch.kind;
}

void model_ledger_lost(struct doze_model *m, struct worker *w)
{
	model_verdict_settle(m, w);
	w->latch_set = DOZE_LATCH_KIND_none;
	if (w->v.wake_phase != DOZE_WAKE_none)
		w->wake.lost = true;
}

/* Called when a snapshot shows the state of a worker after events were lost, or for the first time.
 * A wake of that worker that was in progress before may have ended, and if the worker sleeps, one
 * that was lost may be in progress. */
void model_ledger_snapshot(struct doze_model *m, struct worker *w, const struct doze_event *e)
{
	w->wake.lost = true;
	if (w->v.wake_phase != DOZE_WAKE_none)
		model_verdict(m, w, DOZE_VERDICT_unresolved, e->ts);
	w->wake.lost = e->u.snapshot.state == DOZE_STATE_sleeping;
}

void model_ledger_finish(struct doze_model *m, struct worker *w, int64_t ts)
{
	model_verdict_settle(m, w);
	if (w->wake.held)
		model_verdict(m, w, DOZE_VERDICT_latch, ts);
	w->wake.lost = true;
	if (w->v.wake_phase != DOZE_WAKE_none)
		model_verdict(m, w, DOZE_VERDICT_unresolved, ts);
}
