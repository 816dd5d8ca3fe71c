/*
 * SPDX-License-Identifier: MIT
 *
 * chain.c - finds the steps that led to an effect: starting with the effect, repeatedly takes the
 * latest known step and adds the causes of that step. The chain is therefore in reverse
 * chronological order.
 *
 * The chain ends at a step without a cause (an outside thread, the pool's start), after
 * DOZE_WHY_STEPS steps, or where steps are no longer kept.
 */
#include "why_int.h"

struct walk {
	const struct why *why;
	struct effect *effect;
	step_no todo[2 * DOZE_WHY_STEPS];
	size_t count;
};

static void add(struct walk *w, step_no no)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->todo[i] == no)
			return;
	if (no && w->count < 2 * DOZE_WHY_STEPS)
		w->todo[w->count++] = no;
}

/* Removes and returns the latest step. Returns null if that step is no longer kept. */
static const struct step *take_latest(struct walk *w)
{
	size_t best = 0;
	const struct step *s;

	for (size_t i = 1; i < w->count; i++) {
		const struct step *a = why_at(w->why, w->todo[i]);
		const struct step *b = why_at(w->why, w->todo[best]);

		if (a && (!b || a->e.ts > b->e.ts || (a->e.ts == b->e.ts && a->no > b->no)))
			best = i;
	}
	s = why_at(w->why, w->todo[best]);
	w->todo[best] = w->todo[--w->count];
	return s;
}

static bool is_job(const struct step *s)
{
	return s->e.kind == DOZE_EV_job_start || s->e.kind == DOZE_EV_job_taken;
}

/* Returns whether in this step a worker found no work or fell asleep. The worker's earlier steps do
 * not explain such a step. */
static bool begins_rest(const struct step *s)
{
	return s->e.kind == DOZE_EV_worker_state && (s->e.u.state.to == DOZE_STATE_sleeping ||
						     s->e.u.state.reason == DOZE_REASON_no_work);
}

/* Adds the causes of a step. The step that made a worker run jobs matters only if it came after the
 * post; otherwise the worker was already running. The policy's rule, not earlier steps, explains
 * why a worker fell asleep. */
static void expand(struct walk *w, const struct step *s)
{
	const struct step *post = why_at(w->why, s->cause[0]);
	const struct step *other = why_at(w->why, s->cause[1]);

	if (begins_rest(s))
		return;
	add(w, s->cause[0]);
	if (!is_job(s) || !post || (other && other->e.ts > post->e.ts))
		add(w, s->cause[1]);
}

void why_chain(const struct why *y, struct effect *e, step_no no)
{
	struct walk w = {.why = y, .effect = e};

	e->count = 0;
	add(&w, no);
	while (w.count && e->count < DOZE_WHY_STEPS) {
		const struct step *s = take_latest(&w);

		if (!s) {
			e->truncated = true;
			continue;
		}
		e->chain[e->count++] = *s;
		expand(&w, s);
	}
	e->truncated |= w.count > 0;
}

const struct step *why_link(const struct effect *e, enum doze_event_kind kind)
{
	for (size_t i = 0; i < e->count; i++)
		if (e->chain[i].e.kind == kind)
			return &e->chain[i];
	return 0;
}
