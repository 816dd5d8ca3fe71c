/*
 * SPDX-License-Identifier: MIT
 *
 * policies.h - one descriptor per sleep policy: everything that the tools know about it.
 *
 * The checker, the what-if model, the explorer, the viewer's explain pane and the advice of `doze
 * storms` read these descriptors and keep no lists of their own. Each descriptor is written from
 * the policy's documentation (lib/sleep and lib/forkjoin), not from its code: it is the oracle that
 * the code is judged by, and the two must not share a mistake. tests/unit/event/policies_test.c
 * compares the descriptors with the library's registry; tests/integration/policies/recorded.py
 * compares them with recordings.
 *
 * Plain data and pure functions of plain data, so that the explorer can link them: nothing here
 * depends on anything above viz/event.
 *
 * To add a policy, see lib/sleep/README.md.
 */
#ifndef DOZE_VIZ_POLICIES_H
#define DOZE_VIZ_POLICIES_H

#include <stddef.h>

#include "event.h"

/** What the policy's word holds. */
enum doze_word_rule {
	DOZE_WORD_RULE_NONE,   /* not judged */
	DOZE_WORD_RULE_COUNTS, /* sleeping, inactive */
	DOZE_WORD_RULE_JEC,    /* the same and a jobs event counter */
	DOZE_WORD_RULE_TICKLE, /* bit 0: sleepers; above it the sleepy worker */
};

/** Who takes a woken worker off the count of sleepers. */
enum doze_count_out { DOZE_COUNT_OUT_NOBODY, DOZE_COUNT_OUT_WAKER, DOZE_COUNT_OUT_SLEEPER };

/** Whom a wake may hit. */
enum doze_aim {
	DOZE_AIM_FREE,   /* not judged */
	DOZE_AIM_NEVER,  /* nobody sleeps, so nobody is woken */
	DOZE_AIM_ONCE,   /* a sleeper, under the lock that it sleeps with; each sleep once */
	DOZE_AIM_AGAIN,  /* likewise, any number of times during one sleep */
	DOZE_AIM_SIGNAL, /* whom the condition variable chooses; no more signals than sleepers */
	DOZE_AIM_HINT,   /* likewise, but a signal may reach nobody */
};

/** Whom setting a latch wakes. */
enum doze_latch_wakes {
	DOZE_LATCH_WAKES_FREE,  /* not judged */
	DOZE_LATCH_WAKES_OWNER, /* its owner, if that sleeps on it, and nobody else */
	DOZE_LATCH_WAKES_ALL,   /* everybody, if its owner sleeps on it */
	DOZE_LATCH_WAKES_ANY,   /* everybody, whatever they sleep on */
};

/** How a post counts the sleepers. */
enum doze_post_sees {
	DOZE_SEES_FREE,  /* not judged */
	DOZE_SEES_WORD,  /* by its word */
	DOZE_SEES_BIT,   /* the word says whether there are any */
	DOZE_SEES_EXACT, /* it counts them itself, under the lock, without those already signalled
			  */
	DOZE_SEES_HINT,  /* it counts them itself, and may be wrong */
};

/** What a post knows when it decides, or a worker that stops searching (idle counts the worker
 * itself then; jobs, was_empty and local mean nothing). */
struct doze_wake_facts {
	uint32_t jobs, idle, sleeping, workers;
	bool was_empty; /* the queue, before the push */
	bool local;     /* it is the poster's own deque */
};

/** Why a worker takes a step, in one sentence. {rounds} stands for the configured number of
 * fruitless rounds. */
struct doze_sentence {
	enum doze_event_kind kind;
	int what;   /* worker_state: the new state; jec: the cause; DOZE_ANY */
	int reason; /* worker_state only; else DOZE_ANY */
	const char *text;
};
enum { DOZE_ANY = -1 };

/** What to change about wakes in vain of one cause; DOZE_CAUSE_COUNT: of any. */
struct doze_advice {
	enum doze_cause cause;
	const char *text;
};

struct doze_policy_descriptor {
	const char *name; /* as in DOZE_POLICY and --policy */

	/* legal[from][to]: the reasons for this transition, a bit each; 0: there is no such
	 * transition. */
	uint32_t legal[DOZE_STATE_COUNT][DOZE_STATE_COUNT];

	enum doze_word_rule word;
	enum doze_count_out count_out;

	/* How many sleepers a post wakes, by doze_policy_post_wakes only; null: not judged. */
	uint32_t (*wakes)(const struct doze_wake_facts *);
	enum doze_post_sees sees;
	/* How many a worker wakes at most when it stops searching. */
	uint32_t found_wakes;
	bool found_by_last; /* ... and only the last one that searched */

	enum doze_aim aim;
	enum doze_latch_wakes latch;
	uint32_t causes; /* of its wakes, a bit each; 0: not judged */

	/* Where these have no entry, doze_policy_unknown's hold. All end with a null text; null:
	 * there are none. */
	const struct doze_sentence *sentences;
	const struct doze_advice *herds;   /* many woken at once, in vain */
	const struct doze_advice *singles; /* one or a few */
	const char *redundant;             /* why wakes meet workers that are awake already */
};

/* One per policy, in the order of lists: its descriptor is doze_policy_NAME_descriptor. */
#define DOZE_POLICIES(X)                                                                           \
	X(jec)                                                                                     \
	X(rfc) X(local) X(block) X(spare) X(chain) X(go) X(tickle) X(forkjoin) X(condvar) X(spin)

#define DOZE_COUNT_POLICY(name) +1
enum { DOZE_POLICY_COUNT = 0 DOZE_POLICIES(DOZE_COUNT_POLICY) };

/** The rules that hold for every policy; the descriptor of a policy that has none. Its name is
 * "?". */
extern const struct doze_policy_descriptor doze_policy_unknown;

/** The descriptor of that policy, or &doze_policy_unknown. Never null; any thread. */
const struct doze_policy_descriptor *doze_policy_descriptor(const char *name);
/** Descriptor i in the order of lists, or null past the last. */
const struct doze_policy_descriptor *doze_policy_at(size_t i);

/** Whether workers of this policy are ever in the state. */
bool doze_policy_has_state(const struct doze_policy_descriptor *, enum doze_state);
/** Returns null when the transition is legal, else why it is not. */
const char *doze_policy_transition(const struct doze_policy_descriptor *, enum doze_state from,
				   enum doze_state to, enum doze_reason);

/** How many a post with these facts chooses to wake. The policy has `wakes`. Never more than sleep,
 * except where the post sees but one bit: then everybody is all workers. */
uint32_t doze_policy_post_wakes(const struct doze_policy_descriptor *,
				const struct doze_wake_facts *);
/** How many a worker that stops searching may wake. */
uint32_t doze_policy_found_wakes(const struct doze_policy_descriptor *,
				 const struct doze_wake_facts *);

/** Why the event happened, {rounds} unexpanded (doze_event_why expands it); "" when there is
 * nothing to explain. */
const char *doze_policy_sentence(const struct doze_policy_descriptor *, const struct doze_event *);
/** What to change about wakes in vain of this cause: a herd, or one or a few at a time. */
const char *doze_policy_advice(const struct doze_policy_descriptor *, enum doze_cause, bool herd);
/** Why wakes meet workers that are awake already. */
const char *doze_policy_redundant(const struct doze_policy_descriptor *);

#endif
