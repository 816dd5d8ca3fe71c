/*
 * SPDX-License-Identifier: MIT
 *
 * hist.h - a histogram of durations with bounded error: one row for each power of two of
 * nanoseconds, each row cut into 8 equal parts, so a percentile is off by at most 1/8 of its value.
 * The idea is HdrHistogram's (G. Tene); 4 KiB each, no allocation, mergeable by adding.
 */
#ifndef DOZE_VIZ_HIST_H
#define DOZE_VIZ_HIST_H

#include <stdint.h>

#define DOZE_HIST_ROWS  64
#define DOZE_HIST_PARTS 8

/** The sum of two durations, at most INT64_MAX: a damaged trace can have spans of decades, and
 * many. */
static inline int64_t doze_ns_add(int64_t a, int64_t b)
{
	int64_t total;

	return __builtin_add_overflow(a, b, &total) ? INT64_MAX : total;
}

struct doze_hist {
	uint64_t n;
	int64_t sum, min, max; /* ns; meaningless while n == 0 */
	uint64_t cell[DOZE_HIST_ROWS][DOZE_HIST_PARTS];
};

/** Counts one duration; a negative one (clocks of two CPUs) counts as 0. */
void doze_hist_add(struct doze_hist *, int64_t ns);
/** Adds all of `from`. */
void doze_hist_merge(struct doze_hist *into, const struct doze_hist *from);
/** The percentile by nearest rank: the smallest duration such that at least the share p (0..1) of
 * all lie at or below it, the ⌈p·n⌉th in order; so that of few durations a high percentile is the
 * largest, not the one before. As the middle of its part, within [min, max]; 0 when there is none.
 */
int64_t doze_hist_percentile(const struct doze_hist *, double p);
double doze_hist_mean(const struct doze_hist *);
/** How many durations lie in [2^row, 2^(row+1)) ns; row 0 is [0, 2). */
uint64_t doze_hist_row(const struct doze_hist *, unsigned row);

#endif
