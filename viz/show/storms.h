/*
 * SPDX-License-Identifier: MIT
 *
 * storms.h - the storm report: a summary, then the tables; or everything as JSON.
 */
#ifndef DOZE_VIZ_STORMS_H
#define DOZE_VIZ_STORMS_H

#include <stddef.h>
#include <stdio.h>

#include "../model/model.h"
#include "../model/path.h"
#include "../model/saved.h"
#include "../words/pool_words.h"

#define DOZE_STORMS_LISTED 10    /* maximum number of storms in the table */
#define DOZE_STORMS_KEPT   10000 /* maximum number of storms kept; the rest are only counted */

/* maximum number of critical paths kept; those of later phases are dropped */
#define DOZE_PATHS_KEPT 32
#define DOZE_PATH_TOP   4 /* maximum number of threads named per path: those with the most work */

/** The critical path of one phase of one pool. */
struct doze_path_line {
	char phase[64]; /* the mark that began the phase; "": the pool's start */
	uint32_t pool_row;
	int64_t from, to;
	int32_t last; /* the worker that did the last piece of work on the path */
	struct {
		int32_t worker, vtid; /* as in struct doze_path */
		int64_t ns;           /* 0: unused */
	} top[DOZE_PATH_TOP];
	int64_t others, part[DOZE_PATH_PARTS]; /* ns */
};

/** What the report keeps in addition to the model's numbers. Initialise with zeros. */
struct doze_storm_log {
	struct doze_storm *storm; /* owned, in chronological order */
	size_t count, capacity;
	uint64_t left_out;
	struct doze_model *model; /* not owned; set once the model exists */
	struct doze_path_line path[DOZE_PATHS_KEPT];
	/* paths_cut: number of paths omitted because only a part of them is in the selected
	 * range */
	size_t paths, paths_cut;
	char phase[64]; /* the mark that began the current phase */
	bool ended;     /* the last phase was added */
};

/** The listener for creating the model; its ctx is a struct doze_storm_log. */
extern const struct doze_model_listener doze_storm_listener;
/** Returns a model with the diagnosis, the checker and the critical paths, whose storms and paths
 * go to the log; null if out of memory. trace: the folder whose manifest has the number of CPUs, or
 * null. */
struct doze_model *doze_storm_log_open(struct doze_storm_log *, const struct doze_model_options *,
				       const char *trace);
/** Adds the last phase. Call this after doze_model_finish; a second call has no effect. */
void doze_storm_log_finish(struct doze_storm_log *);
/** Saves the log and its finished model with the diagnosis, or loads them (model/saved.h). */
void doze_storm_log_saved(struct doze_storm_log *, struct doze_saved *);
/** For the log of a range: loads what follows the model and the symbols, and adds the paths inside
 * the range. */
void doze_storm_log_rest(struct doze_storm_log *, struct doze_saved *);
void doze_storm_log_free(struct doze_storm_log *);
/** Returns the storm with the most futile search, or null. */
const struct doze_storm *doze_storm_worst(const struct doze_storm_log *);

/** Returns the number of CPUs of the recorded machine, or 0 if unknown. */
uint32_t doze_storms_cpus(const char *trace);
/** Returns the verdict of the diagnosis on the selected part. Returns "" if the model has no
 * diagnosis, or if workers are selected. */
const char *doze_storms_verdict(const struct doze_model *);
/** Prints the verdict, then the summary: the number of storms, the worst one, its cause, its cost,
 * and what to change. */
void doze_storms_answer(const struct doze_storm_log *, const struct doze_model *, FILE *out);
/** Prints the tables and, if requested, the log-2 histograms of the latencies. */
void doze_storms_tables(const struct doze_storm_log *, const struct doze_model *, bool histograms,
			FILE *out);
/** Writes the whole report as one JSON object, with storms[]. */
void doze_storms_json(const struct doze_storm_log *, const struct doze_model *, const char *trace,
		      FILE *out);

/* ---- Parts of the report ---- */

/** Draws a log-2 histogram. */
void doze_storms_histogram(const char *name, const struct doze_hist *, FILE *out);
/** Prints a line with the percentiles of a latency, whose name is padded to `width`. */
void doze_storms_latency(const char *name, int width, const struct doze_hist *, FILE *out);
/** Returns the storms in this order, and sets *n to the number of those to list: at most
 * DOZE_STORMS_LISTED. The caller owns the array. Returns null if there are none, or if out of
 * memory. */
const struct doze_storm **doze_storms_sorted(const struct doze_storm_log *,
					     int (*order)(const void *, const void *), size_t *n);

/** The same for programs without libdoze, of which less is known. */
void doze_storms_foreign_answer(const struct doze_storm_log *, const struct doze_model *,
				FILE *out);
void doze_storms_foreign_tables(const struct doze_storm_log *, const struct doze_model *,
				bool histograms, FILE *out);

#endif
