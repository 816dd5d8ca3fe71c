/*
 * SPDX-License-Identifier: MIT
 *
 * confidence.c - see confidence.h. The table holds two-sided 95 % quantiles of Student's t.
 */
#include "confidence.h"

#include <math.h>

static double t95(size_t freedom)
{
	static const double t[] = {0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
				   2.306, 2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
				   2.120, 2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069,
				   2.064, 2.060,  2.056, 2.052, 2.048, 2.045, 2.042};

	return freedom < sizeof t / sizeof t[0] ? t[freedom] : 1.96;
}

struct doze_mean doze_mean_of(const double *v, size_t n)
{
	struct doze_mean m = {.n = n};
	double square = 0;

	for (size_t i = 0; i < n; i++)
		m.mean += v[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		square += (v[i] - m.mean) * (v[i] - m.mean);
	if (n > 1)
		m.half = t95(n - 1) * sqrt(square / (double)(n - 1) / (double)n);
	return m;
}

/* The half width divided by its t is the standard error. The degrees of freedom follow Welch's
 * formula. */
bool doze_means_differ(const struct doze_mean *a, const struct doze_mean *b)
{
	double ea, eb, sum, freedom;

	if (a->n < 2 || b->n < 2 || isnan(a->mean) || isnan(b->mean))
		return false;
	ea = a->half / t95(a->n - 1);
	eb = b->half / t95(b->n - 1);
	sum = ea * ea + eb * eb;
	if (sum <= 0)
		return fabs(a->mean - b->mean) > 0;
	freedom = sum * sum /
		  (ea * ea * ea * ea / (double)(a->n - 1) + eb * eb * eb * eb / (double)(b->n - 1));
	return fabs(a->mean - b->mean) > t95((size_t)freedom) * sqrt(sum);
}
