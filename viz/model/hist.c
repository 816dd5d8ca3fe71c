/*
 * SPDX-License-Identifier: MIT
 *
 * hist.c - see hist.h.
 */
#include "hist.h"

#include <math.h>

static unsigned row_of(uint64_t v)
{
	return v < 2 ? 0 : 63u - (unsigned)__builtin_clzll(v);
}

static unsigned part_of(uint64_t v, unsigned row)
{
	uint64_t above = row ? v - (1ull << row) : v;

	return row < 3 ? (unsigned)above : (unsigned)(above >> (row - 3));
}

/* Returns the middle of a cell, which represents every value in it. */
static int64_t value_of(unsigned row, unsigned part)
{
	uint64_t low = row ? 1ull << row : 0, width = row < 3 ? 1 : 1ull << (row - 3);

	return (int64_t)(low + part * width + width / 2);
}

void doze_hist_add(struct doze_hist *h, int64_t ns)
{
	uint64_t v = ns < 0 ? 0 : (uint64_t)ns;
	unsigned row = row_of(v);

	ns = (int64_t)v;
	if (!h->n || ns < h->min)
		h->min = ns;
	if (!h->n || ns > h->max)
		h->max = ns;
	h->n++;
	h->sum = doze_ns_add(h->sum, ns);
	h->cell[row][part_of(v, row)]++;
}

void doze_hist_merge(struct doze_hist *into, const struct doze_hist *from)
{
	if (!from->n)
		return;
	if (!into->n || from->min < into->min)
		into->min = from->min;
	if (!into->n || from->max > into->max)
		into->max = from->max;
	into->n += from->n;
	into->sum = doze_ns_add(into->sum, from->sum);
	for (unsigned r = 0; r < DOZE_HIST_ROWS; r++)
		for (unsigned p = 0; p < DOZE_HIST_PARTS; p++)
			into->cell[r][p] += from->cell[r][p];
}

static int64_t clamp(const struct doze_hist *h, int64_t v)
{
	return v < h->min ? h->min : v > h->max ? h->max : v;
}

/* Returns the rank, counted from 1, of percentile p among n sorted durations (nearest-rank method).
 * Rounding makes p * n slightly too large for some p (0.07 * 100); ceil must not raise such a
 * product to the next rank. */
static uint64_t rank_of(double p, uint64_t n)
{
	double rank = ceil(p * (double)n * (1 - 1e-12));

	return rank < 1 ? 1 : (uint64_t)rank;
}

int64_t doze_hist_percentile(const struct doze_hist *h, double p)
{
	uint64_t seen = 0, want = rank_of(p, h->n);

	if (!h->n)
		return 0;
	for (unsigned r = 0; r < DOZE_HIST_ROWS; r++) {
		for (unsigned k = 0; k < DOZE_HIST_PARTS; k++) {
			seen += h->cell[r][k];
			if (seen >= want)
				return clamp(h, value_of(r, k));
		}
	}
	return h->max;
}

double doze_hist_mean(const struct doze_hist *h)
{
	return h->n ? (double)h->sum / (double)h->n : 0;
}

uint64_t doze_hist_row(const struct doze_hist *h, unsigned row)
{
	uint64_t n = 0;

	for (unsigned k = 0; row < DOZE_HIST_ROWS && k < DOZE_HIST_PARTS; k++)
		n += h->cell[row][k];
	return n;
}
