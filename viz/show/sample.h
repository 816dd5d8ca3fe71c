/*
 * SPDX-License-Identifier: MIT
 *
 * sample.h - the measures of a trace as sums, of which the measures of an interval are computed;
 * the phases of a run; means of several runs.
 */
#ifndef DOZE_VIZ_SAMPLE_H
#define DOZE_VIZ_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include "../model/model.h"

/** Sums since the beginning of the trace. DOZE_SUM_LATE and the sums after it become known late:
 * with the verdict on a wake, when a storm has ended, or at the end of a phase. */
enum doze_sum {
	DOZE_SUM_time, /* this sum and those up to DOZE_SUM_asleep: wall time, ns */
	DOZE_SUM_active,
	DOZE_SUM_search,
	DOZE_SUM_asleep,
	DOZE_SUM_wakes,
	DOZE_SUM_woken,
	DOZE_SUM_biased, /* wakes in pools with at least two workers */
	/* wakes counted in DOZE_SUM_biased that woke a worker with an index in the lower half */
	DOZE_SUM_low,
	DOZE_SUM_chained, /* wakes by searching workers that had found work */
	DOZE_SUM_jobs,
	DOZE_SUM_near_misses,
	DOZE_SUM_under_wakes,
	/* total duration of the under-wakes (../model/README.md), ns */
	DOZE_SUM_under_time,
	DOZE_SUM_toggles,
	DOZE_SUM_LATE,
	DOZE_SUM_useful = DOZE_SUM_LATE,
	DOZE_SUM_futile,
	DOZE_SUM_latch,
	DOZE_SUM_terminate,
	DOZE_SUM_redundant,
	DOZE_SUM_self,
	DOZE_SUM_unresolved,
	/* total time from waking up to falling asleep again, over all futile wakes, ns */
	DOZE_SUM_vain,
	DOZE_SUM_chained_futile,
	DOZE_SUM_storms,
	DOZE_SUM_burnt, /* like DOZE_SUM_vain, but only for wakes in storms */
	/* Latencies of useful wakes whose post is known: sum in ns, and number of wakes. */
	DOZE_SUM_publish_notify,
	DOZE_SUM_publish_notify_n,
	DOZE_SUM_notify_awake,
	DOZE_SUM_notify_awake_n,
	DOZE_SUM_awake_found,
	DOZE_SUM_awake_found_n,
	DOZE_SUM_found_job,
	DOZE_SUM_found_job_n,
	DOZE_SUM_publish_job,
	DOZE_SUM_publish_job_n,
	DOZE_SUM_all_awake, /* from the notification until the worker is awake, for all wakes */
	DOZE_SUM_all_awake_n,
	/* Critical paths of all pools, in ns; only for phases delimited by marks. */
	DOZE_SUM_path,
	DOZE_SUM_path_work,
	DOZE_SUM_COUNT
};

struct doze_sample {
	double sum[DOZE_SUM_COUNT];
};

enum doze_unit { DOZE_UNIT_count, DOZE_UNIT_ratio, DOZE_UNIT_ns };

/** What a recording must contain for a measure. */
enum doze_needs {
	DOZE_NEEDS_nothing,
	DOZE_NEEDS_jobs, /* every job, as recorded at level `all` */
	DOZE_NEEDS_jec,
};

/** A measure of a sample: a sum, its ratio to another sum, or a function. The list ends with a null
 * name. */
struct doze_metric {
	const char *name;
	enum doze_unit unit;
	enum doze_needs needs;
	enum doze_sum sum, over;                  /* over: 0 if the measure is the sum itself */
	double (*of)(const struct doze_sample *); /* null: the sum or the ratio */
};
extern const struct doze_metric doze_metrics[];
/** Returns the value of a measure; NaN if it is unknown. */
double doze_metric_of(const struct doze_metric *, const struct doze_sample *);

/** Adds the number of the worker's wakes to *all, and also to *low if its index is in the lower
 * half of its pool. Adds nothing for a pool of one worker, which has no lower half. */
void doze_wakee_bias(const struct doze_model *, const struct doze_worker_view *, double *low,
		     double *all);

/* ---- The mean and the 95 % confidence interval of a few numbers (Student's t) ---- */

struct doze_mean {
	double mean, half; /* the interval is mean - half .. mean + half; half is 0 for a single
			    * number */
	size_t n;
};

/** Returns the mean and interval of n numbers; NaN if any of them is NaN. */
struct doze_mean doze_mean_of(const double *v, size_t n);
/** Returns whether the difference is statistically significant, that is, whether 0 is outside its
 * 95 % confidence interval (Welch's t-test). Returns false if a side has only one number. */
bool doze_means_differ(const struct doze_mean *, const struct doze_mean *);

/*
 * ---- The phases of a run, by its marks or as parts of equal length ----
 *
 * Samples are taken while the model processes the trace, at each mark and at regular intervals.
 * When there are too many regular samples, every other one is dropped, so memory is bounded and one
 * pass is enough.
 *
 * The verdict on a wake becomes known only some time after the wake, and a storm only after it has
 * ended. Both are counted in the phase in which the wake was notified or the storm began. In parts
 * of equal length, times in a state are interpolated between samples, and events are assigned to a
 * part with an accuracy of 1/512 of the run.
 */

#define DOZE_PHASES_MAX 64 /* maximum number of marks; later marks are ignored */
#define DOZE_TICKS      1024

struct doze_phase_mark {
	char text[64];
	int64_t ts;
	struct doze_sample at;
};

/** Initialise with zeros, then create the model with doze_phases_listener. */
struct doze_phases {
	struct doze_model *model; /* not owned */
	struct doze_phase_mark mark[DOZE_PHASES_MAX];
	size_t marks;
	struct doze_sample
	    began[DOZE_PHASES_MAX + 1]; /* per phase; only the sums that become known late */
	struct doze_sample tick[DOZE_TICKS];
	size_t ticks;
	int64_t tick_ns, next_tick;
	/* Sums per tick_ns of the run. Everything counted since `sorted` belongs to last_bin. */
	struct doze_sample bin[DOZE_TICKS], sorted;
	size_t last_bin;
	struct doze_sample end; /* the whole run; set by doze_phases_finish */
};

/** The listener for creating the model; its ctx is the struct doze_phases, whose .model is set
 * afterwards. */
extern const struct doze_model_listener doze_phases_listener;
/** Call this before the model processes each event. */
void doze_phases_event(struct doze_phases *, const struct doze_event *);
/** Completes the samples. Call this after doze_model_finish. */
void doze_phases_finish(struct doze_phases *);

/** Returns phase i of marks + 1 phases: before the first mark, between two marks, or after the last
 * one. */
struct doze_sample doze_phase(const struct doze_phases *, size_t i);
/** Returns part i of the run, divided into `parts` equal parts. */
struct doze_sample doze_phase_part(const struct doze_phases *, size_t i, size_t parts);

#endif
