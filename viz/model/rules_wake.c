/*
 * SPDX-License-Identifier: MIT
 *
 * rules_wake.c - rules on posts and wakes: how many workers a post wakes, which ones, and why.
 */
#include "check_int.h"

/*
 * ---- A thread must carry out its decisions: a post that chose to wake n workers makes
 * n wakes, and a thread that wakes all workers does not omit any sleeper.
 *
 * These rules use the order of one thread's events: the wakes of a decision follow it directly. If
 * the waker signals a condition variable, it must make as many wakes as it chose. If it searches
 * for sleepers, it may make fewer only when there are no more, which it sees under each sleeper's
 * lock. The rules compare numbers of sleepers only where the sleep, the wake and the `woken` event
 * are reported under one lock.
 */

/* Returns whether a post under this policy is directly followed by the wakes that it chose. */
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

/* Returns whether the event is another wake of the thread's decision. */
static bool carries_on(struct check_pool *p, struct actor *a, const struct doze_event *e)
{
	if (e->kind != DOZE_EV_wake)
		return false;
	if (a->carry == CARRY_TICKLE && !a->decision)
		a->decision = e->u.wake.decision_id;
	if (e->u.wake.decision_id != a->decision)
		return false;
	a->made++;
	/* check_aim reports surplus signals */
	if (a->carry == CARRY_TICKLE ||
	    (a->carry == CARRY_ALL && p->v->rules->aim == DOZE_AIM_SIGNAL))
		return true;
	if (a->made == a->chosen + 1)
		check_report(p, e, a->carry == CARRY_ALL ? "wake-all" : "wake-count",
			     "decision %llu made at least %u wakes, but should have made only %u",
			     (unsigned long long)a->decision, a->made, a->chosen);
	return true;
}

/* Reports a decision with fewer wakes than chosen, if a worker was asleep during the whole
 * decision. */
static void too_few(struct check_pool *p, const struct actor *a, int64_t ts)
{
	for (struct check_worker *w = check_next(p, 0); w; w = check_next(p, w)) {
		if (!sleeps_unwoken(w) || w->v->since >= a->carry_ts)
			continue;
		doze_model_finding_about(p->model, "wake-count", w->v->key, ts, a->carry_ts,
					 "decision %llu chose to wake %u workers but woke only %u, "
					 "although this worker was asleep",
					 (unsigned long long)a->decision, a->chosen, a->made);
		return;
	}
}

/* Marks a wake as due for each worker that slept before the thread cleared the sleepers' bit and
 * was not woken. That alone is no violation, because a worker that woke spuriously reports this
 * only after it has released the lock. */
static void left_out(struct check_pool *p, const struct actor *a, int64_t ts)
{
	for (struct check_worker *w = check_next(p, 0); w; w = check_next(p, w))
		if (sleeps_unwoken(w) && w->v->since < a->carry_ts)
			w->due = (struct wake_due){.set = true,
						   .ts = a->carry_ts,
						   .seen = ts,
						   .by = -1,
						   .by_vtid = a->vtid};
}

