/*
 * SPDX-License-Identifier: MIT
 *
 * rules_latch.c - the core latch protocol (RFC 5, Appendix A): the allowed steps, the thread that
 * may make each of them, and the setter's duty to wake an owner that sleeps on the latch.
 *
 * The last rule uses the order of the setter's own events. After SLEEPING -> SET the setter takes
 * the owner's lock and wakes the owner if it sleeps. So either the setter's next event is that
 * wake, or the owner was awake, as its own events and other wakes show. If the policy wakes all
 * workers for a latch, the owner must be one of them.
 */
#include "check_int.h"

static bool legal(enum doze_latch_state from, enum doze_latch_state to)
{
	switch (to) {
	case DOZE_LATCH_sleepy:
	case DOZE_LATCH_suspended:
		return from == DOZE_LATCH_unset;
	case DOZE_LATCH_sleeping:
		return from == DOZE_LATCH_sleepy;
	case DOZE_LATCH_unset:
		return from == DOZE_LATCH_sleepy || from == DOZE_LATCH_sleeping;
	default:
		return true; /* any thread may set a latch, even repeatedly */
	}
}

static char *latch_name(const struct check_pool *p, uint64_t id, char *out)
{
	return doze_model_latch_name(p->model, p->v, id, out);
}

static void check_latch(struct check_pool *p, const struct doze_event *e)
{
	char name[DOZE_LATCH_NAME];
	enum doze_latch_state from = e->u.latch.from, to = e->u.latch.to;

	if (!legal(from, to))
		check_report(p, e, "latch",
			     "latch %s changed from %s to %s, which the protocol does not allow",
			     latch_name(p, e->u.latch.id, name), doze_latch_state_name(from),
			     doze_latch_state_name(to));
	else if (to != DOZE_LATCH_set && e->worker != e->u.latch.owner)
		check_report(
		    p, e, "latch",
		    "latch %s was changed to %s by a thread other than its owner, worker %d",
		    latch_name(p, e->u.latch.id, name), doze_latch_state_name(to),
		    e->u.latch.owner);
}

/* Returns whether the worker sleeps on the given latch and has received no wake. */
static bool sleeps_on(const struct check_worker *w, uint64_t latch)
{
	return sleeps_unwoken(w) && w->slept_on == latch;
}

static void report(struct check_pool *p, struct check_worker *w, int64_t ts)
{
	const struct wake_due *d = &w->due;
	char name[DOZE_LATCH_NAME];
	const char *who = d->by < 0 ? "thread" : "worker";
	int32_t by = d->by < 0 ? d->by_vtid : d->by;

	if (d->latch)
		doze_model_finding_about(p->model, "latch-wake", w->v->key, ts, d->ts,
					 "this worker's latch %s was set %.3f ms earlier by %s %d, "
					 "which did not wake the worker",
					 latch_name(p, d->latch, name), (double)(ts - d->ts) / 1e6,
					 who, by);
	else
		doze_model_finding_about(p->model, "wake-all", w->v->key, ts, d->ts,
					 "%s %d cleared the bit for sleeping workers %.3f ms "
					 "earlier, but did not wake this one",
					 who, by, (double)(ts - d->ts) / 1e6);
	w->due.set = false;
}

/* Returns whether there are fewer pending signals than sleepers, so that the owner might not
 * receive one. */
static bool signals_lack(struct check_pool *p)
{
	return p->v->rules->aim != DOZE_AIM_SIGNAL || unsignalled(p) > 0;
}

/* Called for the setter's next event. Marks the owner's wake as due if this event is not that
 * wake. */
static void setter_went_on(struct check_pool *p, struct actor *a, const struct doze_event *e)
{
	struct check_worker *owner = check_worker_of(p, a->owner);
	bool all = p->v->rules->latch == DOZE_LATCH_WAKES_ALL;

	a->wake_due = false;
	if (!owner || (e->kind == DOZE_EV_wake &&
		       (all ? e->u.wake.scope == DOZE_SCOPE_all : e->u.wake.target == a->owner)))
		return;
	if (!sleeps_on(owner, a->latch) || (all && !signals_lack(p)))
		return;
	owner->due = (struct wake_due){.set = true,
				       .ts = a->set_ts,
				       .seen = e->ts,
				       .by = e->worker,
				       .by_vtid = e->vtid,
				       .latch = a->latch};
}

/* Reports a worker that should have been woken but is still asleep, or was woken for another
 * reason. */
static void check_due(struct check_pool *p, struct check_worker *w, const struct doze_event *e)
{
	if (e->kind == DOZE_EV_wake) {
		w = check_worker_of(p, e->u.wake.target);
		if (w && w->due.set && !w->due.patient && sleeps_unwoken(w))
			report(p, w, e->ts);
		else if (w)
			w->due.set = false;
		return;
	}
	if (!w || !w->due.set)
		return;
	/* A signal has no target, but its time shows whether it was made for this latch. */
	if (e->kind == DOZE_EV_woken && !w->due.patient &&
	    doze_pool_signalled(p->v, e->u.woken.wake_id) > w->due.seen)
		report(p, w, e->ts);
	w->due.set = false; /* the worker's next event shows that it was already awake */
}

