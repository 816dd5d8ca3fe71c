/*
 * SPDX-License-Identifier: MIT
 *
 * saved_history.c - saves the history of a whole recording, and loads it again (history.h).
 *
 * The spans, wakes and counters words are saved only as an overview. The events are not saved: the
 * checkpoints make it cheap to read them back from any part of the recording.
 */
#include <stdlib.h>

#include "../../explain/diagnose.h"
#include "../../explain/symbols.h"
#include "../../words/rule_text.h"
#include "history.h"

enum { CHECKPOINTS_PART = 2 }; /* the part of the bytes that the checkpoints may take */

/* ---- the lists that are saved whole ---- */

static void ring_saved(struct tui_ring *r, size_t max, struct doze_saved *s)
{
	size_t count = r->count;
	void *item = s->loads ? malloc(r->item) : NULL;

	(void)doze_saved_value(s, count);
	if (s->loads && !item)
		(void)doze_saved_fail(s);
	for (size_t i = 0; i < count && !s->failed; i++)
		if (!s->loads)
			(void)doze_saved_bytes(s, tui_ring_at(r, i), r->item);
		else if (doze_saved_bytes(s, item, r->item))
			tui_ring_push(r, item, max);
	(void)doze_saved_value(s, r->dropped);
	free(item);
}

static void findings_saved(struct tui_history *h, struct doze_saved *s)
{
	ring_saved(&h->findings, TUI_MARKS_MAX, s);
	for (size_t i = 0; i < h->findings.count && !s->failed; i++) {
		struct tui_finding *f = tui_ring_at(&h->findings, i);

		doze_rule_saved(s, &f->finding.rule);
	}
}

/* Everything before and after this belongs to the overview. */
static void pools_saved(struct tui_history *h, struct doze_saved *s)
{
	(void)doze_saved_array(s, h->pools, h->n_pools);
	for (size_t i = 0; i < h->n_pools && s->loads; i++)
		h->pools[i].words = (struct tui_ring){.item = sizeof(struct tui_word)};
}

/* ---- checkpoints ---- */

static size_t size_of(struct doze_checkpoint *c)
{
	struct doze_saved s = {0};
	size_t size;

	(void)doze_checkpoint_saved(c, &s);
	size = s.size;
	doze_saved_free(&s);
	return size;
}

/* Returns that every n-th checkpoint is saved, so that they take at most `most` bytes. */
static size_t checkpoint_step(const struct tui_history *h, uint64_t most)
{
	size_t step = 1;
	uint64_t each;

	if (!h->n_checkpoints)
		return 1;
	/* A checkpoint grows with the number of workers, so that the last one is the largest. */
	each = size_of(h->checkpoint[h->n_checkpoints - 1]);
	while (h->n_checkpoints / step * each > most && step < h->n_checkpoints)
		step *= 2;
	return step;
}

static void checkpoints_saved(struct tui_history *h, uint64_t most, struct doze_saved *s)
{
	size_t step = s->loads ? 1 : checkpoint_step(h, most);
	size_t count = (h->n_checkpoints + step - 1) / step;

	if (!doze_saved_value(s, count) || count > TUI_CHECKPOINTS)
		(void)doze_saved_fail(s);
	for (size_t i = 0; i < count && !s->failed; i++) {
		struct doze_checkpoint *c = s->loads ? NULL : h->checkpoint[i * step];

		c = doze_checkpoint_saved(c, s);
		if (s->loads && c)
			h->checkpoint[h->n_checkpoints++] = c;
	}
}

/* ---- the history ---- */

static void overview_saved(struct tui_history *h, uint64_t most, struct doze_saved *s)
{
	struct tui_overview all = {0};

	if (s->loads) {
		tui_overview_saved(&h->dropped, s);
		return;
	}
	if (tui_history_overview(h, &all))
		tui_overview_limit(&all, most);
	else
		(void)doze_saved_fail(s);
	tui_overview_saved(&all, s);
	tui_overview_free(&all);
}

void tui_history_saved(struct tui_history *h, uint64_t most, struct doze_saved *s)
{
	uint64_t events = h->events.dropped + h->events.count;

	(void)doze_model_saved(h->model, s);
	doze_symbols_saved(h->model, s);
	doze_diagnosis_saved(h->model, s);
	(void)doze_saved_value(s, h->clock);
	(void)doze_saved_value(s, h->ending);
	(void)doze_saved_value(s, events);
	overview_saved(h, most - most / CHECKPOINTS_PART, s);
	pools_saved(h, s);
	(void)doze_saved_array(s, h->pairs.pair, h->pairs.room);
	(void)doze_saved_value(s, h->pairs.count);
	ring_saved(&h->marks, TUI_MARKS_MAX, s);
	ring_saved(&h->losses, TUI_LOSSES_MAX, s);
	ring_saved(&h->storms, TUI_MARKS_MAX, s);
	findings_saved(h, s);
	checkpoints_saved(h, most / CHECKPOINTS_PART, s);
	if (!s->loads)
		return;
	h->events.dropped = events;
	h->complete_from = h->clock + 1;
}

struct tui_history *tui_history_load(struct doze_saved *s)
{
	struct tui_history *h = tui_history_new();

	if (!h)
		return NULL;
	tui_history_saved(h, 0, s);
	if (!s->failed && s->at == s->size)
		return h;
	tui_history_free(h);
	return NULL;
}
