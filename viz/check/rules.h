/*
 * SPDX-License-Identifier: MIT
 *
 * rules.h - the checker's rules, which judge a pool by its policy's descriptor.
 *
 * What a policy allows is in viz/event/policies.h. A policy without a descriptor is held to what
 * holds for every pool.
 *
 * Every rule judges by the payload of one event, or by the order of events of one thread, or of
 * events that were emitted under one lock. None compares timestamps of two CPUs otherwise, since
 * those are not the order of the atomic steps.
 */
#ifndef DOZE_VIZ_RULES_H
#define DOZE_VIZ_RULES_H

#include "../event/policies.h"
#include "../model/model_int.h"

/* Each returns silently, or reports findings. Before the event is folded in; w may be null. */
void rules_word(struct doze_model *, struct pool *, struct worker *, const struct doze_event *);
void rules_jec(struct doze_model *, struct pool *, struct worker *, const struct doze_event *);
void rules_post(struct doze_model *, struct pool *, const struct doze_event *);
void rules_wake(struct doze_model *, struct pool *, const struct doze_event *);
void rules_latch(struct doze_model *, struct pool *, struct actor *, const struct doze_event *);
void rules_carry(struct doze_model *, struct pool *, struct actor *, const struct doze_event *);
/* Nothing has moved for long, or the trace ends: what was not carried out by now never will be. */
void rules_carry_end(struct doze_model *, struct pool *, int64_t ts);

/* Sleeps, and nobody has woken it. */
static inline bool sleeps_unwoken(const struct worker *w)
{
	return known_state(w, DOZE_STATE_sleeping) && !w->span_lost && !w->taken_back &&
	       !w->leaving && w->phase == WAKE_NONE;
}

/* The state of each worker is known for certain, so that they can be counted. */
static inline bool all_known(const struct pool *p)
{
	return p->v.workers && p->seen_workers == p->v.workers && !p->unsure;
}

/* Sleepers for whom no signal is under way. */
static inline uint32_t unsignalled(const struct pool *p)
{
	uint32_t asleep = p->in_state[DOZE_STATE_sleeping];

	return asleep > p->loose_count ? asleep - p->loose_count : 0;
}

static inline bool counts_word(const struct pool *p, const struct doze_policy_descriptor *r)
{
	return p->v.layout.kind == DOZE_WORD_counters && p->v.layout.bits_inactive &&
	       (r->word == DOZE_WORD_RULE_COUNTS || r->word == DOZE_WORD_RULE_JEC);
}

#endif
