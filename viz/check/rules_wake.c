/*
 * SPDX-License-Identifier: MIT
 *
 * rules_wake.c - rules on posts and wakes: how many a post wakes, whom one may wake, for what.
 */
#include "rules.h"

/* What the post says that it saw, against what is known of that. False: there is nothing to judge
 * its choice by. */
static bool seen(struct doze_model *m, struct pool *p, const struct doze_event *e,
		 struct doze_wake_facts *f)
{
	uint32_t inactive = doze_word_inactive(&p->v.layout, e->new_word);
	uint32_t asleep = doze_word_sleeping(&p->v.layout, e->new_word);

	switch (p->rules->sees) {
	case DOZE_SEES_WORD:
		f->sleeping = asleep;
		f->idle = inactive > asleep ? inactive - asleep : 0;
		return counts_word(p, p->rules);
	case DOZE_SEES_BIT:
		f->sleeping = e->new_word & 1;
		return e->has_words;
	case DOZE_SEES_EXACT:
		/* All its events are under one lock; without the signals that are under way. */
		f->sleeping = e->u.post.sleeping > 0 ? (uint32_t)e->u.post.sleeping : 0;
		if (all_known(p) && f->sleeping != unsignalled(p))
			finding(m, "post-wakes", pool_key(p, e->worker), e->ts,
				"it saw %u asleep and not yet signalled, there were %u",
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

void rules_post(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	const struct doze_policy_descriptor *r = p->rules;
	struct doze_wake_facts f = {.jobs = e->u.post.jobs,
				    .workers = p->v.workers,
				    .was_empty = e->u.post.was_empty,
				    .local = e->u.post.queue == DOZE_QUEUE_local};
	uint32_t want;

	/* A broadcast wakes whoever sleeps: nothing is chosen. */
	if (e->u.post.queue == DOZE_QUEUE_broadcast)
		p->broadcast_ts = e->ts;
	if (e->u.post.queue == DOZE_QUEUE_broadcast || !r->wakes || !seen(m, p, e, &f))
		return;
	want = doze_policy_post_wakes(r, &f);
	if (e->u.post.wakes != want)
		finding(m, "post-wakes", pool_key(p, e->worker), e->ts,
			"%u job%s, %u idle, %u sleeping, queue %s: it chose to wake %u, %s says %u",
			f.jobs, f.jobs == 1 ? "" : "s", f.idle, f.sleeping,
			f.was_empty ? "was empty" : "had jobs", e->u.post.wakes, p->v.policy, want);
	if (sees_otherwise(r, e, &f))
		finding(m, "post-wakes", pool_key(p, e->worker), e->ts,
			"it saw %d idle and %d sleeping, its word says %u and %u", e->u.post.idle,
			e->u.post.sleeping, f.idle, f.sleeping);
}

/* The events of a sleep and of its wake are emitted under one lock, so their order is certain. */
static void check_sleeper(struct doze_model *m, const struct worker *t, enum doze_aim aim,
			  unsigned long long id)
{
	if (!t || !t->known || t->span_lost)
		return;
	if (aim == DOZE_AIM_ONCE && t->phase == WAKE_NOTIFIED)
		finding(m, "wake-twice", t->v.key, t->pool->last_ts,
			"wake %llu is for a sleep that wake %llu has ended", id,
			(unsigned long long)t->wake.wake_id);
	else if (t->v.state != DOZE_STATE_sleeping || t->taken_back)
		finding(m, "wake-awake", t->v.key, t->pool->last_ts,
			"wake %llu is for a worker that is %s", id,
			t->taken_back ? "about to search again" : doze_state_name(t->v.state));
}

static void check_aim(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	unsigned long long id = (unsigned long long)e->u.wake.wake_id;

	switch (p->rules->aim) {
	case DOZE_AIM_NEVER:
		finding(m, "wake-awake", pool_key(p, e->worker), e->ts,
			"it made wake %llu, but %s has no sleepers", id, p->v.policy);
		return;
	case DOZE_AIM_ONCE:
	case DOZE_AIM_AGAIN:
		check_sleeper(m, worker_seen(p, e->u.wake.target), p->rules->aim, id);
		return;
	case DOZE_AIM_SIGNAL:
		if (all_known(p) && !unsignalled(p))
			finding(m, "wake-awake", pool_key(p, e->worker), e->ts,
				"wake %llu is for nobody: %u sleep, %u signals are under way", id,
				p->in_state[DOZE_STATE_sleeping], p->loose_count);
		return;
	default:
		return;
	}
}

void rules_wake(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	uint32_t causes = p->rules->causes;

	check_aim(m, p, e);
	if (causes &&
	    ((unsigned)e->u.wake.cause >= DOZE_CAUSE_COUNT || !(causes & (1u << e->u.wake.cause))))
		finding(m, "wake-cause", pool_key(p, e->worker), e->ts,
			"wake %llu is for %s; %s does not wake for that",
			(unsigned long long)e->u.wake.wake_id, doze_cause_name(e->u.wake.cause),
			p->v.policy);
}
