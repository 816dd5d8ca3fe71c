/*
 * SPDX-License-Identifier: MIT
 *
 * sample.h - the measures of a stretch of a trace as numbers that can be subtracted, so that the
 * measures between two moments are the difference of two samples.
 */
#ifndef DOZE_VIZ_SAMPLE_H
#define DOZE_VIZ_SAMPLE_H

#include "../model/measures.h"

/** Sums since the beginning of the trace. The second half of the list is known later than it
 * happens: with a wake's verdict, when a storm has ended, at the end of a phase. */
enum doze_sum {
	DOZE_SUM_time, /* ns, wall time, as all to DOZE_SUM_asleep */
	DOZE_SUM_active,
	DOZE_SUM_search,
	DOZE_SUM_asleep,
	DOZE_SUM_wakes,
	DOZE_SUM_woken,
	DOZE_SUM_biased,  /* woken, in pools of two workers and more */
	DOZE_SUM_low,     /* of these: in the lower half of the indices */
	DOZE_SUM_chained, /* wakes by searchers that found work */
	DOZE_SUM_jobs,
	DOZE_SUM_near_misses,
	DOZE_SUM_under_wakes,
	DOZE_SUM_under_time, /* ns */
	DOZE_SUM_toggles,
	DOZE_SUM_LATE,
	DOZE_SUM_useful = DOZE_SUM_LATE,
	DOZE_SUM_futile,
	DOZE_SUM_latch,
	DOZE_SUM_terminate,
	DOZE_SUM_redundant,
	DOZE_SUM_self,
	DOZE_SUM_unresolved,
	DOZE_SUM_vain, /* ns, awake to asleep, of all futile wakes */
	DOZE_SUM_chained_futile,
	DOZE_SUM_storms,
	DOZE_SUM_burnt, /* ns, the same as vain of the wakes of storms */
	/* Parts of the way of useful wakes whose post is known: ns, and how many. */
	DOZE_SUM_publish_notify,
	DOZE_SUM_publish_notify_n,
	DOZE_SUM_notify_awake,
	DOZE_SUM_notify_awake_n,
	DOZE_SUM_awake_job,
	DOZE_SUM_awake_job_n,
	DOZE_SUM_publish_job,
	DOZE_SUM_publish_job_n,
	DOZE_SUM_all_awake, /* notify to awake of all wakes */
	DOZE_SUM_all_awake_n,
	/* Of the critical paths of all pools, by phase marks only: ns. */
	DOZE_SUM_path,
	DOZE_SUM_path_work,
	DOZE_SUM_COUNT
};

struct doze_sample {
	double sum[DOZE_SUM_COUNT];
};

/** What has happened up to ts, which is not before the last event; what is known late: 0. */
struct doze_sample doze_sample_now(const struct doze_model *, int64_t ts);
/** b - a, a the earlier one. */
struct doze_sample doze_sample_minus(const struct doze_sample *b, const struct doze_sample *a);
/** a + share of the way to b. */
struct doze_sample doze_sample_between(const struct doze_sample *a, const struct doze_sample *b,
				       double share);

enum doze_unit { DOZE_UNIT_count, DOZE_UNIT_ratio, DOZE_UNIT_ns };

/** What a recording must have for a measure to be known. */
enum doze_needs { DOZE_NEEDS_nothing, DOZE_NEEDS_jobs /* the level */, DOZE_NEEDS_jec };

/** A measure that a sample has; the list ends with name == NULL. */
struct doze_metric {
	const char *name;
	enum doze_unit unit;
	enum doze_needs needs;
	double (*of)(const struct doze_sample *); /* not a number: nothing to measure it by */
};
extern const struct doze_metric doze_metrics[];

/** Adds how often this worker was woken to *all, and to *low if it is of the lower half of its
 * pool's indices. A pool of one worker has no lower half: nothing is added. */
void doze_wakee_bias(const struct doze_model *, const struct doze_worker_view *, double *low,
		     double *all);

#endif
