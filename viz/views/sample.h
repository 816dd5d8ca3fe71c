/*
 * SPDX-License-Identifier: MIT
 *
 * sample.h - the measures of a stretch of a trace as numbers that can be subtracted, so that the
 * measures between two moments are the difference of two samples.
 */
#ifndef DOZE_VIZ_SAMPLE_H
#define DOZE_VIZ_SAMPLE_H

#include "../model/measures.h"

/** Sums since the beginning of the trace. */
enum doze_sum {
	DOZE_SUM_time, /* ns */
	DOZE_SUM_wakes,
	DOZE_SUM_woken,
	DOZE_SUM_useful,
	DOZE_SUM_futile,
	DOZE_SUM_latch,
	DOZE_SUM_terminate,
	DOZE_SUM_redundant,
	DOZE_SUM_jobs,
	DOZE_SUM_storms,
	DOZE_SUM_burnt, /* wall time, ns, as all below to DOZE_SUM_asleep */
	DOZE_SUM_active,
	DOZE_SUM_search,
	DOZE_SUM_asleep,
	DOZE_SUM_near_misses,
	DOZE_SUM_under_wakes,
	DOZE_SUM_toggles,
	DOZE_SUM_COUNT
};

struct doze_sample {
	double sum[DOZE_SUM_COUNT];
};

/** What has happened up to ts, which is not before the last event. */
struct doze_sample doze_sample_now(const struct doze_model *, int64_t ts);
/** b - a, a the earlier one. */
struct doze_sample doze_sample_minus(const struct doze_sample *b, const struct doze_sample *a);
/** a + share of the way to b. */
struct doze_sample doze_sample_between(const struct doze_sample *a, const struct doze_sample *b,
				       double share);

enum doze_unit { DOZE_UNIT_count, DOZE_UNIT_ratio, DOZE_UNIT_ns };

/** A measure that a sample has; the list ends with name == NULL. */
struct doze_metric {
	const char *name;
	enum doze_unit unit;
	bool phases; /* also worth showing phase by phase */
	double (*of)(const struct doze_sample *);
};
extern const struct doze_metric doze_metrics[];

#endif
