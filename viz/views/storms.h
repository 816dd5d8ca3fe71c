/*
 * SPDX-License-Identifier: MIT
 *
 * storms.h - the storm report: the answer first, then the tables; or all of it as JSON.
 */
#ifndef DOZE_VIZ_STORMS_H
#define DOZE_VIZ_STORMS_H

#include <stddef.h>
#include <stdio.h>

#include "../model/measures.h"

#define DOZE_STORMS_KEPT 10000 /* more are counted, but not listed one by one */
#define DOZE_MARKS_KEPT  256

/** What the report keeps beside the model's own numbers. Zero it to begin. */
struct doze_storm_log {
	struct doze_storm *storm; /* owned, in order of time */
	size_t count, room;
	uint64_t left_out;
};

/** The listener to create the model with; its ctx is a struct doze_storm_log. */
extern const struct doze_model_listener doze_storm_listener;
void doze_storm_log_free(struct doze_storm_log *);
/** The storm that burnt most, or null. */
const struct doze_storm *doze_storm_worst(const struct doze_storm_log *);

/** The first paragraph: how many, the worst, by whom, at what cost, what to change. */
void doze_storms_answer(const struct doze_storm_log *, const struct doze_model *, FILE *out);
/** The tables. histograms: also the log-2 histograms of the latencies. */
void doze_storms_tables(const struct doze_storm_log *, const struct doze_model *, bool histograms,
			FILE *out);
/** Everything as one JSON object, with storms[]. */
void doze_storms_json(const struct doze_storm_log *, const struct doze_model *, const char *trace,
		      FILE *out);

/** "a post to the injector", "a set latch" … */
const char *doze_cause_phrase(enum doze_cause);
/** "worker 3" or "a thread from outside (vtid 43)"; static buffer. */
const char *doze_waker_phrase(int32_t waker, int32_t vtid);

#endif
