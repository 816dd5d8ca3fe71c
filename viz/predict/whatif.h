/*
 * SPDX-License-Identifier: MIT
 *
 * whatif.h - the state of `doze whatif`: a forecast by simulation, or, with --posts, a model of how
 * many workers each post would have woken under other wake rules. README.md lists the assumptions.
 */
#ifndef DOZE_VIZ_WHATIF_H
#define DOZE_VIZ_WHATIF_H

#include <stdio.h>

#include "../model/model.h"
#include "../trace/policies.h"
#include "simulate.h"

/* ---- A forecast: how a run would have gone in another setting, and how reliable that is ---- */

enum { DOZE_PROPOSALS_MAX = 32 };

/** Another setting, and the run that the simulation predicts for it. */
struct doze_proposal {
	const struct doze_policy_descriptor *policy;
	uint32_t workers;
	/* means over several simulations; its makespan is derived from the median and the
	 * recorded makespan */
	struct doze_sim_run run;
	double change; /* relative change of the makespan: -0.5 means half the time */
	double error;  /* `change` may be wrong by this much in either direction */
	bool failed;
};

struct doze_forecast {
	const struct doze_work *work; /* not owned */
	char pool[96]; /* which pool of the trace was simulated; "": the trace has only one pool */
	double cpus;   /* number of CPUs assumed in the proposals */
	double recorded_cpus;
	struct doze_sim_run base; /* the result of simulating the recorded setting */
	double base_spread;       /* relative spread of base.makespan */
	double off; /* relative difference between base.makespan and the recorded makespan */
	/* In ns: length of the longest chain; its length if outside threads post without delay; CPU
	 * time of all jobs. */
	double chain, chain_inside, cpu_work;
	struct doze_proposal proposal[DOZE_PROPOSALS_MAX];
	uint32_t proposals;
	bool failed; /* the recorded setting could not be simulated */
	/* --verify: measures of the recorded setting and of the best proposal. Both are recorded
	 * again, one after the other, because the machine may be busier now than during the
	 * original recording. */
	bool verified;
	struct doze_sim_run again, truth;
};

/** Begins a forecast. cpus: number of CPUs for the proposals; 0: as recorded. */
void doze_forecast_begin(struct doze_forecast *, const struct doze_work *, double recorded_cpus,
			 double cpus);
/** Appends a proposal. */
void doze_forecast_add(struct doze_forecast *, const struct doze_policy_descriptor *,
		       uint32_t workers);
/** Appends the default proposals, for use when the user names none: every other policy, and the
 * recorded policy with other numbers of workers, from 1 to four times the recorded number. */
void doze_forecast_add_all(struct doze_forecast *);
/** Simulates the recorded setting, as the reference, and all proposals, on several threads. */
void doze_forecast_run(struct doze_forecast *);
/** Returns the proposal with the smallest change plus error, that is, with the shortest makespan in
 * the worst case; null if there is none. */
const struct doze_proposal *doze_forecast_best(const struct doze_forecast *);

/** No prediction is made if the error of the reference exceeds this. */
#define DOZE_FORECAST_OFF_MAX 0.25

void doze_forecast_print(const struct doze_forecast *, FILE *);
void doze_forecast_json(const struct doze_forecast *, const char *dir, FILE *);

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

void doze_whatif_print(const struct doze_whatif *, FILE *);
void doze_whatif_json(const struct doze_whatif *, const char *dir, FILE *);

struct doze_view;
extern const struct doze_view doze_whatif_view;

#endif
