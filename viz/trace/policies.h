/*
 * SPDX-License-Identifier: MIT
 *
 * policies.h - one descriptor per sleep policy: all facts about the policy that the tools use.
 *
 * The checker, the what-if model, the explorer, the viewer's explain pane and the advice of `doze
 * storms` use these descriptors and have no lists of their own. A descriptor is the oracle for the
 * policy's code. To avoid sharing mistakes with that code, it is written from the policy's
 * documentation (lib/sleep and lib/forkjoin). tests/unit/trace/policies_test.c compares the
 * descriptors with the library's registry, and tests/integration/policies/recorded.py compares them
 * with recordings.
 *
 * A descriptor consists of plain data and pure functions and depends on nothing above viz/trace, so
 * the explorer can link it. To add a policy, see lib/sleep/README.md.
 */
#ifndef DOZE_VIZ_POLICIES_H
#define DOZE_VIZ_POLICIES_H

#include <stddef.h>

#include "event.h"

/** Contents of the policy's counters word. */
enum doze_word_rule {
	DOZE_WORD_RULE_NONE,   /* not checked */
	DOZE_WORD_RULE_COUNTS, /* counts of sleeping and inactive workers */
	DOZE_WORD_RULE_JEC,    /* counts of sleeping and inactive workers, and the jobs event
				* counter */
	DOZE_WORD_RULE_TICKLE, /* bit 0: whether any worker sleeps; other bits: the sleepy worker */
};

/** The thread that decrements the sleeper count for a woken worker. */
enum doze_count_out { DOZE_COUNT_OUT_NOBODY, DOZE_COUNT_OUT_WAKER, DOZE_COUNT_OUT_SLEEPER };

/** Allowed targets of a wake. */
enum doze_aim {
	DOZE_AIM_FREE,   /* not checked */
	DOZE_AIM_NEVER,  /* the policy's workers never sleep, so no wake is allowed */
	DOZE_AIM_ONCE,   /* a sleeper whose lock the waker holds, at most once per sleep */
	DOZE_AIM_AGAIN,  /* a sleeper whose lock the waker holds, any number of times */
	DOZE_AIM_SIGNAL, /* chosen by the condition variable; never more signals than sleepers */
	DOZE_AIM_HINT,   /* chosen by the condition variable; a signal may find no sleeper */
};

/** Which workers are woken when a latch is set. */
enum doze_latch_wakes {
	DOZE_LATCH_WAKES_FREE, /* not checked */
	/* The owner, if it sleeps on the latch. Other workers may be woken, too. */
	DOZE_LATCH_WAKES_SOMEHOW,
	DOZE_LATCH_WAKES_OWNER, /* only the owner, if it sleeps on the latch */
	DOZE_LATCH_WAKES_ALL,   /* all sleepers, if the owner sleeps on the latch */
	DOZE_LATCH_WAKES_ANY,   /* all sleepers, always */
};

/** How a post learns the number of sleepers. */
enum doze_post_sees {
	DOZE_SEES_FREE,  /* not checked */
	DOZE_SEES_WORD,  /* the word contains the number */
	DOZE_SEES_BIT,   /* the word shows only whether there are sleepers */
	DOZE_SEES_EXACT, /* counted under the lock, excluding workers already signalled */
	DOZE_SEES_HINT,  /* read without the lock, so it may be out of date */
};

/** The facts from which a post decides how many workers to wake. A worker that stops searching also
 * uses these facts; `idle` then includes that worker, and `jobs`, `was_empty` and `local` are
 * undefined. */
struct doze_wake_facts {
	uint32_t jobs, idle, sleeping, workers;
	bool was_empty; /* the queue was empty before the push */
	bool local;     /* the queue is the poster's own deque */
};

/** The reason for a step, in one sentence. {rounds} stands for the configured number of
 * unsuccessful search rounds. */
struct doze_sentence {
	enum doze_event_kind kind;
	int what;   /* new state of a worker_state event, cause of a jec event, or DOZE_ANY */
	int reason; /* reason of a worker_state event, or DOZE_ANY */
	const char *text;
};
enum { DOZE_ANY = -1 };

/** Advice on how to avoid futile wakes with this cause. DOZE_CAUSE_COUNT: any cause. */
struct doze_advice {
	enum doze_cause cause;
	const char *text;
};

struct doze_policy_descriptor {
	const char *name; /* as in DOZE_POLICY and --policy */
	/* A crew of a program without libdoze: threads appear one by one, indices are reused, and
	 * nothing is known about work. */
	bool foreign;

