/*
 * SPDX-License-Identifier: MIT
 *
 * history_past.c - computes how far back a history reaches, and takes the checkpoints for rereading
 * parts that were dropped from memory. See history.h.
 */
#include <stdlib.h>

#include "../model/model.h"
#include "history.h"

/* Time between two checkpoints. The actual interval may be up to twice as long, because a
 * checkpoint waits until the model has settled. */
#define EVERY_NS INT64_C(1000000000)

/* ---- what the history contains ---- */

const struct tui_pool_words *tui_words_of(const struct tui_history *h,
					  const struct doze_pool_view *v)
{
	for (size_t i = 0; i < h->n_pools; i++) {
		const struct tui_pool_words *p = &h->pools[i];

		if (p->host == v->host && p->vpid == v->vpid && p->pool == v->pool)
			return p;
	}
	return NULL;
}

const struct tui_span *tui_span_at(const struct tui_lane *lane, int64_t t)
{
	const struct tui_span *s = tui_ring_at(&lane->spans, tui_ring_after(&lane->spans, t));

	return s && s->from <= t ? s : NULL;
}

int64_t tui_history_since(const struct tui_history *h)
{
	int64_t since = h->complete_from;

	for (size_t i = 0; i < h->n_lanes; i++) {
		const struct tui_ring *r = &h->lanes[i].spans;
		const struct tui_span *s = tui_ring_at(r, 0);

		if (s && r->dropped && s->from > since)
			since = s->from;
	}
	return since;
}

/* Returns the later of two times: `since`, and the oldest item of the ring if the ring has dropped
 * older ones. */
static int64_t later(int64_t since, const struct tui_ring *r)
{
	const int64_t *oldest = tui_ring_at(r, 0);

	return oldest && r->dropped && *oldest > since ? *oldest : since;
}

int64_t tui_history_kept(const struct tui_history *h)
{
	int64_t since = later(tui_history_since(h), &h->events);

	since = later(since, &h->decisions.ring);
	for (size_t i = 0; i < h->n_lanes; i++)
		since = later(since, &h->lanes[i].wakes);
	for (size_t i = 0; i < h->n_pools; i++)
		since = later(since, &h->pools[i].words);
	return since;
}

/* ---- checkpoints ---- */

/* Drops every second checkpoint. */
static void thin_out(struct tui_history *h)
{
	size_t kept = 0;

	for (size_t i = 0; i < h->n_checkpoints; i++) {
		if (i % 2 == 0)
			h->checkpoint[kept++] = h->checkpoint[i];
		else
			doze_checkpoint_free(h->checkpoint[i]);
	}
	h->n_checkpoints = kept;
	h->checkpoint_every *= 2;
}

void tui_history_check(struct tui_history *h, int64_t ts)
{
	struct doze_checkpoint *c;
	int64_t since;

	if (!h->checkpoint_every || ts <= h->clock || !doze_model_workers(h->model))
		return;
	since = h->n_checkpoints ? ts - doze_checkpoint_ts(h->checkpoint[h->n_checkpoints - 1])
				 : INT64_MAX;
	if (since < h->checkpoint_every ||
	    (since < 2 * h->checkpoint_every && !doze_model_is_settled(h->model)))
		return;
	if (h->n_checkpoints == TUI_CHECKPOINTS)
		thin_out(h);
	c = doze_checkpoint_take(h->model);
	if (c)
		h->checkpoint[h->n_checkpoints++] = c;
}

void tui_history_take_checkpoints(struct tui_history *h)
{
	h->checkpoint_every = EVERY_NS;
}

const struct doze_checkpoint *tui_history_checkpoint(const struct tui_history *h, int64_t t)
{
	const struct doze_checkpoint *c = NULL;

	for (size_t i = 0; i < h->n_checkpoints && doze_checkpoint_ts(h->checkpoint[i]) < t; i++)
		c = h->checkpoint[i];
	return c;
}

void tui_history_drop_checkpoints(struct tui_history *h)
{
	for (size_t i = 0; i < h->n_checkpoints; i++)
		doze_checkpoint_free(h->checkpoint[i]);
	h->n_checkpoints = 0;
}
