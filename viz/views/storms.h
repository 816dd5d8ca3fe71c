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
#include "../path/path.h"

#define DOZE_STORMS_KEPT 10000 /* more are counted, but not listed one by one */

#define DOZE_PATHS_KEPT 32 /* phases whose critical path is kept, the first ones */
#define DOZE_PATH_TOP   4  /* threads named on a path, those with most work on it */

/** The critical path of one phase of one pool. */
struct doze_path_line {
	char phase[64]; /* the mark that began it; "" = the pool's start */
	uint32_t pool_row;
	int64_t from, to;
	int32_t last; /* the worker that worked last */
	struct {
		int32_t worker, vtid; /* as in struct doze_path */
		int64_t ns;           /* 0 = none */
	} top[DOZE_PATH_TOP];
	int64_t others, part[DOZE_PATH_PARTS]; /* ns */
};

/** What the report keeps beside the model's own numbers. Zero it to begin. */
struct doze_storm_log {
	struct doze_storm *storm; /* owned, in order of time */
	size_t count, room;
	uint64_t left_out;
	struct doze_model *model; /* weak; set it when the model is there */
	struct doze_path_line path[DOZE_PATHS_KEPT];
	size_t paths, paths_cut; /* the latter: reach beyond the range, not kept */
	char phase[64];          /* the present one */
};

/** The listener to create the model with; its ctx is a struct doze_storm_log. */
extern const struct doze_model_listener doze_storm_listener;
/** After doze_model_finish: the last phase. */
void doze_storm_log_finish(struct doze_storm_log *);
void doze_storm_log_free(struct doze_storm_log *);
/** The storm after which most was searched in vain, or null. */
const struct doze_storm *doze_storm_worst(const struct doze_storm_log *);

/** The first paragraph: how many, the worst, by whom, at what cost, what to change. */
void doze_storms_answer(const struct doze_storm_log *, const struct doze_model *, FILE *out);
/** The tables. histograms: also the log-2 histograms of the latencies. */
void doze_storms_tables(const struct doze_storm_log *, const struct doze_model *, bool histograms,
			FILE *out);
/** The workers, and the threads from outside that woke them, pool by pool: one of the tables. */
void doze_storms_workers(const struct doze_model *, FILE *out);
/** The critical paths, pool by pool and phase by phase: one of the tables. */
void doze_storms_paths(const struct doze_storm_log *, const struct doze_model *, FILE *out);
/** The storms with most futile search, pool by pool: the first of the tables. */
void doze_storms_list(const struct doze_storm_log *, const struct doze_model *, FILE *out);
/** Everything as one JSON object, with storms[]. */
void doze_storms_json(const struct doze_storm_log *, const struct doze_model *, const char *trace,
		      FILE *out);

/** "a post to the injector", "a set latch" … */
const char *doze_cause_phrase(enum doze_cause);
/** "worker 3" or "a thread from outside (vtid 43)"; static buffer. */
const char *doze_waker_phrase(int32_t waker, int32_t vtid);

#endif
