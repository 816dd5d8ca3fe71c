/*
 * SPDX-License-Identifier: MIT
 *
 * sample.h - the measures of a trace as sums. The measures of an interval are computed from the
 * difference of two samples.
 */
#ifndef DOZE_VIZ_SAMPLE_H
#define DOZE_VIZ_SAMPLE_H

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

/** Returns the sums up to ts, which must not precede the last event. Sums that become known late
 * are 0. */
struct doze_sample doze_sample_now(const struct doze_model *, int64_t ts);
/** Returns b - a, where a is the earlier sample. */
struct doze_sample doze_sample_minus(const struct doze_sample *b, const struct doze_sample *a);
/** Returns a + share * (b - a). */
struct doze_sample doze_sample_between(const struct doze_sample *a, const struct doze_sample *b,
				       double share);

enum doze_unit { DOZE_UNIT_count, DOZE_UNIT_ratio, DOZE_UNIT_ns };

/** What a recording must contain for a measure. */
enum doze_needs {
	DOZE_NEEDS_nothing,
	DOZE_NEEDS_jobs, /* every job, as recorded at level `all` */
	DOZE_NEEDS_jec,
};

/** A measure of a sample. The list ends with name == NULL. */
struct doze_metric {
	const char *name;
	enum doze_unit unit;
	enum doze_needs needs;
	double (*of)(const struct doze_sample *); /* NaN: the measure is unknown */
};
extern const struct doze_metric doze_metrics[];
/** The measures `futile` and `storms`. */
double doze_sum_futile(const struct doze_sample *);
double doze_sum_storms(const struct doze_sample *);

/** Adds the number of the worker's wakes to *all, and also to *low if its index is in the lower
 * half of its pool. Adds nothing for a pool of one worker, which has no lower half. */
void doze_wakee_bias(const struct doze_model *, const struct doze_worker_view *, double *low,
		     double *all);

#endif
