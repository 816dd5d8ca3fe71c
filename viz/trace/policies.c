/*
 * SPDX-License-Identifier: MIT
 *
 * policies.c - the list of descriptors, and the functions that evaluate one.
 */
#include "policies.h"

#include <string.h>

#define DECLARE(name) extern const struct doze_policy_descriptor doze_policy_##name##_descriptor;
#define ADDRESS(name) &doze_policy_##name##_descriptor,

DOZE_POLICIES(DECLARE)

static const struct doze_policy_descriptor *const descriptors[] = {DOZE_POLICIES(ADDRESS)};

const struct doze_policy_descriptor *doze_policy_at(size_t i)
{
	return i < DOZE_POLICY_COUNT ? descriptors[i] : NULL;
}

const struct doze_policy_descriptor *doze_policy_descriptor(const char *name)
{
	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++)
		if (strcmp(descriptors[i]->name, name) == 0)
			return descriptors[i];
	if (strcmp(doze_policy_foreign_descriptor.name, name) == 0)
		return &doze_policy_foreign_descriptor;
	return &doze_policy_unknown;
}

bool doze_policy_has_state(const struct doze_policy_descriptor *d, enum doze_state state)
{
	uint32_t reasons = 0;

	for (int from = 0; from < DOZE_STATE_COUNT; from++)
		reasons |= d->legal[from][state];
	return reasons != 0 || state == DOZE_STATE_none;
}

const char *doze_policy_transition(const struct doze_policy_descriptor *d, enum doze_state from,
				   enum doze_state to, enum doze_reason why)
{
	uint32_t bit = (unsigned)why < DOZE_REASON_COUNT ? 1u << why : 0;
	uint32_t legal = d->legal[from][to];

	if (legal & bit)
		return NULL;
	/* Entering a state that the policy does not have is a fault; leaving that state again is
	 * not a second fault. */
	if (!doze_policy_has_state(d, from)) {
		d = &doze_policy_unknown;
		legal = d->legal[from][to];
	}
	if (legal & bit)
		return NULL;
	if (d->foreign)
		return legal ? "this transition cannot have this reason"
			     : "there is no such transition";
	if (to == DOZE_STATE_sleepy && !doze_policy_has_state(d, to))
		return "this policy's workers do not get sleepy";
	if (to == DOZE_STATE_sleeping && !doze_policy_has_state(d, to))
		return "this policy's workers do not sleep";
	if (!legal)
		return "there is no such transition";
	return doze_policy_unknown.legal[from][to] & bit
		   ? "this policy has no such reason"
		   : "this transition cannot have this reason";
}

static uint32_t at_most(uint32_t wanted, uint32_t sleeping)
{
	return wanted < sleeping ? wanted : sleeping;
}

uint32_t doze_policy_post_wakes(const struct doze_policy_descriptor *d,
				const struct doze_wake_facts *f)
{
	uint32_t wanted = d->wakes(f);

	return d->sees == DOZE_SEES_BIT ? wanted : at_most(wanted, f->sleeping);
}

uint32_t doze_policy_found_wakes(const struct doze_policy_descriptor *d,
				 const struct doze_wake_facts *f)
{
	if (d->found_by_last && f->idle > 1)
		return 0;
	return at_most(d->found_wakes, f->sleeping);
}

static int what_of(const struct doze_event *e)
{
	switch (e->kind) {
	case DOZE_EV_worker_state:
		return (int)e->u.state.to;
	case DOZE_EV_jec:
		return (int)e->u.jec.cause;
	default:
		return DOZE_ANY;
	}
}

/* Returns the first sentence that matches the event, or null. */
static const char *sentence_in(const struct doze_sentence *s, const struct doze_event *e)
{
	for (; s && s->text; s++)
		if (s->kind == e->kind && (s->what == DOZE_ANY || s->what == what_of(e)) &&
		    (s->reason == DOZE_ANY || s->reason == (int)e->u.state.reason))
			return s->text;
	return NULL;
}

const char *doze_policy_sentence(const struct doze_policy_descriptor *d, const struct doze_event *e)
{
	const char *own = sentence_in(d->sentences, e);
	const char *common = own ? own : sentence_in(doze_policy_unknown.sentences, e);

	return common ? common : "";
}

static const char *advice_in(const struct doze_advice *a, enum doze_cause cause)
{
	for (; a && a->text; a++)
		if (a->cause == DOZE_CAUSE_COUNT || a->cause == cause)
			return a->text;
	return NULL;
}

const char *doze_policy_advice(const struct doze_policy_descriptor *d, enum doze_cause cause,
			       bool herd)
{
	const char *text = herd ? NULL : advice_in(d->singles, cause);

	if (!text && !herd)
		text = advice_in(doze_policy_unknown.singles, cause);
	if (!text)
		text = advice_in(d->herds, cause);
	return text ? text : advice_in(doze_policy_unknown.herds, cause);
}

const char *doze_policy_redundant(const struct doze_policy_descriptor *d)
{
	return d->redundant ? d->redundant : doze_policy_unknown.redundant;
}

const char *doze_policy_picks(const struct doze_policy_descriptor *d)
{
	return d->picks ? d->picks : doze_policy_unknown.picks;
}
