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
#include "rules.h"

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

static void begin_wakes(const struct pool *p, struct actor *a, const struct doze_event *e)
{
	const struct doze_policy_descriptor *r = p->rules;

	if (e->u.wake.cause == DOZE_CAUSE_work_found && r->found_wakes) {
		a->carry = CARRY_FOUND;
		a->chosen = r->found_wakes;
	} else if (e->u.wake.scope == DOZE_SCOPE_all && signals(r) && all_known(p)) {
		a->carry = CARRY_ALL;
		a->chosen =
		    r->aim == DOZE_AIM_SIGNAL ? unsignalled(p) : p->in_state[DOZE_STATE_sleeping];
	}
	a->decision = e->u.wake.decision_id;
	a->made = 1;
}

static void begin(const struct pool *p, struct actor *a, const struct doze_event *e)
{
	a->carry_ts = e->ts;
	a->made = 0;
	if (e->kind == DOZE_EV_wake) {
		begin_wakes(p, a, e);
	} else if (e->kind == DOZE_EV_post && e->u.post.wakes && posts_carry(p->rules) &&
		   e->u.post.queue != DOZE_QUEUE_broadcast) {
		a->carry = CARRY_POST;
		a->decision = e->u.post.decision_id;
		a->chosen = e->u.post.wakes;
	} else if (took_the_bit(p->rules, e)) {
		a->carry = CARRY_TICKLE;
		a->decision = 0;
	}
}

/* One more of the same decision? */
static bool carries_on(struct doze_model *m, struct pool *p, struct actor *a,
		       const struct doze_event *e)
{
	if (e->kind != DOZE_EV_wake)
		return false;
	if (a->carry == CARRY_TICKLE && !a->decision)
		a->decision = e->u.wake.decision_id;
	if (e->u.wake.decision_id != a->decision)
		return false;
	a->made++;
	/* One signal too many is a wake of nobody, and a finding already. */
	if (a->carry == CARRY_TICKLE || (a->carry == CARRY_ALL && p->rules->aim == DOZE_AIM_SIGNAL))
		return true;
	if (a->made == a->chosen + 1)
		finding(m, a->carry == CARRY_ALL ? "wake-all" : "wake-count",
			pool_key(p, e->worker), e->ts,
			"decision %llu made wake %u, but there were to be %u",
			(unsigned long long)a->decision, a->made, a->chosen);
	return true;
}

/* Fewer than it chose, though one slept all the time. */
static void too_few(struct doze_model *m, struct pool *p, const struct actor *a, int64_t ts)
{
	for (uint32_t i = 0; i < p->room; i++) {
		struct worker *w = p->by_index[i];

		if (!w || !sleeps_unwoken(w) || w->v.since >= a->carry_ts)
			continue;
		finding_about(m, "wake-count", w->v.key, ts, a->carry_ts,
			      "decision %llu chose %u to wake and woke %u, though this one slept",
			      (unsigned long long)a->decision, a->chosen, a->made);
		return;
	}
}

/* Who slept already when the bit was taken and was not woken then. A spurious return from the wait
 * is told only after the lock is given back, so it is not yet certain. */
static void left_out(struct pool *p, const struct actor *a, int64_t ts)
{
	for (uint32_t i = 0; i < p->room; i++) {
		struct worker *w = p->by_index[i];

		if (w && sleeps_unwoken(w) && w->v.since < a->carry_ts)
			w->due = (struct wake_due){.set = true,
						   .ts = a->carry_ts,
						   .seen = ts,
						   .by = -1,
						   .by_vtid = a->vtid};
	}
}

/* The thread does something else. */
static void end(struct doze_model *m, struct pool *p, struct actor *a, int32_t worker, int64_t ts)
{
	bool fewer = a->made < a->chosen;

	if (a->carry == CARRY_TICKLE)
		left_out(p, a, ts);
	else if (a->carry == CARRY_ALL && fewer)
		finding_about(
		    m, "wake-all", pool_key(p, worker), ts, a->carry_ts,
		    "decision %llu made %u wakes, but %u slept and had no signal under way",
		    (unsigned long long)a->decision, a->made, a->chosen);
	else if (a->carry == CARRY_POST && fewer && signals(p->rules))
		finding_about(m, "wake-count", pool_key(p, worker), ts, a->carry_ts,
			      "decision %llu chose to wake %u and woke %u",
			      (unsigned long long)a->decision, a->chosen, a->made);
	else if (a->carry == CARRY_POST && fewer)
		too_few(m, p, a, ts);
	a->carry = CARRY_NONE;
}

void rules_carry(struct doze_model *m, struct pool *p, struct actor *a, const struct doze_event *e)
{
	if (a->carry != CARRY_NONE) {
		if (carries_on(m, p, a, e))
			return;
		end(m, p, a, e->worker, e->ts);
	}
	if (e->kind == DOZE_EV_wake || e->kind == DOZE_EV_post || e->kind == DOZE_EV_jec)
		begin(p, a, e);
}

void rules_carry_end(struct doze_model *m, struct pool *p, int64_t ts)
{
	for (uint32_t i = 0; i < p->room; i++)
		if (p->by_index[i] && p->by_index[i]->actor.carry != CARRY_NONE)
			end(m, p, &p->by_index[i]->actor, (int32_t)i, ts);
	for (unsigned i = 0; i < ACTORS; i++)
		if (p->actors[i].carry != CARRY_NONE)
			end(m, p, &p->actors[i], -1, ts);
}
