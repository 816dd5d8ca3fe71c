/*
 * SPDX-License-Identifier: MIT
 *
 * whatif.h - the state of `doze whatif`, and the model of how many workers each post would have
 * woken under other wake rules. forecast.h has the simulation. README.md lists the assumptions.
 */
#ifndef DOZE_VIZ_WHATIF_H
#define DOZE_VIZ_WHATIF_H

#include <stdio.h>

#include "../model/model.h"
#include "../trace/policies.h"
#include "forecast.h"

/** Returns how many workers a post with these facts wakes under the policy's rule: at most the
 * number of sleepers. */
uint32_t doze_whatif_post(const struct doze_policy_descriptor *, const struct doze_wake_facts *);

/** The results of one rule, over all pools of the trace. */
struct doze_whatif_sum {
	uint64_t waking;      /* number of posts that wake at least one worker */
	uint64_t wakes;       /* number of wakes by posts */
	uint32_t most;        /* largest number of wakes by one post */
	uint64_t more, fewer; /* number of posts that wake more, or fewer, workers than recorded */
	uint64_t found;       /* number of wakes by workers that found work */
};

/** A post that a rule decides differently. ts is in ns; worker -1 is an outside thread. */
struct doze_whatif_post {
	int64_t ts;
	int32_t worker;
	struct doze_wake_facts facts;
	uint32_t recorded, would;
};

enum { DOZE_WHATIF_SHOWN_MAX = 1000 };

struct doze_whatif {
	struct doze_model *model; /* not owned */
	/* The policy that the user chose, or null for all policies. If it is not null, `post`
	 * receives the posts for which its rule wakes another number of workers than recorded. */
	const struct doze_policy_descriptor *only;
	uint32_t max_shown;            /* at most DOZE_WHATIF_SHOWN_MAX */
	char policy[24];               /* the recorded policy; "several" if the pools differ */
	uint64_t posts, jobs, guessed; /* guessed: number of posts whose idle or sleeping workers
					* were counted from their states */
	struct doze_whatif_sum recorded, rule[DOZE_POLICY_COUNT]; /* indexed like doze_policy_at */
	/* given: number of recorded wakes caused by posts; others: number of recorded wakes caused
	 * neither by posts nor by workers that found work. */
	uint64_t given, others;
	uint32_t shown;
	struct doze_whatif_post post[DOZE_WHATIF_SHOWN_MAX];
	/* by_posts: --posts was given; without it, the recorded work is simulated. */
	bool by_posts, verify;
	unsigned workers, cpus, recorded_cpus; /* 0: as recorded (recorded_cpus: unknown) */
	struct doze_recorder *recorder;        /* owned */
	struct doze_forecast forecast;
	const char *refused; /* why the simulation is not possible; null: it is possible */
	int rc;              /* exit code of --verify */
};

/** Called with each event before the model processes it. */
void doze_whatif_event(struct doze_whatif *, const struct doze_event *);

/** The assumptions of the model; ends with null. */
extern const char *const doze_whatif_assumptions[];

/** Creates the model that feeds this state, or returns null if out of memory. limits: null means
 * defaults. recorded_cpus: number of CPUs of the recorded machine; 0: unknown. */
struct doze_model *doze_whatif_open(struct doze_whatif *, const struct doze_model_options *limits,
				    unsigned recorded_cpus);
void doze_whatif_feed(void *whatif, struct doze_model *, const struct doze_event *);
/** Frees what the state owns, but not its model. */
void doze_whatif_close(void *whatif);

void doze_whatif_print(const struct doze_whatif *, FILE *);
void doze_whatif_json(const struct doze_whatif *, const char *dir, FILE *);

struct doze_view;
extern const struct doze_view doze_whatif_view;

#endif
