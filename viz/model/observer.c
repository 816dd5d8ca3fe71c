/*
 * SPDX-License-Identifier: MIT
 *
 * observer.c - attaches observers, and answers their questions (observer.h).
 */
#include "model_fn.h"

static bool takes(uint32_t kinds, unsigned kind)
{
	return !kinds || (kinds >> kind & 1);
}

/* Adds observer i to the sets of the kinds of events that it wants. */
static void add_to_kinds(struct observers *all, const struct doze_observer *o, unsigned i)
{
	for (unsigned kind = 0; kind < DOZE_EV_COUNT; kind++) {
		if (o->event && takes(o->event_kinds, kind))
			all->event[kind] |= (uint8_t)(1U << i);
		if (o->folded && takes(o->folded_kinds, kind))
			all->folded[kind] |= (uint8_t)(1U << i);
	}
}

bool doze_model_observe(struct doze_model *m, const struct doze_observer *o, void *ctx)
{
	struct observers *all = &m->observers;

	if (all->count == MAX_OBSERVERS)
		return false;
	add_to_kinds(all, o, all->count);
	all->of[all->count] = o;
	all->ctx[all->count++] = ctx;
	return true;
}

void *doze_model_observed_by(const struct doze_model *m, const struct doze_observer *o)
{
	const struct observers *all = &m->observers;

	for (unsigned i = 0; i < all->count; i++)
		if (all->of[i] == o)
			return all->ctx[i];
	return 0;
}

void model_observers_free(struct doze_model *m)
{
	struct observers *all = &m->observers;

	for (unsigned i = 0; i < all->count; i++)
		if (all->of[i]->free)
			all->of[i]->free(all->ctx[i]);
	all->count = 0;
}

const struct doze_wake *doze_worker_wake(const struct doze_worker_view *w)
{
	return &((const struct worker *)w)->wake.line;
}

int64_t doze_model_lost_until(const struct doze_model *m)
{
	return m->lost_to;
}

void doze_model_evicted(struct doze_model *m)
{
	m->totals.evicted++;
}
