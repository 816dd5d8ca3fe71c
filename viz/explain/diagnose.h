/*
 * SPDX-License-Identifier: MIT
 *
 * diagnose.h - finds where the workers' time went and what was wrong, and lists the causes, the
 * most important first.
 *
 * doze_with_diagnosis makes a model add up the costs of each kind of trouble while it processes
 * events. After that, doze_diagnose may be called at any time, for the whole trace or for a part of
 * it, and takes only a few microseconds. The thread that owns the model calls both. README.md
 * defines the kinds and the ranking.
 */
#ifndef DOZE_VIZ_DIAGNOSE_H
#define DOZE_VIZ_DIAGNOSE_H

#include <stdio.h>

#include "../model/hist.h"
#include "../model/model.h"

/** Kinds of trouble: X(name, one-line description). Users type the names on the command line. */
#define DOZE_TROUBLES(X)                                                                           \
	X(hang, "work is waiting, but no worker runs or searches, and no wake is in progress")     \
	X(breach, "the pool broke a rule of its policy's protocol")                                \
	X(losses, "events were lost, so part of the workers' time is unknown")                     \
	X(asleep, "jobs waited while workers slept")                                               \
	X(storm, "one decision woke many workers, most of them in vain")                           \
	X(chain, "workers were woken in vain, one or a few at a time")                             \
	X(burn, "workers searched while there was no work for them")                               \
	X(crowded, "more workers were running jobs than there are CPUs")                           \
	X(offcpu, "jobs were off the CPU: they waited for locks or files, or slept")               \
	X(serial, "one worker ran alone, and the others had nothing to do")                        \
	X(small, "workers were woken for jobs that took less time than the wake")                  \
	X(outside, "the pool waited for a thread outside the pool")                                \
	X(pinned, "workers share few CPUs because of their affinity masks, while others are free") \
	X(throttled, "a CPU quota stopped the workers")                                            \
	X(standstill, "all jobs that run wait, and no job begins or ends any more")

#define DOZE_ENUM_TROUBLE(name, about) DOZE_TROUBLE_##name,
enum doze_trouble { DOZE_TROUBLES(DOZE_ENUM_TROUBLE) DOZE_TROUBLE_COUNT };
const char *doze_trouble_name(enum doze_trouble);
/** Returns the description of a kind. */
const char *doze_trouble_about(enum doze_trouble);

enum doze_confidence_level { DOZE_SURE_low, DOZE_SURE_medium, DOZE_SURE_high };
const char *doze_sure_name(enum doze_confidence_level);

/** One cause. Texts are plain ASCII without control characters. */
struct doze_cause_entry {
	enum doze_trouble kind;
	int rank; /* 0 is first; entries of equal rank are ordered by cost */
	uint32_t pool_row;
	int64_t cost;         /* worker time, ns */
	double share;         /* share of the usable time in the diagnosed part, at most 1 */
	int64_t at, end;      /* the worst instance: ns, trace time */
	int32_t worker, vtid; /* the thread that the cause names; -1: none */
	uint64_t times;       /* number of instances; 0: not counted */
	enum doze_confidence_level sure;
	char cause[320];    /* one sentence */
	char evidence[480]; /* the worst instance in words */
	char command[96];   /* doze command that shows the worst instance */
	char change[320];   /* what the user should change */
	char doubt[160];    /* why the confidence is not high; "" if it is high */
};

#define DOZE_CAUSES_MAX DOZE_TROUBLE_COUNT

struct doze_diagnosis {
	int64_t from, to;  /* ns, trace time */
	int64_t worker_ns; /* worker time in the diagnosed part: the sum over workers */
	int64_t usable_ns; /* time that the CPUs could have given the workers: the lesser of workers
			    * and CPUs, times wall time */
	int64_t awake, active;            /* worker time spent awake; worker time spent running
					   * jobs */
	int64_t cost[DOZE_TROUBLE_COUNT]; /* worker time per kind, ns, including kinds that are not
					   * listed */
	size_t count;
	struct doze_cause_entry cause[DOZE_CAUSES_MAX]; /* the most important first */
	bool foreign;      /* the program does not use libdoze, so there are no causes
			      (foreign_program.h) */
	bool conclusive;   /* no event was lost or is missing, and all pools have stopped */
	char verdict[480]; /* one line: the most important statement about the diagnosed part */
};

/** Attaches the diagnosis to a model. Pass it the result of doze_model_new, before the first event.
 * Attach a checker as well; otherwise a breach is found only if it breaks a rule that applies to
 * all policies. Returns the model, which owns the diagnosis. If out of memory, frees the model and
 * returns null. Returns null if given null. */
struct doze_model *doze_with_diagnosis(struct doze_model *);

/** Diagnoses the part of the trace from `from` to `to` (ns, trace time; INT64_MIN and INT64_MAX:
 * all of it). Returns false, with *out undefined, if the model has no diagnosis. Times are accurate
 * to 1/256 of the trace. */
bool doze_diagnose(const struct doze_model *, int64_t from, int64_t to, struct doze_diagnosis *out);

/** Return the verdict on the whole trace, or on the part from `from` to `to`: one line, in a static
 * buffer; "" if the model has no diagnosis. */
const char *doze_verdict_line(const struct doze_model *);
const char *doze_verdict_on(const struct doze_model *, int64_t from, int64_t to);

/** A suspected hang. Later events may show that the pool continues after all. */
struct doze_hang {
	int64_t since; /* ns, trace time */
	char why[120]; /* what the pool waits for, in a few words */
};
/** Returns whether, at `now`, no worker of a pool has run or searched for at least 50 ms, although
 * a job, a set latch or a blocked worker waits (see hang.c) and no wake is in progress. If so,
 * fills in the hang. Unlike doze_diagnose, does not require the trace to have ended. */
bool doze_hang_now(const struct doze_model *, int64_t now, struct doze_hang *);

/** Sets the number of CPUs of the traced machine. The default is the number of CPUs on which events
 * were recorded. */
void doze_diagnosis_cpus(const struct doze_model *, uint32_t cpus);

struct doze_saved;
/** Saves the diagnosis of a finished model, or loads it into a model that was loaded
 * (doze_model_saved) and has a diagnosis. */
void doze_diagnosis_saved(const struct doze_model *, struct doze_saved *);

/** How long jobs waited while workers slept, over the whole trace so far. Available at every level
 * of detail. */
struct doze_lost_parallelism {
	int64_t low, high; /* bounds on the worker time, ns; they differ if the number of waiting
			    * jobs is uncertain */
	uint64_t times;    /* number of spans in which a job waited while a worker slept */
	uint64_t jobs;     /* number of recorded job starts whose post is known */
	uint64_t unknown;  /* number of recorded job starts whose post is unknown */
	struct doze_hist delay; /* time from post to start of these `jobs` jobs, ns */
};
/** Fills in *out. Returns false if the model has no diagnosis. */
bool doze_lost_parallelism(const struct doze_model *, struct doze_lost_parallelism *);

/** Returns the given quantile (0 to 1) of the recorded jobs' time from post to start, in seconds.
 * Stores the number of these jobs in *n. */
double doze_diagnosis_job_delay(const struct doze_model *, double percentile, uint64_t *n);

/** Prints the list of causes. trace: the trace folder to show in the suggested commands. */
void doze_diagnosis_print(const struct doze_diagnosis *, const struct doze_model *,
			  const char *trace, FILE *out);
void doze_diagnosis_json(const struct doze_diagnosis *, const struct doze_model *,
			 const char *trace, FILE *out);

#endif