	/* legal[from][to]: the allowed reasons for this transition, one bit each. 0: the transition
	 * is not allowed. */
	uint32_t legal[DOZE_STATE_COUNT][DOZE_STATE_COUNT];

	enum doze_word_rule word;
	enum doze_count_out count_out;

	/* Returns the number of sleepers that a post wakes. Call it through doze_policy_post_wakes.
	 * Null: not checked. */
	uint32_t (*wakes)(const struct doze_wake_facts *);
	enum doze_post_sees sees;
	/* Maximum number of sleepers that a worker wakes when it stops searching. */
	uint32_t found_wakes;
	bool found_by_last; /* only the last searching worker wakes others */
	bool found_if_more; /* a worker that found a job wakes others only if more are queued */

	/* Default number of unsuccessful search rounds before a worker becomes sleepy, and before
	 * it sleeps. */
	uint32_t rounds_until_sleepy, rounds_until_sleeping;

	enum doze_aim aim;
	enum doze_latch_wakes latch;
	uint32_t causes; /* allowed causes of wakes, one bit per cause; 0: not checked */

	/* Texts; doze_policy_unknown supplies missing ones. Each list ends with a null text; a null
	 * list is empty. */
	const struct doze_sentence *sentences;
	const struct doze_advice *herds;   /* for many futile wakes at once */
	const struct doze_advice *singles; /* for one or a few futile wakes */
	const char *redundant; /* why some wakes target workers that are already awake */
	const char *picks;     /* which sleeper a waker chooses, in one sentence */
};

/* All policies, in listing order. The descriptor of NAME is doze_policy_NAME_descriptor. */
#define DOZE_POLICIES(X)                                                                           \
	X(jec)                                                                                     \
	X(rfc)                                                                                     \
	X(local) X(block) X(spare) X(chain) X(go) X(demand) X(tickle) X(forkjoin) X(condvar) X(spin)

#define DOZE_COUNT_POLICY(name) +1
enum { DOZE_POLICY_COUNT = 0 DOZE_POLICIES(DOZE_COUNT_POLICY) };

/** The rules that apply to all policies, used for policies without a descriptor. Its name is
 * "?". */
extern const struct doze_policy_descriptor doze_policy_unknown;

/** The rules for crews of programs without libdoze. doze_policy_descriptor finds it by its name,
 * "foreign", but it is none of the policies that doze_policy_at lists. */
extern const struct doze_policy_descriptor doze_policy_foreign_descriptor;

/** Returns the descriptor of a policy, or &doze_policy_unknown. Never null; any thread. */
const struct doze_policy_descriptor *doze_policy_descriptor(const char *name);
/** Returns descriptor i in listing order, or null after the last one. */
const struct doze_policy_descriptor *doze_policy_at(size_t i);

/** Returns whether workers under this policy can be in the state. */
bool doze_policy_has_state(const struct doze_policy_descriptor *, enum doze_state);
/** Returns null if the transition is legal, otherwise the reason why it is not. */
const char *doze_policy_transition(const struct doze_policy_descriptor *, enum doze_state from,
				   enum doze_state to, enum doze_reason);

/** Returns how many workers a post wakes, given these facts: at most the number of sleepers. If the
 * policy sees only whether any worker sleeps (DOZE_SEES_BIT), it wakes all workers or none. The
 * descriptor's `wakes` must not be null. */
uint32_t doze_policy_post_wakes(const struct doze_policy_descriptor *,
				const struct doze_wake_facts *);
/** Returns how many workers a worker may wake when it stops searching. */
uint32_t doze_policy_found_wakes(const struct doze_policy_descriptor *,
				 const struct doze_wake_facts *);

/** Returns the reason for an event, or "" if there is nothing to explain. doze_event_why expands
 * {rounds}. */
const char *doze_policy_sentence(const struct doze_policy_descriptor *, const struct doze_event *);
/** Returns advice on futile wakes with the given cause. herd: many at once; otherwise one or a
 * few. */
const char *doze_policy_advice(const struct doze_policy_descriptor *, enum doze_cause, bool herd);
/** Returns why some wakes target workers that are already awake. */
const char *doze_policy_redundant(const struct doze_policy_descriptor *);
/** Returns, in one sentence, how a waker chooses among the sleepers. */
const char *doze_policy_picks(const struct doze_policy_descriptor *);

#endif
