/*
 * SPDX-License-Identifier: MIT
 *
 * compare.h - compares two sides, each of which consists of one or several recordings.
 */
#ifndef DOZE_VIZ_COMPARE_H
#define DOZE_VIZ_COMPARE_H

#include <stdio.h>

#include "../explain/foreign_program.h"
#include "confidence.h"
#include "phase_samples.h"

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

/** Which part of a run a line of the comparison measures. */
enum doze_compare_where {
	DOZE_COMPARE_ALL,   /* the whole run */
	DOZE_COMPARE_PHASE, /* the time from one mark to the next */
	DOZE_COMPARE_PART,  /* a quarter of the run */
	DOZE_COMPARE_RUN,   /* a measure defined only for the whole run, such as a percentile */
};
struct doze_compare_line {
	const char *name; /* not owned; a leading blank marks a part of the measure above it */
	enum doze_unit unit;
	enum doze_compare_where where;
	/* index of the phase or quarter; for DOZE_COMPARE_RUN, index of the measure */
	size_t index;
	const struct doze_metric *metric; /* not owned; null for DOZE_COMPARE_RUN */
};
/** Fills in measure i of the whole run, or of phase or part `index`. Returns false if there are no
 * more. */
bool doze_compare_line(size_t i, enum doze_compare_where, size_t index, struct doze_compare_line *);
/** Returns the mean of a measure on one side: NaN if a recording of that side lacks the measure. */
struct doze_mean doze_compare_mean(const struct doze_side *, const struct doze_compare_line *);
/** Returns whether all runs have the same marks in the same order. If not, runs are compared by
 * quarters. */
bool doze_compare_same_marks(const struct doze_side *a, const struct doze_side *b);
/** Returns warning i, or null. A warning describes a difference between the recordings, other than
 * the policy, that may explain differing measures. The text is one line without a newline, in a
 * static buffer. */
const char *doze_compare_note(const struct doze_side *a, const struct doze_side *b, size_t i);

/** The result of a comparison. */
struct doze_compare_verdict {
	char better;           /* 'a', 'b', or 0: neither */
	struct doze_mean a, b; /* durations, ns */
	double change;         /* relative change of the duration from a to b: -0.5 means half the
				* time; NaN: unknown */
	bool repeated;         /* both sides have several recordings, which show the noise */
	double noise;          /* half width of the 95 % confidence interval of `change`; NaN:
				* unknown */
	bool exceeds;          /* the change is statistically significant */
	char text[320];        /* one or two sentences */
};
void doze_compare_verdict(const struct doze_side *a, const struct doze_side *b,
			  struct doze_compare_verdict *);

/** Returns whether both sides are recordings of programs without libdoze; or whether any is. */
bool doze_compare_is_foreign(const struct doze_side *a, const struct doze_side *b);
bool doze_compare_any_foreign(const struct doze_side *a, const struct doze_side *b);
/** Writes the verdict on two sides of which at least one is a program without libdoze. */
void doze_compare_foreign(const struct doze_side *a, const struct doze_side *b, char *text,
			  size_t size);
/** Returns the name under which a line is shown for programs without libdoze, or null if the line
 * is not known of them. */
const char *doze_compare_foreign_name(const struct doze_compare_line *);

/** Fills in the run from a finished model. */
void doze_run_take(struct doze_run *, const struct doze_model *, const struct doze_phases *);
void doze_compare_print(const struct doze_side *a, const struct doze_side *b, FILE *out);
void doze_compare_json(const struct doze_side *a, const struct doze_side *b, FILE *out);

#endif
