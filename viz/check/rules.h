/*
 * SPDX-License-Identifier: MIT
 *
 * rules.h - what each policy's protocol allows, as a table that the checker reads.
 *
 * Written from the protocol texts (the seeds, the policies' README files), not from lib: the two
 * must not share a mistake. The explorer (labs/explorer) links rules.c and judges lib's posts by
 * it. A policy that is not in the table is held to what holds for every pool.
 *
 * Every rule judges by the payload of one event, or by the order of events of one thread, or of
 * events that were emitted under one lock. None compares timestamps of two CPUs otherwise, since
 * those are not the order of the atomic steps.
 */
#ifndef DOZE_VIZ_RULES_H
#define DOZE_VIZ_RULES_H

#include "../model/model_int.h"

/* What the policy's word holds. */
enum word_rule {
	WORD_FREE,   /* not judged */
	WORD_COUNTS, /* sleeping, inactive */
	WORD_JEC,    /* the same and a jobs event counter */
	WORD_TICKLE, /* bit 0 sleepers, above it the sleepy worker */
};

/* Who takes a woken worker out of the count of sleepers. */
enum decrement_by { DECREMENT_NOBODY, DECREMENT_WAKER, DECREMENT_SLEEPER };

/* Whom a wake may hit. */
enum aim {
	AIM_FREE,   /* not judged */
	AIM_NEVER,  /* nobody sleeps, so nobody is woken */
	AIM_ONCE,   /* a sleeper, under the lock it sleeps with; each sleep once */
	AIM_AGAIN,  /* likewise, as often as one likes while it sleeps */
	AIM_SIGNAL, /* whom the condition variable chooses; no more signals than sleepers */
	AIM_HINT,   /* likewise, but a signal may meet nobody */
};

/* Whom the set of a latch wakes. */
enum latch_wakes {
	LATCH_FREE,  /* not judged */
	LATCH_OWNER, /* its owner, if that sleeps on it, and nobody else */
	LATCH_ALL,   /* everybody, if its owner sleeps on it */
	LATCH_ANY,   /* everybody, whatever they sleep on */
};

/* How a post counts the sleepers. */
enum post_sees {
	SEES_FREE,  /* not judged */
	SEES_WORD,  /* by its word */
	SEES_BIT,   /* the word says whether there are any */
	SEES_EXACT, /* it counts them itself, under the lock, without those already signalled */
	SEES_HINT,  /* it counts them itself, and may be wrong */
};

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
	enum post_sees sees;
	wake_rule *wakes; /* null: not judged */
	enum aim aim;
	enum latch_wakes latch;
	uint32_t found_wakes; /* at most, by whoever found work */
	uint32_t causes;      /* of its wakes, a bit each; 0: not judged */
	uint32_t never;       /* reasons that this policy does not know, a bit each */
};

/* What a post with these facts must wake; the policy has a rule. */
static inline uint32_t rules_wanted(const struct policy_rules *r, const struct post_facts *f)
{
	uint32_t want = r->wakes(f);

	return r->sees == SEES_WORD && want > f->sleeping ? f->sleeping : want;
}

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

static inline bool counts_word(const struct pool *p, const struct policy_rules *r)
{
	return p->v.layout.kind == DOZE_WORD_counters && p->v.layout.bits_inactive &&
	       (r->word == WORD_COUNTS || r->word == WORD_JEC);
}

#endif
