/*
 * SPDX-License-Identifier: MIT
 *
 * storms_list.c - lists the storms with the most futile search, per pool.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../words/pool_words.h"
#include "../words/units.h"
#include "storms.h"

#define STORMS_LISTED 10

static int by_cost(const void *a, const void *b)
{
	const struct doze_storm *x = *(const struct doze_storm *const *)a;
	const struct doze_storm *y = *(const struct doze_storm *const *)b;

	if (x->burnt != y->burnt)
		return x->burnt < y->burnt ? 1 : -1;
	return x->from < y->from ? -1 : x->from > y->from;
}

static int by_pool(const void *a, const void *b)
{
	const struct doze_storm *x = *(const struct doze_storm *const *)a;
	const struct doze_storm *y = *(const struct doze_storm *const *)b;

	if (x->pool_row != y->pool_row)
		return x->pool_row < y->pool_row ? -1 : 1;
	return by_cost(a, b);
}

static void storm_line(const struct doze_storm *s, int64_t origin, FILE *out)
{
	char who[16] = "outside";

	if (s->waker >= 0)
		snprintf(who, sizeof who, "w%" PRId32, s->waker);
	fprintf(out, "%11s %-10s %-7s %5u %5u %6u %6u %5u %8s %8s\n",
		doze_position(s->from - origin, DOZE_LISTED), doze_cause_name(s->cause), who,
		s->jobs, s->woken, s->useful, s->futile, s->latch, doze_duration(s->burnt),
		doze_duration(s->to - s->from));
}

static void heading(const struct doze_model *m, const struct doze_storm *s, const char *which,
		    FILE *out)
{
	const char *pool = doze_pool_words(m, s->pool_row);

	fputs("\nStorms", out);
	if (*pool)
		fprintf(out, " of %s (%s)", pool, doze_model_pool(m, s->pool_row)->policy);
	fprintf(out, "%s\n", which);
	fputs("         at cause      by       jobs woken useful futile latch   search    lasts\n",
	      out);
}

/* Prints the storms, with a heading per pool. Returns whether any of the storms has unresolved
 * wakes. */
static bool lines(const struct doze_model *m, const struct doze_storm **s, size_t n,
		  const char *which, FILE *out)
{
	bool unresolved = false;

	for (size_t i = 0; i < n; i++) {
		if (!i || s[i]->pool_row != s[i - 1]->pool_row)
			heading(m, s[i], which, out);
		storm_line(s[i], doze_model_totals(m)->first_ts, out);
		unresolved |= s[i]->unresolved > 0;
	}
	return unresolved;
}

void doze_storms_list(const struct doze_storm_log *l, const struct doze_model *m, FILE *out)
{
	const struct doze_storm **order = l->count ? malloc(l->count * sizeof *order) : NULL;
	size_t n = l->count < STORMS_LISTED ? l->count : STORMS_LISTED;

	if (!order)
		return;
	for (size_t i = 0; i < l->count; i++)
		order[i] = &l->storm[i];
	qsort(order, l->count, sizeof *order, by_cost);
	qsort(order, n, sizeof *order, by_pool);
	if (lines(m, order, n, l->count > n ? ", the ten with the most futile search" : "", out))
		fputs("  woken workers not listed as useful, futile or latch are unresolved\n",
		      out);
	fputs("  search: wall time of the futile wakes, from awake to asleep; not CPU time\n", out);
	free(order);
}
