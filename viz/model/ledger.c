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
#include <stdlib.h>
#include <string.h>

#include "model_int.h"

/*
 * ---- Gives wakes their verdicts, and measures their latencies.
 *
 * A useful wake gets its verdict when its target finds a job, but it is measured and passed to the
 * listener only when that job starts, because the target may first wake other workers, which takes
 * time. If the start is not recorded (below level `all`), the wake waits until its target reports
 * something else, and the job counts as started when it was found.
 */

/* Returns the time between two times of any wake; -1 if one of them is unknown. */
static int64_t span(int64_t from, int64_t to)
{
	if (!from || !to)
		return -1;
	return to > from ? to - from : 0;
}

static bool has_stages(const struct doze_wake *k)
{
	return k->verdict == DOZE_VERDICT_useful && k->published && k->awake;
}

/* Returns the stage of a useful wake between two of its times; -1 if it has no such stage. */
static int64_t stage(const struct doze_wake *k, int64_t from, int64_t to)
{
	return has_stages(k) ? span(from, to) : -1;
}

int64_t doze_wake_delay(const struct doze_wake *k, enum doze_delay delay)
{
	switch (delay) {
	case DOZE_DELAY_notify_awake:
		return span(k->notified, k->awake);
	case DOZE_DELAY_publish_notify:
		return stage(k, k->published, k->notified);
	case DOZE_DELAY_useful_awake:
		return stage(k, k->notified, k->awake);
	case DOZE_DELAY_awake_found:
		return stage(k, k->awake, k->found);
	case DOZE_DELAY_found_job:
		return stage(k, k->found, k->first_job);
	case DOZE_DELAY_publish_job:
		return stage(k, k->published, k->first_job);
	default:
		return k->verdict == DOZE_VERDICT_futile
			   ? span(k->awake ? k->awake : k->notified, k->ended)
			   : -1;
	}
}

static bool is_for_a_post(const struct doze_wake *k)
{
	return k->cause == DOZE_CAUSE_push || k->cause == DOZE_CAUSE_inject;
}

static void measure(struct doze_measures *s, const struct doze_wake *k)
{
	struct doze_hist *const of[DOZE_DELAY_COUNT] = {
	    [DOZE_DELAY_notify_awake] = &s->notify_awake,
	    [DOZE_DELAY_publish_notify] = &s->publish_notify,
	    [DOZE_DELAY_useful_awake] = &s->useful_awake,
	    [DOZE_DELAY_awake_found] = &s->awake_found,
	    [DOZE_DELAY_found_job] = &s->found_job,
	    [DOZE_DELAY_publish_job] = &s->publish_job,
	    [DOZE_DELAY_futile_search] = &s->futile_search,
	};

	for (int i = 0; i < DOZE_DELAY_COUNT; i++) {
		int64_t ns = doze_wake_delay(k, (enum doze_delay)i);

		if (ns >= 0)
			doze_hist_add(of[i], ns);
	}
	s->unmeasured += k->verdict == DOZE_VERDICT_useful && is_for_a_post(k) && !has_stages(k);
}

static void deliver(struct doze_model *m, const struct doze_wake *k)
{
	if (wake_in_scope(m, k))
		measure(&m->measures, k);
	if (m->on.on_verdict)
		m->on.on_verdict(m->ctx, k);
}

static void count(struct doze_model *m, struct pool *p, const struct doze_wake *k,
		  struct worker *by)
{
	struct doze_measures *s = &m->measures;

	if (by && k->verdict == DOZE_VERDICT_futile && in_range(m, k->notified))
		by->v.futile_sent++;
	else if (k->waker < 0 && k->verdict == DOZE_VERDICT_futile)
		model_outside_count(m, p, k, 0, 1);
	if (!wake_in_scope(m, k))
		return;
	m->totals.verdicts[k->verdict]++;
	if (k->verdict == DOZE_VERDICT_futile)
		model_site_count(m, p, k, 0, 1);
	if ((unsigned)k->cause < DOZE_CAUSE_COUNT)
		s->verdicts[k->cause][k->verdict]++;
	if (k->cause == DOZE_CAUSE_work_found)
		s->chain.futile += k->verdict == DOZE_VERDICT_futile;
}

