/*
 * SPDX-License-Identifier: MIT
 *
 * rules_wake.c - rules on posts and wakes: how many a post wakes, whom one may wake.
 */
#include "rules.h"

void rules_post(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	const struct policy_rules *r = p->rules;
	struct post_facts f = {.jobs = e->u.post.jobs,
			       .sleeping = doze_word_sleeping(&p->v.layout, e->new_word),
			       .workers = p->v.workers,
			       .was_empty = e->u.post.was_empty,
			       .local = e->u.post.queue == DOZE_QUEUE_local};
	uint32_t inactive = doze_word_inactive(&p->v.layout, e->new_word), want;

	/* A broadcast wakes whoever sleeps: nothing is chosen. */
	if (e->u.post.queue == DOZE_QUEUE_broadcast)
		p->broadcast_ts = e->ts;
	if (e->u.post.queue == DOZE_QUEUE_broadcast || !r->wakes ||
	    (!counts_word(p, r) && r->word != WORD_FREE))
		return;
	f.idle = inactive > f.sleeping ? inactive - f.sleeping : 0;
	want = r->wakes(&f);
	want = want < f.sleeping ? want : f.sleeping;
	if (e->u.post.wakes != want)
		finding(m, "post-wakes", pool_key(p, e->worker), e->ts,
			"%u jobs, %u idle, %u sleeping, queue %s: it chose to wake %u, %s says %u",
			f.jobs, f.idle, f.sleeping, f.was_empty ? "was empty" : "had jobs",
			e->u.post.wakes, p->v.policy, want);
	if ((e->u.post.sleeping >= 0 && (uint32_t)e->u.post.sleeping != f.sleeping) ||
	    (e->u.post.idle >= 0 && (uint32_t)e->u.post.idle != f.idle))
		finding(m, "post-wakes", pool_key(p, e->worker), e->ts,
			"it saw %d idle and %d sleeping, its word says %u and %u", e->u.post.idle,
			e->u.post.sleeping, f.idle, f.sleeping);
}

/* Where the waker takes the sleeper out of the count, each sleep ends by exactly one wake. The
 * events of a sleep and of its wake are emitted under one lock, so their order is certain. */
void rules_wake(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	const struct worker *t = worker_seen(p, e->u.wake.target);

	if (p->rules->decrement != DECREMENT_WAKER || !t || !t->known || t->span_lost)
		return;
	if (t->phase == WAKE_NOTIFIED)
		finding(m, "wake-twice", t->v.key, e->ts,
			"wake %llu is for a sleep that wake %llu has ended",
			(unsigned long long)e->u.wake.wake_id, (unsigned long long)t->wake.wake_id);
	else if (t->v.state != DOZE_STATE_sleeping || t->taken_back)
		finding(m, "wake-awake", t->v.key, e->ts, "wake %llu is for a worker that is %s",
			(unsigned long long)e->u.wake.wake_id,
			t->taken_back ? "about to search again" : doze_state_name(t->v.state));
}