/* Setting a latch wakes only its owner, or all workers if the policy cannot identify the owner. */
static void check_target(struct check_pool *p, const struct actor *a, const struct doze_event *e)
{
	char name[DOZE_LATCH_NAME];

	if (e->u.wake.cause != DOZE_CAUSE_latch || p->v->rules->latch == DOZE_LATCH_WAKES_SOMEHOW)
		return;
	if (p->v->rules->latch == DOZE_LATCH_WAKES_OWNER && a->latch &&
	    a->owner != e->u.wake.target)
		doze_model_finding(p->model, "latch-target", doze_pool_key(p->v, e->u.wake.target),
				   e->ts,
				   "this worker was woken for latch %s, which belongs to worker %d",
				   latch_name(p, a->latch, name), a->owner);
	else if (p->v->rules->latch != DOZE_LATCH_WAKES_OWNER && e->u.wake.scope != DOZE_SCOPE_all)
		check_report(p, e, "latch-target",
			     "only one worker was woken for a latch, but %s cannot choose "
			     "which worker wakes, so it must wake all",
			     p->v->policy);
}

/* tickle does not record which worker waits for which latch, and an unknown policy may wake the
 * owner in any way. Therefore, check only that setting a latch wakes its owner soon. */
static void note_sleeper(struct check_pool *p, const struct doze_event *e)
{
	struct check_worker *owner = check_worker_of(p, e->u.latch.owner);

	if (owner && e->worker != e->u.latch.owner && sleeps_unwoken(owner) && !owner->due.set)
		owner->due = (struct wake_due){.set = true,
					       .patient = true,
					       .ts = e->ts,
					       .by = e->worker,
					       .by_vtid = e->vtid,
					       .latch = e->u.latch.id};
}

static void note_set(struct actor *a, const struct doze_event *e)
{
	a->latch = e->u.latch.id;
	a->owner = e->u.latch.owner;
	a->set_ts = e->ts;
	a->wake_due = e->u.latch.from == DOZE_LATCH_sleeping && e->worker != e->u.latch.owner;
}

/* Records which latch the owner sleeps on. */
static void note_owner(struct check_pool *p, const struct doze_event *e)
{
	struct check_worker *w = check_worker_of(p, e->worker);

	if (w && e->u.latch.to == DOZE_LATCH_sleeping)
		w->slept_on = e->u.latch.id;
	else if (w && e->u.latch.to == DOZE_LATCH_unset)
		w->slept_on = 0;
}

static void note(struct check_pool *p, struct actor *a, const struct doze_event *e)
{
	if (e->u.latch.to != DOZE_LATCH_set)
		note_owner(p, e);
	else if (p->v->rules->latch == DOZE_LATCH_WAKES_ANY ||
		 (p->v->rules->latch == DOZE_LATCH_WAKES_SOMEHOW &&
		  e->u.latch.from == DOZE_LATCH_sleeping))
		note_sleeper(p, e);
	else
		note_set(a, e);
}

void check_rule_latch(struct check_pool *p, struct check_worker *w, struct actor *a,
		      const struct doze_event *e)
{
	if (e->kind == DOZE_EV_latch)
		check_latch(p, e);
	if (p->v->rules->latch == DOZE_LATCH_WAKES_FREE)
		return;
	if (a->wake_due)
		setter_went_on(p, a, e);
	check_due(p, w, e);
	if (e->kind == DOZE_EV_wake)
		check_target(p, a, e);
	if (e->kind == DOZE_EV_latch)
		note(p, a, e);
}

static void end_of_setter(struct check_pool *p, struct actor *a, int64_t ts)
{
	struct check_worker *owner = a->wake_due ? check_worker_of(p, a->owner) : 0;

	a->wake_due = false;
	if (!owner || !sleeps_on(owner, a->latch))
		return;
	owner->due = (struct wake_due){
	    .set = true, .ts = a->set_ts, .by = -1, .by_vtid = a->vtid, .latch = a->latch};
	report(p, owner, ts);
}

void check_rule_latch_quiet(struct check_pool *p, int64_t ts)
{
	for (struct check_worker *w = check_next(p, 0); w; w = check_next(p, w))
		if (w->due.set && !w->due.patient && sleeps_unwoken(w))
			report(p, w, ts);
}

void check_rule_latch_end(struct check_pool *p, int64_t ts)
{
	for (struct check_worker *w = check_next(p, 0); w; w = check_next(p, w)) {
		if (is_over(p, w->actor.set_ts, ts))
			end_of_setter(p, &w->actor, ts);
		if (w->due.set && sleeps_unwoken(w) && is_over(p, w->due.ts, ts))
			report(p, w, ts);
	}
	for (unsigned i = 0; i < CHECK_ACTORS; i++)
		if (is_over(p, p->actors[i].set_ts, ts))
			end_of_setter(p, &p->actors[i], ts);
}
