/*
 * SPDX-License-Identifier: MIT
 *
 * rules.h - what each policy's protocol allows, as a table that the checker reads.
 *
 * Written from the protocol texts (the seeds, the policies' README files), not from lib: the two
 * must not share a mistake. A policy that is not in the table is held to what holds for every pool.
 *
 * Every rule judges by the payload of one event, or by the order of events of one thread, or of
 * events that were emitted under one lock. None compares timestamps of two CPUs otherwise, since
 * those are not the order of the atomic steps.
 */
#ifndef DOZE_VIZ_RULES_H
#define DOZE_VIZ_RULES_H

#include "model_int.h"

/* What the policy's word holds. */
enum word_rule {
	WORD_FREE,   /* not judged */
	WORD_COUNTS, /* sleeping, inactive */
	WORD_JEC,    /* the same and a jobs event counter */
	WORD_TICKLE, /* bit 0 sleepers, above it the sleepy worker */
};

/* Who takes a woken worker out of the count of sleepers. */
enum decrement_by { DECREMENT_NOBODY, DECREMENT_WAKER, DECREMENT_SLEEPER };

/* What a post knows when it decides. */
struct post_facts {
	uint32_t jobs, idle, sleeping, workers;
	bool was_empty, local; /* the queue; whether it is the poster's own deque */
};
/* How many it wakes then; whatever the rule says, more than `sleeping` cannot be woken. */
typedef uint32_t wake_rule(const struct post_facts *);

struct policy_rules {
	const char *name;
	bool sleepy, sleeping; /* states that this policy's workers may be in */
	enum word_rule word;
	enum decrement_by decrement;
	wake_rule *wakes;       /* null: not judged */
	bool latch_wakes_owner; /* a set latch wakes its owner and nobody else */
	uint32_t never;         /* reasons that this policy does not know, a bit each */
};

/* Each returns silently, or reports findings. Before the event is folded in; w may be null. */
void rules_word(struct doze_model *, struct pool *, struct worker *, const struct doze_event *);
void rules_jec(struct doze_model *, struct pool *, struct worker *, const struct doze_event *);
void rules_post(struct doze_model *, struct pool *, const struct doze_event *);
void rules_wake(struct doze_model *, struct pool *, const struct doze_event *);
void rules_latch(struct doze_model *, struct pool *, struct worker *, const struct doze_event *);

static inline bool counts_word(const struct pool *p, const struct policy_rules *r)
{
	return p->v.layout.kind == DOZE_WORD_counters && p->v.layout.bits_inactive &&
	       (r->word == WORD_COUNTS || r->word == WORD_JEC);
}

#endif
