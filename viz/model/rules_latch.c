/*
 * SPDX-License-Identifier: MIT
 *
 * rules_latch.c - the core latch protocol (RFC 5, Appendix A): which steps there are, who may make
 * them, and that whoever sets a latch on which its owner sleeps wakes the owner.
 *
 * The last one is judged by the order of the setter's own events. After SLEEPING -> SET the setter
 * takes the owner's lock and wakes it if it sleeps; so its next event is that wake, or the owner
 * was not asleep any more, which its own events and other wakes tell.
 */
#include "rules.h"

/* A thread from outside has its notes in the pool, a worker in itself. */
static struct setter *setter_of(struct pool *p, struct worker *w, const struct doze_event *e)
{
	struct setter *s;

	if (w)
		return &w->setter;
	s = &p->setters[(uint32_t)e->vtid % SETTERS];
	if (s->vtid != e->vtid)
		*s = (struct setter){.vtid = e->vtid};
	return s;
}

static bool legal(enum doze_latch_state from, enum doze_latch_state to)
{
	switch (to) {
	case DOZE_LATCH_sleepy:
		return from == DOZE_LATCH_unset;
	case DOZE_LATCH_sleeping:
		return from == DOZE_LATCH_sleepy;
	case DOZE_LATCH_unset:
		return from == DOZE_LATCH_sleepy || from == DOZE_LATCH_sleeping;
	default:
		return true; /* set, by anybody, also again */
	}
}

static void check_latch(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	enum doze_latch_state from = e->u.latch.from, to = e->u.latch.to;

	if (!legal(from, to))
		finding(m, "latch", pool_key(p, e->worker), e->ts,
			"latch %#llx went from %s to %s, which is no step of the protocol",
			(unsigned long long)e->u.latch.id, doze_latch_state_name(from),
			doze_latch_state_name(to));
	else if (to != DOZE_LATCH_set && e->worker != e->u.latch.owner)
		finding(m, "latch", pool_key(p, e->worker), e->ts,
			"it moved latch %#llx of worker %d to %s: only the owner may",
			(unsigned long long)e->u.latch.id, e->u.latch.owner,
			doze_latch_state_name(to));
}

static bool sleeps_unwoken(const struct worker *w)
{
	return known_state(w, DOZE_STATE_sleeping) && !w->span_lost && !w->taken_back &&
	       w->phase == WAKE_NONE;
}

static void report(struct doze_model *m, struct worker *w, int64_t ts)
{
	finding(m, "latch-wake", w->v.key, ts,
		"its latch %#llx was set at %.3f ms before by %s%d, which did not wake it",
		(unsigned long long)w->due.id, (double)(ts - w->due.ts) / 1e6,
		w->due.setter < 0 ? "thread " : "worker ",
		w->due.setter < 0 ? w->due.setter_vtid : w->due.setter);
	w->due.set = false;
}

/* The setter does something else than to wake the owner. */
static void setter_went_on(struct pool *p, struct setter *s, const struct doze_event *e)
{
	struct worker *owner = worker_seen(p, s->owner);

	s->due = false;
	if (!owner || (e->kind == DOZE_EV_wake && e->u.wake.target == s->owner))
		return;
	if (!sleeps_unwoken(owner))
		return;
	owner->due = (struct latch_due){
	    .set = true, .ts = s->ts, .setter = e->worker, .setter_vtid = e->vtid, .id = s->latch};
}

/* A worker that should have been woken is still asleep, or was woken by chance. */
static void check_due(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	struct worker *w;

	if (e->kind == DOZE_EV_wake) {
		w = worker_seen(p, e->u.wake.target);
		if (w && w->due.set && sleeps_unwoken(w))
			report(m, w, e->ts);
		return;
	}
	w = worker_seen(p, e->worker);
	if (w && w->due.set)
		w->due.set = false; /* it goes on by itself: its sleep had ended */
}

/* Whom a latch may wake: its owner, by whoever set it. */
static void check_target(struct doze_model *m, struct pool *p, const struct setter *s,
			 const struct doze_event *e)
{
	if (e->u.wake.cause == DOZE_CAUSE_latch && s->latch && s->owner != e->u.wake.target)
		finding(m, "latch-target", pool_key(p, e->u.wake.target), e->ts,
			"woken for latch %#llx, which belongs to worker %d",
			(unsigned long long)s->latch, s->owner);
}

static void note_set(struct setter *s, const struct doze_event *e)
{
	s->latch = e->u.latch.id;
	s->owner = e->u.latch.owner;
	s->ts = e->ts;
	s->due = e->u.latch.from == DOZE_LATCH_sleeping && e->worker != e->u.latch.owner;
}

void rules_latch(struct doze_model *m, struct pool *p, struct worker *w, const struct doze_event *e)
{
	struct setter *s;

	if (e->kind == DOZE_EV_latch)
		check_latch(m, p, e);
	if (!p->rules->latch_wakes_owner || e->kind == DOZE_EV_pool_start)
		return;
	s = setter_of(p, w, e);
	if (s->due)
		setter_went_on(p, s, e);
	check_due(m, p, e);
	if (e->kind == DOZE_EV_wake)
		check_target(m, p, s, e);
	if (e->kind == DOZE_EV_latch && e->u.latch.to == DOZE_LATCH_set)
		note_set(s, e);
}

static void end_of_setter(struct doze_model *m, struct pool *p, struct setter *s, int64_t ts)
{
	struct worker *owner = s->due ? worker_seen(p, s->owner) : 0;

	s->due = false;
	if (!owner || !sleeps_unwoken(owner))
		return;
	owner->due = (struct latch_due){
	    .set = true, .ts = s->ts, .setter = -1, .setter_vtid = s->vtid, .id = s->latch};
	report(m, owner, ts);
}

/* Nothing has moved for long, or the trace ends: who is due now stays asleep. */
void rules_latch_end(struct doze_model *m, struct pool *p, int64_t ts)
{
	for (uint32_t i = 0; i < p->room; i++) {
		struct worker *w = p->by_index[i];

		if (!w)
			continue;
		end_of_setter(m, p, &w->setter, ts);
		if (w->due.set && sleeps_unwoken(w))
			report(m, w, ts);
	}
	for (unsigned i = 0; i < SETTERS; i++)
		end_of_setter(m, p, &p->setters[i], ts);
}
