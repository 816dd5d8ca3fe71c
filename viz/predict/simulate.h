/*
 * SPDX-License-Identifier: MIT
 *
 * simulate.h - the work that a recorded program gave its pool, and its replay on a pool with
 * another policy, number of workers or number of CPUs.
 *
 * The work: the jobs, how long each one computed, which jobs it published and which it waited for.
 * Each job is a list of operations. An outside thread is also represented as a job, which no worker
 * runs. README.md explains how the operations are derived from the events of level `all`.
 */
#ifndef DOZE_VIZ_SIMULATE_H
#define DOZE_VIZ_SIMULATE_H

#include "../model/model.h"
#include "../trace/policies.h"
#include "spill.h"

enum { DOZE_NO_INDEX = -1 };

enum doze_op_kind {
	DOZE_OP_work,  /* computes for `ns`, and wakes `wakes` workers during that time */
	DOZE_OP_pause, /* waits for something outside the pool, for `ns` */
	DOZE_OP_post,  /* publishes the jobs ref[first], … */
	DOZE_OP_wait,  /* waits until the jobs ref[first], … are done */
};

/** A long recording has several million operations, so keep them small. */
struct doze_op {
	union {
		double ns; /* for work and pause */
		struct {
			uint32_t first, count; /* for post and wait */
		};
	};
	int32_t next;   /* the job's next operation, or DOZE_NO_INDEX for the last one */
	uint32_t wakes; /* for work only */
	enum doze_op_kind kind : 8;
	enum doze_queue queue : 8; /* post only */
};

struct doze_work_job {
	int32_t first_op, last_op;
	bool outside; /* the job represents an outside thread */
	bool posted;  /* the trace contains the post that published the job */
};

/** How long the pool's own operations take, in ns. */
struct doze_costs {
	double take; /* from the end of a job to the start of the next one */
	double wake; /* the waker's time per wake */
	/* Samples in ascending order, at least one of each: the duration of a search round that
	 * finds nothing, and the time from the notification until the sleeper runs. */
	double *round, *latency;
	double *rounds_up_to; /* prefix sums of `round` */
	uint32_t rounds, latencies;
};

/** Measures of a run, recorded or simulated. Times are in ns; counts are means over several
 * runs. */
struct doze_sim_run {
	double makespan; /* from the first post to the end of the last job */
	double asleep;   /* time asleep, summed over all workers */
	double wakes;    /* without the wakes that terminate the pool */
	double useful, futile, latch, redundant;
};

struct doze_work {
	struct doze_work_job *job;
	struct doze_op *op;
	uint32_t *ref;
	uint32_t jobs, ops, refs;
	/* Own the three arrays; unused if the work does not come from a recorder. */
	struct sim_spill job_spill, op_spill, ref_spill;
	/* Number of jobs without a recorded post or end, plus the number of unmatched starts and
	 * ends. */
	uint32_t broken;
	uint32_t most_outside; /* number of outside threads that published jobs */
	struct doze_costs costs;
	struct doze_sim_run recorded;
	uint32_t pool_row; /* row of the pool in the model */
	char policy[24];
	uint32_t workers, rounds_until_sleepy, rounds_until_sleeping;
	bool asleep_at_first; /* most workers were asleep when the first job was posted */
	double on_cpu;        /* share of a job's time during which it needs a CPU; 1: all of it, or
			       * unknown */
	bool every_job;       /* the trace contains all jobs that the workers ran (level `all`) */
	bool failed;          /* memory or disk space ran out */
};

/** Called in each step of a long loop over the work; `step` counts the steps. Gives back the memory
 * of the arrays from time to time: the loop needs only the part around its current jobs. */
static inline void doze_work_rest(const struct doze_work *w, uint64_t step)
{
	if (step & 0x1ffff)
		return;
	sim_spill_rest(&w->job_spill);
	sim_spill_rest(&w->op_spill);
	sim_spill_rest(&w->ref_spill);
}

/** Orders doubles for qsort. */
static inline int sim_by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct doze_recorder;

/** Returns a recorder for all pools, or null if out of memory. cpus: number of CPUs of the recorded
 * machine. */
struct doze_recorder *doze_recorder_new(const struct doze_model *, unsigned cpus);
void doze_recorder_free(struct doze_recorder *);
/** Called with each event before the model processes it. */
void doze_recorder_event(struct doze_recorder *, const struct doze_event *);
/** Called with each verdict and each interval of the model. */
void doze_recorder_verdict(struct doze_recorder *, const struct doze_wake *);
void doze_recorder_interval(struct doze_recorder *, const struct doze_interval *);
/** Called once, after the model has finished. Returns the work of the pool with the most jobs,
 * borrowed, or null if no job was published. */
const struct doze_work *doze_recorder_finish(struct doze_recorder *);

enum { DOZE_SIM_WORKERS_MAX = 4096 };

struct doze_sim_setting {
	const struct doze_policy_descriptor *policy;
	uint32_t workers;
	double cpus;
	uint64_t seed; /* for choosing victims and latencies; must not be 0 */
};

/** Replays the work. Returns false if out of memory, or if the recorded dependencies cannot be
 * replayed, because a job waits for another job that never ends. */
bool doze_simulate(const struct doze_work *, const struct doze_sim_setting *,
		   struct doze_sim_run *);

/** Returns the makespan, in ns, with unlimited workers and CPUs and with free wakes: the longest
 * chain of computations, waits and pauses. without_outside: assume that outside threads post
 * immediately. Returns 0 if out of memory. */
double doze_sim_chain(const struct doze_work *, bool without_outside);

/** Returns the sum of all computations, in ns of CPU time. */
double doze_sim_work(const struct doze_work *);

/** Returns how many CPUs these workers keep busy. A searching worker yields its CPU after every
 * round, so it takes little CPU time from other threads. */
static inline double doze_sim_load(double computing, double searching)
{
	return computing + 0.1 * searching;
}

#endif
