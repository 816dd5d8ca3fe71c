/*
 * SPDX-License-Identifier: MIT
 *
 * observer.c - attaches observers, and answers their questions (observer.h).
 */

#include <stdlib.h>
#include <string.h>

#include "model_int.h"

/* ---- an observer's notes ---- */

void *doze_notes_create(struct doze_notes *n, uint32_t index, size_t size, struct doze_model *m)
{
	void **at = doze_grow(n->at, &n->capacity, index, sizeof *at);
	void *notes = at ? calloc(1, size) : NULL;

	n->at = at ? at : n->at;
	if (!notes) {
		doze_model_evicted(m);
		return NULL;
	}
	return n->at[index] = notes;
}

void doze_notes_free(struct doze_notes *n)
{
	for (size_t i = 0; i < n->capacity; i++)
		free(n->at[i]);
	free(n->at);
	*n = (struct doze_notes){0};
}

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

void model_observers_pause(struct doze_model *m, bool pause)
{
	struct observers *all = &m->observers, paused;

	if (pause == (all->paused != 0))
		return;
	if (pause) {
		all->paused = all->count;
		all->count = 0;
		memset(all->event, 0, sizeof all->event);
		memset(all->folded, 0, sizeof all->folded);
		return;
	}
	paused = *all;
	all->count = all->paused = 0;
	for (unsigned i = 0; i < paused.paused; i++)
		(void)doze_model_observe(m, paused.of[i], paused.ctx[i]);
}

void model_observers_free(struct doze_model *m)
{
	struct observers *all = &m->observers;

	model_observers_pause(m, false);

	for (unsigned i = 0; i < all->count; i++)
		if (all->of[i]->free)
			all->of[i]->free(all->ctx[i]);
	all->count = 0;
}

int64_t doze_model_lost_until(const struct doze_model *m)
{
	return m->lost_to;
}

void doze_model_evicted(struct doze_model *m)
{
	m->totals.evicted++;
}
