/*
 * SPDX-License-Identifier: MIT
 *
 * costs.c - adds up the costs (the worker time lost to each kind of trouble) per slot of time, so
 * that any part of a trace can be diagnosed. All slots have the same length. When the trace
 * outgrows the slots, pairs of slots are merged, so memory does not grow.
 */
#include "diagnose_int.h"

static void merge_pairs(struct costs *c)
{
	for (unsigned i = 0; i < SLOTS; i++)
		for (unsigned k = 0; k < COST_COLUMNS; k++)
			c->slot[i][k] =
			    2 * i + 1 < SLOTS ? c->slot[2 * i][k] + c->slot[2 * i + 1][k] : 0;
	c->width *= 2;
	c->last_to = c->last_from;
}

static int64_t slot_of(const struct costs *c, int64_t ts)
{
	return ts > c->base ? (ts - c->base) / c->width : 0;
}

static void remember(struct costs *c, int64_t slot)
{
	c->last = slot;
	c->last_from = c->base + slot * c->width;
	c->last_to = c->last_from + c->width;
}

void diag_cost_spread(struct costs *c, unsigned column, int64_t from, int64_t to, double cost)
{
	int64_t first, last;
	double length = (double)(to - from);

	while (slot_of(c, to) >= SLOTS)
		merge_pairs(c);
	c->end = to > c->end ? to : c->end;
	first = slot_of(c, from);
	last = slot_of(c, to);
	remember(c, last);
	for (int64_t i = first; i <= last; i++) {
		int64_t a = c->base + i * c->width, b = a + c->width;
		double part = 1;

		a = a > from ? a : from;
		b = b < to ? b : to;
		if (first != last)
			part = (double)(b - a) / length;
		c->slot[i][column] += cost * part;
	}
}

void diag_cost_like(struct costs *c, unsigned column, unsigned like, int64_t from, int64_t to,
		    double cost)
{
	double sum = 0;
	int64_t first, last;

	if (cost <= 0)
		return;
	first = slot_of(c, from);
	last = slot_of(c, to);
	for (int64_t i = first; i <= last && last < SLOTS; i++)
		sum += c->slot[i][like];
	if (sum <= 0) {
		diag_cost(c, column, from, to, cost);
		return;
	}
	for (int64_t i = first; i <= last; i++)
		c->slot[i][column] += cost * (c->slot[i][like] / sum);
}

/* Returns the share of a slot that lies between `from` and `to`. */
static double share_of_slot(const struct costs *c, int64_t i, int64_t from, int64_t to)
{
	int64_t begin = c->base + i * c->width, end = begin + c->width, a, b;

	end = end < c->end ? end : c->end;
	a = begin > from ? begin : from;
	b = end < to ? end : to;
	return b > a ? (double)(b - a) / (double)(end - begin) : 0;
}

double diag_cost_in(const struct costs *c, unsigned column, int64_t from, int64_t to)
{
	double sum = 0;

	for (int64_t i = 0; i < SLOTS; i++)
		sum += c->slot[i][column] * share_of_slot(c, i, from, to);
	return sum;
}

double diag_cost_without(const struct costs *c, unsigned column, unsigned part, unsigned all,
			 double scale, int64_t from, int64_t to)
{
	double sum = 0;

	for (int64_t i = 0; i < SLOTS; i++) {
		const double *slot = c->slot[i];
		double less = slot[all] > 0 ? scale * slot[part] / slot[all] : 0;

		sum += slot[column] * (less < 1 ? 1 - less : 0) * share_of_slot(c, i, from, to);
	}
	return sum;
}

void diag_cost_remove(struct costs *c, unsigned column, int64_t from, int64_t to)
{
	for (int64_t i = 0; i < SLOTS; i++)
		c->slot[i][column] *= 1 - share_of_slot(c, i, from, to);
}
