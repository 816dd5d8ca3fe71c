/*
 * SPDX-License-Identifier: MIT
 *
 * whatif.h - replays the publishes of a recorded trace under other wake rules: how many workers
 * would each post have woken? A model, not a measurement; README.md says what it assumes.
 */
#ifndef DOZE_VIZ_WHATIF_H
#define DOZE_VIZ_WHATIF_H

#include <stdio.h>

#include "../event/policies.h"
#include "../model/model.h"

/** How many sleepers a post with these facts wakes under the policy's rule; never more than sleep.
 */
uint32_t doze_whatif_post(const struct doze_policy_descriptor *, const struct doze_wake_facts *);

/** The outcome of one rule, over all pools of the trace. */
struct doze_whatif_sum {
	uint64_t waking;      /* posts that wake somebody */
	uint64_t wakes;       /* by posts */
	uint32_t most;        /* by one post */
	uint64_t more, fewer; /* posts that wake more, or fewer, than recorded */
	uint64_t found;       /* wakes by workers that found work */
};

/** A post that decides differently. ts in ns; worker -1: outside. */
struct doze_whatif_post {
	int64_t ts;
	int32_t worker;
	struct doze_wake_facts facts;
	uint32_t recorded, would;
};

enum { DOZE_WHATIF_SHOWN_MAX = 1000 };

struct doze_whatif {
	const struct doze_model *model; /* weak; fed with the same events, before each of them */
	/* The policy whose different posts are kept; null: none. */
	const struct doze_policy_descriptor *only;
	uint32_t max_shown;            /* at most DOZE_WHATIF_SHOWN_MAX */
	char policy[24];               /* recorded; "several" when the pools differ */
	uint64_t posts, jobs, guessed; /* guessed: idle or sleeping came from the states */
	struct doze_whatif_sum recorded, rule[DOZE_POLICY_COUNT]; /* as doze_policy_at */
	uint64_t given, others; /* wake events of posts; for other causes than post, work found */
	uint32_t shown;
	struct doze_whatif_post post[DOZE_WHATIF_SHOWN_MAX];
};

/** One event, before the model folds it in. */
void doze_whatif_event(struct doze_whatif *, const struct doze_event *);

/** The assumptions, one sentence each; null behind the last. */
extern const char *const doze_whatif_assumptions[];

void doze_whatif_print(const struct doze_whatif *, FILE *);
void doze_whatif_json(const struct doze_whatif *, const char *dir, FILE *);

struct doze_view;
extern const struct doze_view doze_whatif_view;

#endif