/* Ends a decision once its thread reports an event other than a wake of that decision. */
static void end(struct check_pool *p, struct actor *a, int32_t worker, int64_t ts)
{
	bool fewer = a->made < a->chosen;

	if (a->carry == CARRY_TICKLE)
		left_out(p, a, ts);
	else if (a->carry == CARRY_ALL && fewer)
		doze_model_finding_about(p->model, "wake-all", doze_pool_key(p->v, worker), ts,
					 a->carry_ts,
					 "decision %llu made %u wakes, but %u workers were asleep "
					 "without a pending signal",
					 (unsigned long long)a->decision, a->made, a->chosen);
	else if (a->carry == CARRY_POST && fewer && signals(p->v->rules))
		doze_model_finding_about(p->model, "wake-count", doze_pool_key(p->v, worker), ts,
					 a->carry_ts,
					 "decision %llu chose to wake %u workers but woke only %u",
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
	if (may_carry(e))
		begin(p, a, e);
}

void check_rule_carry_end(struct check_pool *p, int64_t ts)
{
	for (struct check_worker *w = check_next(p, 0); w; w = check_next(p, w))
		if (w->actor.carry != CARRY_NONE && is_over(p, w->actor.carry_ts, ts))
			end(p, &w->actor, w->v->key.index, ts);
	for (unsigned i = 0; i < CHECK_ACTORS; i++)
		if (p->actors[i].carry != CARRY_NONE && is_over(p, p->actors[i].carry_ts, ts))
			end(p, &p->actors[i], -1, ts);
}

/* Fills in the numbers from which the post decided how many workers to wake, and checks them where
 * possible. Returns false if they are not sufficient to judge that decision. */
static bool seen(struct check_pool *p, const struct doze_event *e, struct doze_wake_facts *f)
{
	uint32_t inactive = doze_word_inactive(&p->v->layout, e->new_word);
	uint32_t asleep = doze_word_sleeping(&p->v->layout, e->new_word);

	switch (p->v->rules->sees) {
	case DOZE_SEES_WORD:
		f->sleeping = asleep;
		f->idle = inactive > asleep ? inactive - asleep : 0;
		return counts_word(p, p->v->rules);
	case DOZE_SEES_BIT:
		f->sleeping = e->new_word & 1;
		return e->has_words;
	case DOZE_SEES_EXACT:
	case DOZE_SEES_HINT:
		f->sleeping = e->u.post.sleeping > 0 ? (uint32_t)e->u.post.sleeping : 0;
		/* An exact number of sleepers is right, because all events are reported under one
		 * lock. Signalled workers do not count as sleeping. */
		if (p->v->rules->sees == DOZE_SEES_EXACT && all_known(p) &&
		    f->sleeping != unsignalled(p))
			check_report(p, e, "post-wakes",
				     "the post counted %u sleeping workers without a pending "
				     "signal, but there were %u",
				     f->sleeping, unsignalled(p));
		return true;
	default:
		return false;
	}
}

static bool sees_otherwise(const struct doze_policy_descriptor *r, const struct doze_event *e,
			   const struct doze_wake_facts *f)
{
	if (r->sees != DOZE_SEES_WORD && r->sees != DOZE_SEES_BIT)
		return false;
	return (e->u.post.sleeping >= 0 && (uint32_t)e->u.post.sleeping != f->sleeping) ||
	       (r->sees == DOZE_SEES_WORD && e->u.post.idle >= 0 &&
		(uint32_t)e->u.post.idle != f->idle);
}

void check_rule_post(struct check_pool *p, const struct doze_event *e)
{
	const struct doze_policy_descriptor *r = p->v->rules;
	struct doze_wake_facts f = {.jobs = e->u.post.jobs,
				    .workers = p->v->workers,
				    .was_empty = e->u.post.was_empty,
				    .local = e->u.post.queue == DOZE_QUEUE_local};
	uint32_t want;

	/* A broadcast wakes every sleeper and makes no choice. */
	if (e->u.post.queue == DOZE_QUEUE_broadcast || !r->wakes || !seen(p, e, &f))
		return;
	want = doze_policy_post_wakes(r, &f);
	if (e->u.post.wakes != want)
		check_report(p, e, "post-wakes",
			     "the post chose to wake %u for %u job%s, with %u idle and %u "
			     "sleeping workers and a queue that %s, but %s requires %u",
			     e->u.post.wakes, f.jobs, f.jobs == 1 ? "" : "s", f.idle, f.sleeping,
			     f.was_empty ? "was empty" : "had jobs", p->v->policy, want);
	if (sees_otherwise(r, e, &f))
		check_report(p, e, "post-wakes",
			     "the post reports %d idle and %d sleeping workers, but its word "
			     "contains %u and %u",
			     e->u.post.idle, e->u.post.sleeping, f.idle, f.sleeping);
}

/* A sleep and the wake that ends it are reported under one lock, so their order is certain. */
static void check_sleeper(struct check_pool *p, const struct check_worker *t, enum doze_aim aim,
			  unsigned long long id)
{
	if (!t || !t->v->known || t->v->unknown)
		return;
	if (aim == DOZE_AIM_ONCE && t->v->wake_phase == DOZE_WAKE_notified)
		doze_model_finding(p->model, "wake-twice", t->v->key, p->v->last_ts,
				   "wake %llu targets a sleep that wake %llu has already ended", id,
				   (unsigned long long)doze_worker_wake(t->v)->wake_id);
	else if (t->v->state != DOZE_STATE_sleeping || t->v->counted_out)
		doze_model_finding(p->model, "wake-awake", t->v->key, p->v->last_ts,
				   "wake %llu targets this worker, which is %s", id,
				   t->v->counted_out ? "about to search again"
						     : doze_state_name(t->v->state));
}

static void check_aim(struct check_pool *p, const struct doze_event *e)
{
	unsigned long long id = (unsigned long long)e->u.wake.wake_id;

	switch (p->v->rules->aim) {
	case DOZE_AIM_NEVER:
		check_report(p, e, "wake-awake",
			     "wake %llu was made, but no worker ever sleeps under %s", id,
			     p->v->policy);
		return;
	case DOZE_AIM_ONCE:
	case DOZE_AIM_AGAIN:
		check_sleeper(p, check_worker_of(p, e->u.wake.target), p->v->rules->aim, id);
		return;
	case DOZE_AIM_SIGNAL:
		if (all_known(p) && !unsignalled(p))
			check_report(
			    p, e, "wake-awake",
			    "wake %llu has no sleeper to wake: %u workers are asleep, and %u "
			    "signals are pending",
			    id, p->v->in_state[DOZE_STATE_sleeping], p->v->untargeted);
		return;
	default:
		return;
	}
}

void check_rule_wake(struct check_pool *p, const struct doze_event *e)
{
	uint32_t causes = p->v->rules->causes;

	check_aim(p, e);
	if (p->v->rules->foreign && e->u.wake.cause != DOZE_CAUSE_call)
		check_report(p, e, "wake-cause",
			     "wake %llu has the cause %s, but its program makes wakes only "
			     "by calls",
			     (unsigned long long)e->u.wake.wake_id,
			     doze_cause_name(e->u.wake.cause));
	else if (causes && ((unsigned)e->u.wake.cause >= DOZE_CAUSE_COUNT ||
			    !(causes & (1u << e->u.wake.cause))))
		check_report(
		    p, e, "wake-cause",
		    "wake %llu has the cause %s, but %s never wakes a worker for that cause",
		    (unsigned long long)e->u.wake.wake_id, doze_cause_name(e->u.wake.cause),
		    p->v->policy);
}
