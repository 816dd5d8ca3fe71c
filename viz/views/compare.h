/*
 * SPDX-License-Identifier: MIT
 *
 * compare.h - two sides of a comparison, each of one or several recordings.
 */
#ifndef DOZE_VIZ_COMPARE_H
#define DOZE_VIZ_COMPARE_H

#include <stdio.h>

#include "phases.h"

#define DOZE_COMPARE_MAX   64 /* recordings a side */
#define DOZE_COMPARE_TIMES 5  /* latencies beside the samples' measures */
#define DOZE_COMPARE_PARTS 4  /* when there are no common marks */

/** What is kept of one recording. */
struct doze_run {
	char policy[24];
	char doubt[256]; /* empty: what is compared is all of it */
	struct doze_sample all;
	double times[DOZE_COMPARE_TIMES]; /* ns */
	struct doze_sample part[DOZE_COMPARE_PARTS];
	struct doze_sample phase[DOZE_PHASES_MAX + 1];
	char mark[DOZE_PHASES_MAX][64];
	size_t marks;
};

struct doze_side {
	struct doze_run *run; /* owned array of DOZE_COMPARE_MAX */
	size_t runs;
};

/** Takes what is kept from a model that has finished. */
void doze_run_take(struct doze_run *, const struct doze_model *, const struct doze_phases *);
void doze_compare_print(const struct doze_side *a, const struct doze_side *b, FILE *out);
void doze_compare_json(const struct doze_side *a, const struct doze_side *b, FILE *out);

#endif
