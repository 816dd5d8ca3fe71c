/*
 * SPDX-License-Identifier: MIT
 *
 * diagnose.h - where the workers' time went, and what was wrong: a list of causes, the most
 * important one first.
 *
 * doze_with_diagnosis makes a model add up the cost of every kind of trouble while it processes
 * events. doze_diagnose may be called at any time after that, for the whole trace or for a part of
 * it, and costs a few microseconds. The thread that owns the model calls both. README.md defines
 * the kinds and the ranking.
 */
#ifndef DOZE_VIZ_DIAGNOSE_H
#define DOZE_VIZ_DIAGNOSE_H

#include <stdio.h>

#include "../model/hist.h"
#include "../model/model.h"

/** Kinds of trouble: X(name, one-line description). The names are part of the command line. */
#define DOZE_TROUBLES(X)                                                                           \
	X(hang, "no worker runs or searches although work waits, and no wake is in progress")      \
	X(breach, "the pool broke a rule of its policy's protocol")                                \
	X(losses, "events were lost, so their time is unknown")                                    \
	X(asleep, "jobs waited while workers slept")                                               \
	X(storm, "one decision woke many workers, most of them in vain")                           \
	X(chain, "workers were woken in vain, one or a few at a time")                             \
	X(burn, "workers searched while there was no work for them")                               \
	X(crowded, "more workers ran than there are CPUs")                                         \
	X(offcpu, "jobs waited off the CPU, for locks, files or sleep")                            \
	X(serial, "one worker ran alone, and the others had nothing to do")                        \
	X(small, "workers were woken for jobs that took less time than the wake")                  \
	X(outside, "the pool waited for a thread outside the pool")

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
	int rank; /* 0: first; entries of equal rank are ordered by cost */
	uint32_t pool_row;
	int64_t cost;         /* ns of worker time */
	double share;         /* of all worker time in the part */
	int64_t at, end;      /* ns, trace time: the worst instance */
	int32_t worker, vtid; /* those of the thread that the cause names; -1: none */
	uint64_t times;       /* number of instances; 0: not counted */
	enum doze_confidence_level sure;
	char cause[320];    /* one sentence */
	char evidence[480]; /* the worst instance in words */
	char command[96];   /* options of doze that show it: "timeline --from=1s --to=2s" */
	char change[320];   /* what the user should change */
	char doubt[160];    /* why the confidence is not high; "" if it is high */
};

#define DOZE_CAUSES_MAX DOZE_TROUBLE_COUNT

struct doze_diagnosis {
	int64_t from, to;                 /* ns, trace time */
	int64_t worker_ns;                /* worker time in the part: the sum over workers */
	int64_t awake, active;            /* how much of it workers were awake, and ran jobs */
	int64_t cost[DOZE_TROUBLE_COUNT]; /* of every kind, also of those that are not listed */
	size_t count;
	struct doze_cause_entry cause[DOZE_CAUSES_MAX]; /* the most important one first */
	bool conclusive;   /* no event of the part is lost or missing, and the pool stopped */
	char verdict[480]; /* the most important statement about the trace; one line */
};

/** Attaches the diagnosis to a model. Call it before the first event, with the result of
 * doze_model_new. Attach a checker as well, because otherwise a breach is found only if it breaks a
 * rule for all policies. Returns the model, which owns the diagnosis. If out of memory, frees the
 * model and returns null. A null argument returns null. */
struct doze_model *doze_with_diagnosis(struct doze_model *);

/** Diagnoses the part of the trace from `from` to `to` (ns, trace time; INT64_MIN and INT64_MAX:
 * all). Returns false if the model has no diagnosis; then *out is undefined. Times are exact to
 * 1/256 of the trace. */
bool doze_diagnose(const struct doze_model *, int64_t from, int64_t to, struct doze_diagnosis *out);

/** Returns the verdict on the whole trace, or on a part: one line, in a static buffer; "" if the
 * model has no diagnosis. */
const char *doze_verdict_line(const struct doze_model *);
const char *doze_verdict_on(const struct doze_model *, int64_t from, int64_t to);

/** A hang as far as is known; the pool may still continue. */
struct doze_hang {
	int64_t since; /* ns, trace time */
	char why[120]; /* what the pool waits for, in a few words */
};
/** Returns whether, at `now`, a pool has rested for at least 50 ms although something is unserved
 * and no wake is in progress. Unlike doze_diagnose it does not wait for the end of the trace. */
bool doze_hang_now(const struct doze_model *, int64_t now, struct doze_hang *);

/** Sets the number of CPUs of the traced machine. By default, the diagnosis uses the number of CPUs
 * on which events were recorded. */
void doze_diagnosis_cpus(const struct doze_model *, uint32_t cpus);

/** How long jobs waited while workers slept, in the whole trace so far, at every level of
 * detail. */
struct doze_lost_parallelism {
	int64_t low, high; /* ns of worker time: bounds, which differ if records were left out */
	uint64_t times;    /* spans in which a job waited for a sleeper */
	uint64_t jobs;     /* recorded starts whose post is known; `delay` has their delays */
	uint64_t unknown;  /* recorded starts whose post is not known */
	struct doze_hist delay; /* ns from post to start, of each of these jobs */
};
/** Returns false if the model has no diagnosis. */
bool doze_lost_parallelism(const struct doze_model *, struct doze_lost_parallelism *);

/** Returns the given percentile of the time from post to start of the recorded jobs, in s, and the
 * number of these jobs in *n. */
double doze_diagnosis_job_delay(const struct doze_model *, double percentile, uint64_t *n);

/** Prints the list. trace is the folder, for the commands. */
void doze_diagnosis_print(const struct doze_diagnosis *, const struct doze_model *,
			  const char *trace, FILE *out);
void doze_diagnosis_json(const struct doze_diagnosis *, const struct doze_model *,
			 const char *trace, FILE *out);

#endif
