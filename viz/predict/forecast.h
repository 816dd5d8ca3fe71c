/*
 * SPDX-License-Identifier: MIT
 *
 * forecast.h - predicts by simulation how a recorded run would have gone with another policy or
 * number of workers, and how reliable the prediction is.
 */
#ifndef DOZE_VIZ_WHATIF_FORECAST_H
#define DOZE_VIZ_WHATIF_FORECAST_H

#include <stdio.h>

#include "simulate.h"

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

/** Simulates the recorded setting as the reference. cpus: number of CPUs for the proposals; 0: as
 * recorded. */
void doze_forecast_begin(struct doze_forecast *, const struct doze_work *, double recorded_cpus,
			 double cpus);
/** Simulates one proposal and appends it. */
void doze_forecast_add(struct doze_forecast *, const struct doze_policy_descriptor *,
		       uint32_t workers);
/** Appends the default proposals, for use when the user names none: every other policy, and the
 * recorded policy with other numbers of workers, from 1 to four times the recorded number. */
void doze_forecast_add_all(struct doze_forecast *);
/** Returns the proposal with the smallest change plus error, that is, with the shortest makespan in
 * the worst case; null if there is none. */
const struct doze_proposal *doze_forecast_best(const struct doze_forecast *);

/** No prediction is made if the error of the reference exceeds this. */
#define DOZE_FORECAST_OFF_MAX 0.25

/** Writes the answer as one sentence. */
void doze_forecast_verdict(const struct doze_forecast *, char *out, size_t size);
/** Writes what a proposal changes: "8 workers", "rfc", "rfc with 8 workers". */
const char *doze_proposal_name(const struct doze_forecast *, const struct doze_proposal *,
			       char *out, size_t size);
/** The limits of the simulation; ends with null. */
extern const char *const doze_forecast_limits[];

void doze_forecast_print(const struct doze_forecast *, FILE *);
void doze_forecast_json(const struct doze_forecast *, const char *dir, FILE *);

/** Records the recorded command again, first unchanged (`again`) and then with the best proposal's
 * setting (`truth`). Returns 0, or the exit code after printing an error. */
int doze_forecast_verify(struct doze_forecast *, const char *dir);

#endif
