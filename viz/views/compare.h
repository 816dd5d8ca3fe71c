/*
 * SPDX-License-Identifier: MIT
 *
 * compare.h - two sides of a comparison, each of one or several recordings.
 */
#ifndef DOZE_VIZ_COMPARE_H
#define DOZE_VIZ_COMPARE_H

#include <stdio.h>

#include "confidence.h"
#include "phase_samples.h"

#define DOZE_COMPARE_MAX   64 /* recordings a side */
#define DOZE_COMPARE_WHOLE 13 /* measures of a whole run only, beside the samples' */
#define DOZE_COMPARE_PARTS 4  /* when there are no common marks */

/** What is kept of one recording. */
struct doze_run {
	char policy[24];         /* "several" where its pools have several */
	uint32_t pools, workers; /* the latter of all pools */
	bool jobs_level, jec;
	char inconclusive[256]; /* why the recording is not whole; empty: it is */
	struct doze_sample all;
	double whole[DOZE_COMPARE_WHOLE]; /* not a number: unknown */
	struct doze_sample part[DOZE_COMPARE_PARTS];
	struct doze_sample phase[DOZE_PHASES_MAX + 1];
	char mark[DOZE_PHASES_MAX][64];
	size_t marks;
};

struct doze_side {
	struct doze_run *run; /* owned array of DOZE_COMPARE_MAX */
	size_t runs;
};

/** What measures there are: one for each line of the comparison. */
enum doze_compare_where {
	DOZE_COMPARE_ALL,   /* of the run */
	DOZE_COMPARE_PHASE, /* between two marks */
	DOZE_COMPARE_PART,  /* a quarter of the run */
	DOZE_COMPARE_RUN,   /* what only a whole run has: percentiles, the longest chain */
};
struct doze_compare_line {
	const char *name; /* weak; a blank in front: a part of the one above */
	enum doze_unit unit;
	enum doze_compare_where where;
	size_t index;                     /* of the phase, the part or the measure of the run */
	const struct doze_metric *metric; /* weak; null for DOZE_COMPARE_RUN */
};
/** Measure i of the whole run, or of phase or part `index`; false: there are no more. */
bool doze_compare_line(size_t i, enum doze_compare_where, size_t index, struct doze_compare_line *);
/** Its value on a side. mean is not a number where a recording of the side cannot tell. */
struct doze_mean doze_compare_mean(const struct doze_side *, const struct doze_compare_line *);
/** Whether all runs have the same marks in the same order; else they are cut into quarters. */
bool doze_compare_same_marks(const struct doze_side *a, const struct doze_side *b);
/** What else differs between the recordings, so that a difference may be no policy's: note i in
 * one line without its end, or null. A buffer of its own. */
const char *doze_compare_note(const struct doze_side *a, const struct doze_side *b, size_t i);

/** Takes what is kept from a model that has finished. */
void doze_run_take(struct doze_run *, const struct doze_model *, const struct doze_phases *);
void doze_compare_print(const struct doze_side *a, const struct doze_side *b, FILE *out);
void doze_compare_json(const struct doze_side *a, const struct doze_side *b, FILE *out);

#endif
