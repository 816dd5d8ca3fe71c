/*
 * SPDX-License-Identifier: MIT
 *
 * hist.h - a histogram of durations with bounded error: one row per power of two of nanoseconds,
 * each divided into 8 equal parts, so a percentile is off by at most 1/8 of its value. The design
 * follows HdrHistogram (G. Tene). A histogram takes 4 KiB, never allocates, and merges by addition.
 */
#ifndef DOZE_VIZ_HIST_H
#define DOZE_VIZ_HIST_H

#include <stdint.h>

#define DOZE_HIST_ROWS  64
#define DOZE_HIST_PARTS 8

/** Returns the sum of two durations, or INT64_MAX if the sum is larger. In a damaged trace, a few
 * spans may last for decades, and their sum would overflow. */
static inline int64_t doze_ns_add(int64_t a, int64_t b)
{
	int64_t total;

	return __builtin_add_overflow(a, b, &total) ? INT64_MAX : total;
}

struct doze_hist {
	uint64_t n;
	int64_t sum, min, max; /* ns; undefined while n == 0 */
	uint64_t cell[DOZE_HIST_ROWS][DOZE_HIST_PARTS];
};

/** Adds one duration. A negative duration, which the clocks of two CPUs can produce, counts as
 * 0. */
void doze_hist_add(struct doze_hist *, int64_t ns);
/** Adds all durations of `from`. */
void doze_hist_merge(struct doze_hist *into, const struct doze_hist *from);
/** Returns the percentile p (0..1) by nearest rank: the ⌈p·n⌉th duration in ascending order. A high
 * percentile of a few durations is therefore the longest of them. The result is the middle of the
 * histogram cell that contains the duration, clamped to [min, max]; 0 if the histogram is empty. */
int64_t doze_hist_percentile(const struct doze_hist *, double p);
double doze_hist_mean(const struct doze_hist *);
/** Returns the number of durations in [2^row, 2^(row+1)) ns; row 0 is [0, 2). */
uint64_t doze_hist_row(const struct doze_hist *, unsigned row);

#endif
