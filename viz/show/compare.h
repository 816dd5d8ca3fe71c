/*
 * SPDX-License-Identifier: MIT
 *
 * compare.h - compares two sides, each of which consists of one or several recordings.
 */
#ifndef DOZE_VIZ_COMPARE_H
#define DOZE_VIZ_COMPARE_H

#include <stdio.h>

#include "../explain/foreign_program.h"
#include "sample.h"

#define DOZE_COMPARE_MAX   64 /* maximum number of recordings per side */
#define DOZE_COMPARE_WHOLE 15 /* number of measures defined only for a whole run */
#define DOZE_COMPARE_PARTS 4  /* quarters of a run, if the recordings have no common marks */

/** The data that is kept for each recording. */
struct doze_run {
	char policy[24];         /* "several" if the recording's pools use different policies */
	uint32_t pools, workers; /* workers: total of all pools */
	bool jobs_level, jec;
	const char *level;      /* name of the level of detail */
	bool chosen;            /* the user limited the recording with --from or --to */
	char inconclusive[256]; /* why the recording is inconclusive; "": it is conclusive */
	bool is_foreign;        /* the program does not use libdoze */
	struct doze_foreign foreign;
	struct doze_sample all;
	double whole[DOZE_COMPARE_WHOLE]; /* measures of the whole run; NaN: unknown */
	struct doze_sample part[DOZE_COMPARE_PARTS];
	struct doze_sample phase[DOZE_PHASES_MAX + 1];
	char mark[DOZE_PHASES_MAX][64];
	size_t marks;
};

struct doze_side {
	struct doze_run *run; /* owned array of DOZE_COMPARE_MAX */
	size_t runs;
};

/** Fills in the run from a finished model. */
void doze_run_take(struct doze_run *, const struct doze_model *, const struct doze_phases *);
void doze_compare_print(const struct doze_side *a, const struct doze_side *b, FILE *out);
void doze_compare_json(const struct doze_side *a, const struct doze_side *b, FILE *out);

#endif
