/*
 * SPDX-License-Identifier: MIT
 *
 * interval.h - mean and 95 % confidence interval of a few numbers (Student's t).
 */
#ifndef DOZE_VIZ_INTERVAL_H
#define DOZE_VIZ_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

struct doze_mean {
	double mean, half; /* the interval is mean - half .. mean + half; half 0 for one number */
	size_t n;
};

/** Not a number where one of them is none. */
struct doze_mean doze_mean_of(const double *v, size_t n);
/** True when the two differ by more than chance: the difference lies outside of its own 95 %
 * interval (Welch). With one number on a side nothing is known of chance: false. */
bool doze_means_differ(const struct doze_mean *, const struct doze_mean *);

#endif