/* Returns whether the open wake of w has not reached it yet. */
static bool is_pending(const struct worker *w)
{
	return w->v.wake_phase == DOZE_WAKE_notified || w->v.wake_phase == DOZE_WAKE_early;
}

/* Gives the open wake of w its verdict, without measuring it. */
static void judge(struct doze_model *m, struct worker *w, enum doze_verdict v, int64_t ts)
{
	struct doze_wake *k = &w->wake.line;

	if (w->wake.lost && v != DOZE_VERDICT_self)
		v = DOZE_VERDICT_unresolved;
	w->pool->v.notified -= is_pending(w);
	w->v.wake_phase = DOZE_WAKE_none;
	w->wake.woken_due = w->wake.held = false;
	k->verdict = v;
	k->ended = ts;
	count(m, w->pool, k, w->wake.by);
	model_decision_verdict(m, w->pool, k,
			       v != DOZE_VERDICT_redundant && v != DOZE_VERDICT_self);
}

/* Gives the worker's open wake its verdict. */
static void model_verdict(struct doze_model *m, struct worker *w, enum doze_verdict v, int64_t ts)
{
	judge(m, w, v, ts);
	deliver(m, &w->wake.line);
}

/* Returns whether the trace is likely to contain the start of the job that a worker has just found.
 * Level `jobs` includes the starts of jobs that were stolen or injected. */
static bool start_is_recorded(const struct pool *p, enum doze_reason found_by)
{
	return p->v.jobs_level || p->v.in_state[DOZE_STATE_sleeping] > 0 ||
	       (p->v.level == DOZE_LEVEL_jobs && found_by != DOZE_REASON_found_local);
}

/* Called when the target of the open wake has found a job, which makes the wake useful. */
static void model_verdict_found(struct doze_model *m, struct worker *w, enum doze_reason why,
				int64_t ts)
{
	w->wake.line.found = w->wake.line.first_job = ts;
	judge(m, w, DOZE_VERDICT_useful, ts);
	w->wake.start_due = start_is_recorded(w->pool, why);
	w->wake.found_by = why;
	if (!w->wake.start_due)
		deliver(m, &w->wake.line);
}

/* Measures a useful wake, and passes it to the listener, if the start of its job can no longer be
 * recorded. */
static void model_verdict_settle(struct doze_model *m, struct worker *w)
{
	if (w->wake.start_due)
		deliver(m, &w->wake.line);
	w->wake.start_due = false;
}

void model_verdict_start(struct doze_model *m, struct worker *w, const struct doze_event *e)
{
	bool first = e->kind == DOZE_EV_job_start || !e->u.job.skipped;
	enum doze_source found = model_source_of(w->wake.found_by);

	if (w->wake.held)
		model_verdict(m, w, DOZE_VERDICT_latch, e->ts);
	if (!w->wake.start_due)
		return;
	if (first && found != DOZE_SOURCE_none && found == e->u.job.source)
		w->wake.line.first_job = e->ts;
	model_verdict_settle(m, w);
}

/* Closes a ledger entry that was never an open wake, and removes it from its decision's fan-out. */
static void model_ledger_close(struct doze_model *m, struct pool *p, struct doze_wake *k,
			       enum doze_verdict v)
{
	k->verdict = v;
	count(m, p, k, 0);
	model_decision_verdict(m, p, k, false);
	deliver(m, k);
}

/* Counts the target's open wake as the root or as a link of a chain of wakes. */
static void model_ledger_chain(struct doze_model *m, const struct worker *by, struct worker *target)
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

/* Counts a wake as soon as its target is known. */
static void model_ledger_count_sent(struct doze_model *m, struct pool *p, const struct doze_wake *k,
				    const struct worker *by)
{
	bool counts = wake_in_scope(m, k);

	m->totals.wakes += counts;
	m->totals.outside_wakes += counts && !by;
	if (counts)
		model_site_count(m, p, k, 1, 0);
	if (k->waker < 0)
		model_outside_count(m, p, k, 1, 0);
}

