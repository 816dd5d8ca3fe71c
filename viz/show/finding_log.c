/*
 * SPDX-License-Identifier: MIT
 *
 * finding_log.c - keeps a ring of the latest events, and copies for each finding the events that
 * concern it: the events of its worker, the wakes that target the worker and the latches that it
 * owns, or all events of the pool if the finding names no worker. Events become text only when they
 * are printed.
 */
#include "finding_log_int.h"

#include <stdlib.h>
#include <string.h>

struct doze_findings *doze_findings_new(size_t max)
{
	struct doze_findings *f = calloc(1, sizeof *f);

	if (!f)
		return NULL;
	f->max = max;
	f->item = calloc(max ? max : 1, sizeof *f->item);
	if (!f->item) {
		free(f);
		return NULL;
	}
	return f;
}

void doze_findings_free(struct doze_findings *f)
{
	if (!f)
		return;
	free(f->item);
	free(f);
}

static bool concerns(const struct doze_worker_key *who, const struct doze_event *e)
{
	if (e->pool != who->pool || e->vpid != who->vpid || e->host != who->host ||
	    e->kind == DOZE_EV_snapshot)
		return false;
	return who->index < 0 || e->worker == who->index ||
	       (e->kind == DOZE_EV_wake && e->u.wake.target == who->index) ||
	       (e->kind == DOZE_EV_latch && e->u.latch.owner == who->index);
}

/* Counts a finding under its rule. In unused entries of the table, the rule is null. */
static void count_rule(struct rule_count *table, size_t size, const char *rule)
{
	for (size_t i = 0; i < size; i++) {
		if (table[i].rule && strcmp(table[i].rule, rule) != 0)
			continue;
		table[i].rule = rule;
		table[i].n++;
		return;
	}
}

/* Returns the pool's latest event at the time of the finding, preferably a post, a wake or a latch
 * event. The event may belong to another worker: for example, the post that failed to wake this
 * one. */
static const struct doze_event *about(const struct doze_findings *f, const struct doze_finding *x)
{
	const struct doze_event *any = NULL;

	for (uint64_t i = 0; i < RING_EVENTS && i < f->seen; i++) {
		const struct doze_event *e = &f->ring[(f->seen - 1 - i) % RING_EVENTS];
		struct doze_worker_key pool = x->who;

		pool.index = -1;
		if (e->ts != x->about || !concerns(&pool, e))
			continue;
		if (e->kind == DOZE_EV_post || e->kind == DOZE_EV_wake || e->kind == DOZE_EV_latch)
			return e;
		any = any ? any : e;
	}
	return any;
}

/* Copies events that precede the finding from the ring, newest first, then reverses their order.
 * Fills all slots; drop_oldest later frees some of them for events after the finding. The finding's
 * own event is always included. */
static void take_past(const struct doze_findings *f, struct finding_item *it)
{
	const struct doze_event *found[DOZE_FINDING_EVENTS], *key = about(f, &it->finding);
	size_t n = 0, slots = DOZE_FINDING_EVENTS;
	bool seen = !key;

	for (uint64_t i = 0; i < RING_EVENTS && i < f->seen && n < slots; i++) {
		const struct doze_event *e = &f->ring[(f->seen - 1 - i) % RING_EVENTS];

		if (n + 1 == slots && !seen && e != key)
			continue;
		/* The ring may contain later events, because some findings are detected late. */
		if (e == key || (e->ts <= it->finding.ts && concerns(&it->finding.who, e)))
			found[n++] = e;
		seen |= e == key;
	}
	while (n) {
		it->mark[it->events] = found[--n] == key;
		it->event[it->events++] = *found[n];
	}
	it->past = it->events;
}

/* Frees a slot for a later event by dropping the oldest one, but never the finding's own event.
 * Returns false if too few earlier events would remain. */
static bool drop_oldest(struct finding_item *it)
{
	size_t i = it->mark[0], n = it->events - i - 1;

	if (it->events < DOZE_FINDING_EVENTS)
		return true;
	if (it->past <= PAST_EVENTS)
		return false;
	memmove(&it->event[i], &it->event[i + 1], n * sizeof it->event[0]);
	memmove(&it->mark[i], &it->mark[i + 1], n * sizeof it->mark[0]);
	it->mark[it->events - 1] = false;
	it->events--;
	it->past--;
	return true;
}

static void on_finding(void *ctx, const struct doze_finding *finding)
{
	struct doze_findings *f = ctx;
	struct finding_item *it;

	count_rule(f->by_rule, FINDING_RULES, finding->rule);
	if (f->count == f->max)
		return;
	it = &f->item[f->count++];
	it->finding = *finding;
	it->ends = f->seen + RING_EVENTS;
	take_past(f, it);
}

/* The model numbers the findings from 1, in the order of f->item. */
static void on_consequence(void *ctx, const struct doze_finding *finding)
{
	struct doze_findings *f = ctx;
	struct finding_item *it = finding->cause <= f->count ? &f->item[finding->cause - 1] : NULL;

	if (!it)
		return;
	it->consequences++;
	count_rule(it->follows, FINDING_FOLLOWS, finding->rule);
}

const struct doze_model_listener doze_findings_listener = {.on_finding = on_finding,
							   .on_consequence = on_consequence};

void doze_findings_before(struct doze_findings *f, const struct doze_event *e)
{
	if (!f->seen)
		f->origin = e->ts;
	f->ring[f->seen++ % RING_EVENTS] = *e;
}

static bool is_full(const struct finding_item *it)
{
	return it->events == DOZE_FINDING_EVENTS && it->past <= PAST_EVENTS;
}

/* Adds the event to the findings that are still collecting later events. */
void doze_findings_after(struct doze_findings *f, const struct doze_event *e)
{
	for (size_t i = f->complete; i < f->count; i++) {
		struct finding_item *it = &f->item[i];

		if (e->ts > it->finding.ts && concerns(&it->finding.who, e) && drop_oldest(it))
			it->event[it->events++] = *e;
	}
	while (f->complete < f->count &&
	       (is_full(&f->item[f->complete]) || f->item[f->complete].ends < f->seen))
		f->complete++;
}
