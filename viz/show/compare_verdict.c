/*
 * SPDX-License-Identifier: MIT
 *
 * compare_verdict.c - determines the result of a comparison: which side is better, by how much, and
 * whether the difference exceeds the noise.
 *
 * The side that takes less time is better. If a side has only one recording, the noise is unknown,
 * and the text says so.
 */
#include <math.h>
#include <string.h>

#include "../words/units.h"
#include "compare.h"

static bool find_line(const char *name, struct doze_compare_line *l)
{
	for (size_t i = 0; doze_compare_line(i, DOZE_COMPARE_ALL, 0, l); i++)
		if (!strcmp(l->name, name))
			return true;
	return false;
}

/* Relative difference up to which two single recordings count as equal. */
#define ALIKE 0.02

static void judge(struct doze_compare_verdict *v, const struct doze_mean *a,
		  const struct doze_mean *b)
{
	v->a = *a;
	v->b = *b;
	v->change = b->mean / a->mean - 1;
	v->repeated = a->n > 1 && b->n > 1;
	/* Half width of the confidence interval of the difference between two independent means. */
	v->noise = v->repeated ? hypot(a->half, b->half) / a->mean : NAN;
	v->exceeds = v->repeated && doze_means_differ(a, b);
	v->better = 0;
	if (v->repeated ? v->exceeds : fabs(v->change) > ALIKE)
		v->better = v->change < 0 ? 'b' : 'a';
}

static const char *other_jobs(const struct doze_side *a, const struct doze_side *b)
{
	struct doze_compare_line l;
	struct doze_mean x, y;

	if (!find_line("jobs", &l))
		return "";
	x = doze_compare_mean(a, &l);
	y = doze_compare_mean(b, &l);
	return fabs(y.mean - x.mean) > 0.1 * fmax(x.mean, y.mean)
		   ? " The two sides did not do the same work: the numbers of jobs differ."
		   : "";
}

static void write_text(struct doze_compare_verdict *v, const char *a, const char *b,
		       const char *more)
{
	const char *better = v->better == 'a' ? "A" : "B", *name = v->better == 'a' ? a : b;
	double shorter = v->better == 'a' ? v->a.mean : v->b.mean;
	double longer = v->better == 'a' ? v->b.mean : v->a.mean;
	char noise[120];

	if (!v->repeated)
		snprintf(noise, sizeof noise,
			 "a single recording per side does not show the noise: record each side "
			 "three times");
	else
		snprintf(noise, sizeof noise, "%s the noise (+-%.1f %%)",
			 v->exceeds ? "more than" : "within", 100 * v->noise);
	if (v->better)
		snprintf(v->text, sizeof v->text,
			 "%s (%s) is better: it takes %s instead of %s, %.1f %% less; %s.%s",
			 better, name, doze_duration((int64_t)shorter),
			 doze_duration((int64_t)longer), 100 * (1 - shorter / longer), noise, more);
	else
		snprintf(v->text, sizeof v->text,
			 "Neither side is better: A (%s) takes %s, B (%s) %s, %+.1f %%; %s.%s", a,
			 doze_duration((int64_t)v->a.mean), b, doze_duration((int64_t)v->b.mean),
			 100 * v->change, noise, more);
}

void doze_compare_verdict(const struct doze_side *a, const struct doze_side *b,
			  struct doze_compare_verdict *v)
{
	struct doze_compare_line l;
	struct doze_mean x, y;

	memset(v, 0, sizeof *v);
	if (!find_line("duration", &l))
		return;
	x = doze_compare_mean(a, &l);
	y = doze_compare_mean(b, &l);
	if (!(x.mean > 0) || !(y.mean > 0)) {
		snprintf(v->text, sizeof v->text, "No verdict: a recording has no duration.");
		v->change = v->noise = NAN;
		return;
	}
	if (a->run[0].chosen) {
		snprintf(v->text, sizeof v->text,
			 "No verdict, because --from and --to determine the durations: compare the "
			 "measures.");
		v->change = v->noise = NAN;
		return;
	}
	judge(v, &x, &y);
	if (doze_compare_any_foreign(a, b)) { /* the duration says little about such a program */
		v->better = 0;
		doze_compare_foreign(a, b, v->text, sizeof v->text);
		return;
	}
	write_text(v, a->run[0].policy, b->run[0].policy, other_jobs(a, b));
}
