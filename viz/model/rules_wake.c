/*
 * SPDX-License-Identifier: MIT
 *
 * rules_wake.c - rules on posts and wakes: how many workers a post wakes, which ones, and why.
 */
#include "check_int.h"

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
		/* The number of sleepers is exact, because all events are reported under one lock.
		 * Signalled workers do not count as sleeping. */
		f->sleeping = e->u.post.sleeping > 0 ? (uint32_t)e->u.post.sleeping : 0;
		if (all_known(p) && f->sleeping != unsignalled(p))
			doze_model_finding(p->model, "post-wakes", doze_pool_key(p->v, e->worker),
					   e->ts,
					   "the post counted %u sleeping workers without a pending "
					   "signal, but there were %u",
					   f->sleeping, unsignalled(p));
		return true;
	case DOZE_SEES_HINT:
		f->sleeping = e->u.post.sleeping > 0 ? (uint32_t)e->u.post.sleeping : 0;
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
		doze_model_finding(p->model, "post-wakes", doze_pool_key(p->v, e->worker), e->ts,
				   "the post chose to wake %u for %u job%s, with %u idle and %u "
				   "sleeping workers and a queue that %s, but %s requires %u",
				   e->u.post.wakes, f.jobs, f.jobs == 1 ? "" : "s", f.idle,
				   f.sleeping, f.was_empty ? "was empty" : "had jobs", p->v->policy,
				   want);
	if (sees_otherwise(r, e, &f))
		doze_model_finding(p->model, "post-wakes", doze_pool_key(p->v, e->worker), e->ts,
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
		doze_model_finding(p->model, "wake-awake", doze_pool_key(p->v, e->worker), e->ts,
				   "wake %llu was made, but no worker ever sleeps under %s", id,
				   p->v->policy);
		return;
	case DOZE_AIM_ONCE:
	case DOZE_AIM_AGAIN:
		check_sleeper(p, check_worker_of(p, e->u.wake.target), p->v->rules->aim, id);
		return;
	case DOZE_AIM_SIGNAL:
		if (all_known(p) && !unsignalled(p))
			doze_model_finding(
			    p->model, "wake-awake", doze_pool_key(p->v, e->worker), e->ts,
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
		doze_model_finding(p->model, "wake-cause", doze_pool_key(p->v, e->worker), e->ts,
				   "wake %llu has the cause %s, but its program makes wakes only "
				   "by calls",
				   (unsigned long long)e->u.wake.wake_id,
				   doze_cause_name(e->u.wake.cause));
	else if (causes && ((unsigned)e->u.wake.cause >= DOZE_CAUSE_COUNT ||
			    !(causes & (1u << e->u.wake.cause))))
		doze_model_finding(
		    p->model, "wake-cause", doze_pool_key(p->v, e->worker), e->ts,
		    "wake %llu has the cause %s, but %s never wakes a worker for that cause",
		    (unsigned long long)e->u.wake.wake_id, doze_cause_name(e->u.wake.cause),
		    p->v->policy);
}