/*
 * ---- Handles wakes without a target (-1): a thread that calls
 * pthread_cond_signal cannot see which waiter wakes. Such wakes wait in a ring, oldest first, until
 * a worker reports that one of them woke it. v.untargeted counts them, and v.notified includes
 * them.
 */

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

static void model_untargeted_add(struct doze_model *m, struct pool *p, struct doze_wake *line,
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
	for (size_t i = 0; p->v.rules->foreign && i < doze_model_pools(m); i++) {
		struct pool *o = model_pool_at(m, i);
		uint32_t n = model_same_process(o, p) ? index_of(o, wake_id) : o->v.untargeted;

		if (o == p || n == o->v.untargeted)
			continue;
		*k = take(o, n);
		o->v.notified--;
		p->v.notified++;
		k->line.verdict = DOZE_VERDICT_went_on;
		k->line.ended = m->now;
		model_decision_verdict(m, o, &k->line, true);
		k->line.decision_id = 0;
		return true;
	}
	return false;
}

/* Makes the wake with the given id the worker's open wake. Returns false if there is no such
 * wake. */
static bool model_untargeted_adopt(struct doze_model *m, struct worker *w, uint64_t wake_id)
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

/* ---- The open wake of a worker ---- */

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

	model_state_leaving(w);
	if (!id) {
		self_wake(m, w, e->ts);
	} else if (is_pending(w) ? w->wake.line.wake_id == id
				 : !open && model_untargeted_adopt(m, w, id)) {
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

const struct doze_wake *doze_worker_wake(const struct doze_worker_view *w)
{
	return &((const struct worker *)w)->wake.line;
}

void model_ledger_forget(struct worker *w)
{
	w->wake.lost = w->wake.woken_due = false;
	w->wake.redundant_count = w->wake.chain_depth = 0;
	memset(w->wake.redundant_ids, 0, sizeof w->wake.redundant_ids);
	w->latch_set = DOZE_LATCH_KIND_none;
}

struct worker *model_ledger_waker(const struct worker *w)
{
	return w->wake.by;
}

void model_ledger_waker_set(struct worker *w, struct worker *by)
{
	w->wake.by = by;
}

static void untargeted_saved(struct doze_model *m, struct untargeted_wake *k, struct doze_saved *s)
{
	struct untargeted_wake image = *k;
	int64_t by = k->by ? (int64_t)k->by->v.key.row : -1;

	image.by = NULL;
	(void)doze_saved_value(s, image);
	(void)doze_saved_value(s, by);
	if (!s->loads)
		return;
	if (by >= (int64_t)doze_model_workers(m))
		(void)doze_saved_fail(s);
	image.by = s->failed || by < 0 ? NULL : model_worker_at(m, (size_t)by);
	image.slot = k->slot;
	*k = image;
}

void model_ledger_saved(struct doze_model *m, struct pool *p, struct doze_saved *s)
{
	uint32_t n = p->v.untargeted;

	(void)doze_saved_value(s, n);
	if (s->failed || (s->loads && n > DOZE_SIGNAL_SLOTS) || (n && !ring_of(p))) {
		(void)doze_saved_fail(s);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		untargeted_saved(m, at(p, i), s);
	if (!s->loads)
		return;
	p->v.untargeted = n;
	p->v.notified += n;
}

bool model_ledger_settled(const struct pool *p, int64_t to)
{
	if (p->v.untargeted && at(p, 0)->line.notified <= to)
		return false;
	for (const struct worker *w = model_next_worker(p, 0); w; w = model_next_worker(p, w))
		if ((w->v.wake_phase != DOZE_WAKE_none || w->wake.start_due) &&
		    w->wake.line.notified <= to)
			return false;
	return true;
}

void model_ledger_free(struct pool *p)
{
	free(p->untargeted);
	p->untargeted = NULL;
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
