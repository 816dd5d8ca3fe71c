/*
 * SPDX-License-Identifier: MIT
 *
 * confidence.h - computes the mean and the 95 % confidence interval of a few numbers (Student's t).
 */
#ifndef DOZE_VIZ_CONFIDENCE_H
#define DOZE_VIZ_CONFIDENCE_H

#include <stdbool.h>
#include <stddef.h>

struct doze_mean {
	double mean, half; /* the interval is mean - half .. mean + half; half is 0 for a single
			    * number */
	size_t n;
};

/** Returns the mean and interval of n numbers; NaN if any of them is NaN. */
struct doze_mean doze_mean_of(const double *v, size_t n);
/** Returns whether the difference is statistically significant, that is, whether 0 is outside its
 * 95 % confidence interval (Welch's t-test). Returns false if a side has only one number. */
bool doze_means_differ(const struct doze_mean *, const struct doze_mean *);

#endif
