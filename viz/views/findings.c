/*
 * SPDX-License-Identifier: MIT
 *
 * findings.c - a ring of the latest events, and of each finding those that concern it: its worker's
 * own and the wakes of it, or all of the pool's when it names no worker. Events are kept as they
 * are and become text only when they are printed.
 */
#include "findings_int.h"

#include <stdlib.h>
#include <string.h>

struct doze_findings *doze_findings_new(size_t max)
{
	struct doze_findings *f = calloc(1, sizeof *f);

	if (!f)
		return 0;
	f->max = max;
	f->item = calloc(max ? max : 1, sizeof *f->item);
	if (!f->item) {
		free(f);
		return 0;
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

static void count_rule(struct doze_findings *f, const char *rule)
{
	for (size_t i = 0; i < f->rules; i++) {
		if (!strcmp(f->by_rule[i].rule, rule)) {
			f->by_rule[i].n++;
			return;
		}
	}
	if (f->rules < FINDING_RULES)
		f->by_rule[f->rules++] = (struct rule_count){rule, 1};
}

/* The events before, newest first from the ring, turned round. */
static void take_past(const struct doze_findings *f, struct finding_item *it)
{
	struct doze_event found[PAST_EVENTS];
	size_t n = 0;

	for (uint64_t i = 0; i < RING_EVENTS && i < f->seen && n < PAST_EVENTS; i++) {
		const struct doze_event *e = &f->ring[(f->seen - 1 - i) % RING_EVENTS];

		/* What is found when nothing moves is found by the event after that. */
		if (e->ts <= it->finding.ts && concerns(&it->finding.who, e))
			found[n++] = *e;
	}
	while (n)
		it->event[it->events++] = found[--n];
	it->past = it->events;
}

static void on_finding(void *ctx, const struct doze_finding *finding)
{
	struct doze_findings *f = ctx;
	struct finding_item *it;

	count_rule(f, finding->rule);
	if (f->count == f->max)
		return;
	it = &f->item[f->count++];
	it->finding = *finding;
	it->ends = f->seen + RING_EVENTS;
	take_past(f, it);
}

const struct doze_model_listener doze_findings_listener = {.on_finding = on_finding};

void doze_findings_before(struct doze_findings *f, const struct doze_event *e)
{
	if (!f->seen)
		f->origin = e->ts;
	f->ring[f->seen++ % RING_EVENTS] = *e;
}

/* Findings that still wait for what comes after them. */
void doze_findings_after(struct doze_findings *f, const struct doze_event *e)
{
	for (size_t i = f->complete; i < f->count; i++) {
		struct finding_item *it = &f->item[i];

		if (e->ts > it->finding.ts && it->events < DOZE_FINDING_EVENTS &&
		    concerns(&it->finding.who, e))
			it->event[it->events++] = *e;
	}
	while (f->complete < f->count && (f->item[f->complete].events == DOZE_FINDING_EVENTS ||
					  f->item[f->complete].ends < f->seen))
		f->complete++;
}
