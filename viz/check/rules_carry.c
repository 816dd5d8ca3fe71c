/*
 * SPDX-License-Identifier: MIT
 *
 * rules_carry.c - what a thread decided it must carry out: a post that chose to wake n is followed
 * by the wakes, whoever wakes all leaves no sleeper out.
 *
 * Judged by the order of one thread's events: the wakes of a decision follow it, with nothing else
 * of that thread in between. How many there must be: as many as the decision said where the waker
 * signals a condition variable; where it looks for sleepers, fewer only if there were no more,
 * which it saw under the lock that each sleeps with. Counts of sleepers are compared only where the
 * sleep, the wake and the awakening are all reported under one lock.
 */
#include "check_int.h"

/* Posts whose wakes follow them one for one. */
static bool posts_carry(const struct doze_policy_descriptor *r)
{
	return r->aim != DOZE_AIM_FREE && r->aim != DOZE_AIM_NEVER && r->sees != DOZE_SEES_BIT;
}

static bool signals(const struct doze_policy_descriptor *r)
{
	return r->aim == DOZE_AIM_SIGNAL || r->aim == DOZE_AIM_HINT;
}

static bool took_the_bit(const struct doze_policy_descriptor *r, const struct doze_event *e)
{
	return r->word == DOZE_WORD_RULE_TICKLE && e->kind == DOZE_EV_jec && e->has_words &&
	       e->u.jec.cause == DOZE_JEC_CAUSE_tickle && (e->old_word & 1);
}

static void begin_wakes(struct check_pool *p, struct actor *a, const struct doze_event *e)
{
	const struct doze_policy_descriptor *r = p->v->rules;

	if (e->u.wake.cause == DOZE_CAUSE_work_found && r->found_wakes) {
		a->carry = CARRY_FOUND;
		a->chosen = r->found_wakes;
	} else if (e->u.wake.scope == DOZE_SCOPE_all && signals(r) && all_known(p)) {
		a->carry = CARRY_ALL;
		a->chosen = r->aim == DOZE_AIM_SIGNAL ? unsignalled(p)
						      : p->v->in_state[DOZE_STATE_sleeping];
	}
	a->decision = e->u.wake.decision_id;
	a->made = 1;
}

static void begin(struct check_pool *p, struct actor *a, const struct doze_event *e)
{
	a->carry_ts = e->ts;
	a->made = 0;
	if (e->kind == DOZE_EV_wake) {
		begin_wakes(p, a, e);
	} else if (e->kind == DOZE_EV_post && e->u.post.wakes && posts_carry(p->v->rules) &&
		   e->u.post.queue != DOZE_QUEUE_broadcast) {
		a->carry = CARRY_POST;
		a->decision = e->u.post.decision_id;
		a->chosen = e->u.post.wakes;
	} else if (took_the_bit(p->v->rules, e)) {
		a->carry = CARRY_TICKLE;
		a->decision = 0;
	}
}

/* One more of the same decision? */
static bool carries_on(struct check_pool *p, struct actor *a, const struct doze_event *e)
{
	if (e->kind != DOZE_EV_wake)
		return false;
	if (a->carry == CARRY_TICKLE && !a->decision)
		a->decision = e->u.wake.decision_id;
	if (e->u.wake.decision_id != a->decision)
		return false;
	a->made++;
	/* One signal too many is a wake of nobody, and a finding already. */
	if (a->carry == CARRY_TICKLE ||
	    (a->carry == CARRY_ALL && p->v->rules->aim == DOZE_AIM_SIGNAL))
		return true;
	if (a->made == a->chosen + 1)
		doze_model_finding(p->model, a->carry == CARRY_ALL ? "wake-all" : "wake-count",
				   doze_pool_key(p->v, e->worker), e->ts,
				   "decision %llu made wake %u, but there were to be %u",
				   (unsigned long long)a->decision, a->made, a->chosen);
	return true;
}

/* Fewer than it chose, though one slept all the time. */
static void too_few(struct check_pool *p, const struct actor *a, int64_t ts)
{
	for (uint32_t i = 0; i < p->v->index_end; i++) {
		struct check_worker *w = check_worker_of(p, (int32_t)i);

		if (!w || !sleeps_unwoken(w) || w->v->since >= a->carry_ts)
			continue;
		doze_model_finding_about(
		    p->model, "wake-count", w->v->key, ts, a->carry_ts,
		    "decision %llu chose %u to wake and woke %u, though this one slept",
		    (unsigned long long)a->decision, a->chosen, a->made);
		return;
	}
}

/* Who slept already when the bit was taken and was not woken then. A spurious return from the wait
 * is told only after the lock is given back, so it is not yet certain. */
static void left_out(struct check_pool *p, const struct actor *a, int64_t ts)
{
	for (uint32_t i = 0; i < p->v->index_end; i++) {
		struct check_worker *w = check_worker_of(p, (int32_t)i);

		if (w && sleeps_unwoken(w) && w->v->since < a->carry_ts)
			w->due = (struct wake_due){.set = true,
						   .ts = a->carry_ts,
						   .seen = ts,
						   .by = -1,
						   .by_vtid = a->vtid};
	}
}

/* The thread does something else. */
static void end(struct check_pool *p, struct actor *a, int32_t worker, int64_t ts)
{
	bool fewer = a->made < a->chosen;

	if (a->carry == CARRY_TICKLE)
		left_out(p, a, ts);
	else if (a->carry == CARRY_ALL && fewer)
		doze_model_finding_about(
		    p->model, "wake-all", doze_pool_key(p->v, worker), ts, a->carry_ts,
		    "decision %llu made %u wakes, but %u slept and had no signal under way",
		    (unsigned long long)a->decision, a->made, a->chosen);
	else if (a->carry == CARRY_POST && fewer && signals(p->v->rules))
		doze_model_finding_about(p->model, "wake-count", doze_pool_key(p->v, worker), ts,
					 a->carry_ts, "decision %llu chose to wake %u and woke %u",
					 (unsigned long long)a->decision, a->chosen, a->made);
	else if (a->carry == CARRY_POST && fewer)
		too_few(p, a, ts);
	a->carry = CARRY_NONE;
}

void check_rule_carry(struct check_pool *p, struct actor *a, const struct doze_event *e)
{
	if (a->carry != CARRY_NONE) {
		if (carries_on(p, a, e))
			return;
		end(p, a, e->worker, e->ts);
	}
	if (e->kind == DOZE_EV_wake || e->kind == DOZE_EV_post || e->kind == DOZE_EV_jec)
		begin(p, a, e);
}

void check_rule_carry_end(struct check_pool *p, int64_t ts)
{
	for (uint32_t i = 0; i < p->v->index_end; i++) {
		struct check_worker *w = check_worker_of(p, (int32_t)i);

		if (w && w->actor.carry != CARRY_NONE)
			end(p, &w->actor, (int32_t)i, ts);
	}
	for (unsigned i = 0; i < CHECK_ACTORS; i++)
		if (p->actors[i].carry != CARRY_NONE)
			end(p, &p->actors[i], -1, ts);
}
