/*
 * SPDX-License-Identifier: MIT
 *
 * posts.c - applies each wake rule to each post, and to each worker that finds work.
 *
 * Under jec, rfc, go and some other policies, a post records the numbers of idle and sleeping
 * workers. The remaining policies do not read these numbers (idle is -1) or read only one bit
 * (tickle); for them, the numbers come from the model's states, which follow the order of
 * timestamps, not of the atomic steps.
 */
#include <stdio.h>
#include <string.h>

#include "../show/selected.h"
#include "whatif.h"

/* Derives the facts from the workers' states. Notified sleepers count as idle, because they cannot
 * be woken again. */
static void facts_by_states(const struct doze_pool_view *p, struct doze_wake_facts *f)
{
	uint32_t asleep = p->in_state[DOZE_STATE_sleeping];
	uint32_t leaving = p->notified < asleep ? p->notified : asleep;

	f->workers = p->workers;
	f->sleeping = asleep - leaving;
	f->idle = p->in_state[DOZE_STATE_idle] + p->in_state[DOZE_STATE_sleepy] + leaving;
}

static bool is_tickle(const struct doze_pool_view *p)
{
	return p->layout.kind == DOZE_WORD_tickle;
}

static struct doze_wake_facts facts_of_post(struct doze_whatif *w, const struct doze_pool_view *p,
					    const struct doze_event *e)
{
	struct doze_wake_facts f = {0};
	int32_t sleeping = e->u.post.sleeping;

	facts_by_states(p, &f);
	w->guessed += e->u.post.idle < 0 || sleeping < 0 || is_tickle(p);
	if (e->u.post.idle >= 0)
		f.idle = (uint32_t)e->u.post.idle;
	/* tickle's bit is set: a worker is asleep or about to sleep */
	if (is_tickle(p) && sleeping > 0)
		f.sleeping = f.sleeping ? f.sleeping : 1;
	else if (sleeping >= 0)
		f.sleeping = (uint32_t)sleeping;
	f.jobs = e->u.post.jobs;
	f.was_empty = e->u.post.was_empty;
	f.local = e->u.post.queue == DOZE_QUEUE_local;
	return f;
}

uint32_t doze_whatif_post(const struct doze_policy_descriptor *d, const struct doze_wake_facts *f)
{
	uint32_t wakes = d->wakes ? doze_policy_post_wakes(d, f) : 0;

	return wakes < f->sleeping ? wakes : f->sleeping;
}

static void keep(struct doze_whatif *w, const struct doze_event *e, const struct doze_wake_facts *f,
		 uint32_t recorded, uint32_t would)
{
	if (w->shown < w->max_shown && w->shown < DOZE_WHATIF_SHOWN_MAX)
		w->post[w->shown++] =
		    (struct doze_whatif_post){e->ts, e->worker, *f, recorded, would};
}

static void add(struct doze_whatif_sum *s, uint32_t wakes, uint32_t recorded)
{
	s->waking += wakes > 0;
	s->wakes += wakes;
	s->most = wakes > s->most ? wakes : s->most;
	s->more += wakes > recorded;
	s->fewer += wakes < recorded;
}

static void on_post(struct doze_whatif *w, const struct doze_pool_view *p,
		    const struct doze_event *e)
{
	struct doze_wake_facts f;
	uint32_t recorded = e->u.post.wakes;

	/* A broadcast is not a decision: it wakes every sleeper. */
	if (e->u.post.queue == DOZE_QUEUE_broadcast)
		return;
	f = facts_of_post(w, p, e);
	/* tickle wakes all sleepers, but records the number of all workers */
	if (is_tickle(p) && recorded > f.sleeping)
		recorded = f.sleeping;
	w->posts++;
	w->jobs += f.jobs;
	add(&w->recorded, recorded, recorded);
	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++) {
		const struct doze_policy_descriptor *d = doze_policy_at(i);
		uint32_t would = doze_whatif_post(d, &f);

		add(&w->rule[i], would, recorded);
		if (d == w->only && would != recorded)
			keep(w, e, &f, recorded, would);
	}
}

static bool stops_searching(const struct doze_event *e)
{
	return e->u.state.to == DOZE_STATE_active &&
	       (e->u.state.from == DOZE_STATE_idle || e->u.state.from == DOZE_STATE_sleepy) &&
	       e->u.state.reason != DOZE_REASON_terminate;
}

static void on_found(struct doze_whatif *w, const struct doze_pool_view *p,
		     const struct doze_event *e)
{
	const struct doze_word_layout *l = &p->layout;
	struct doze_wake_facts f = {0};

	facts_by_states(p, &f);
	if (e->has_words && l->kind == DOZE_WORD_counters && l->bits_inactive) {
		uint32_t inactive = doze_word_inactive(l, e->old_word);

		f.sleeping = doze_word_sleeping(l, e->old_word);
		f.idle = inactive > f.sleeping ? inactive - f.sleeping : 0;
	}
	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++)
		w->rule[i].found += doze_policy_found_wakes(doze_policy_at(i), &f);
}

static void on_wake(struct doze_whatif *w, const struct doze_event *e)
{
	switch (e->u.wake.cause) {
	case DOZE_CAUSE_push:
	case DOZE_CAUSE_inject:
		w->given++;
		break;
	case DOZE_CAUSE_work_found:
		w->recorded.found++;
		break;
	default:
		w->others++;
	}
}

static void note_policy(struct doze_whatif *w, const char *policy)
{
	if (!*w->policy)
		snprintf(w->policy, sizeof w->policy, "%s", policy);
	else if (strcmp(w->policy, policy) != 0)
		snprintf(w->policy, sizeof w->policy, "several");
}

void doze_whatif_event(struct doze_whatif *w, const struct doze_event *e)
{
	const struct doze_pool_view *p;
	bool selected = doze_selected_event(w->model, e);

	if (e->kind == DOZE_EV_wake && selected)
		on_wake(w, e);
	if (e->kind != DOZE_EV_post && e->kind != DOZE_EV_worker_state)
		return;
	p = doze_model_pool_of(w->model, e);
	if (!p)
		return; /* the beginning of the trace is missing, so the pool is not known yet */
	note_policy(w, strcmp(p->policy, "?") != 0 ? p->policy : "");
	if (!selected)
		return;
	if (e->kind == DOZE_EV_post)
		on_post(w, p, e);
	else if (stops_searching(e))
		on_found(w, p, e);
}
