/*
 * SPDX-License-Identifier: MIT
 *
 * diag_notes.c - what a diagnosis notes about a pool or a worker, by its row in the model: the
 * costs over time, and the facts that the texts mention.
 */
#include <stdlib.h>
#include <string.h>

#include "../model/observer.h"
#include "diagnose_int.h"

struct diag_worker *diag_worker_new(struct diagnosis *d, size_t row)
{
	struct diag_worker *bigger = doze_grow(d->worker, &d->workers, row, sizeof *d->worker);
	if (!bigger) {
		d->failed = true;
		return 0;
	}
	d->worker = bigger;
	return &d->worker[row];
}

struct diag_pool *diag_pool_new(struct diagnosis *d, size_t row)
{
	struct diag_pool **bigger;

	if (row >= d->pools) {
		bigger = doze_grow(d->pool, &d->pools, row, sizeof *d->pool);
		if (!bigger)
			return 0;
		d->pool = bigger;
	}
	if (!d->pool[row])
		d->pool[row] = calloc(1, sizeof **d->pool);
	return d->pool[row];
}

/*
 * ---- Costs ----
 *
 * The costs (the worker time lost to each kind of trouble) are added up per slot of time, so that
 * any part of a trace can be diagnosed. All slots have the same length. When the trace outgrows the
 * slots, pairs of slots are merged, so memory does not grow.
 */

static void merge_slots(struct costs *c)
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
		merge_slots(c);
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

/* ---- Facts per period ---- */

static void merge(struct period *into, const struct period *from)
{
	for (int k = 0; k < DOZE_TROUBLE_COUNT; k++) {
		if (from->times[k] &&
		    (!into->times[k] || from->worst[k].cost > into->worst[k].cost))
			into->worst[k] = from->worst[k];
		into->times[k] += from->times[k];
	}
	for (int i = 0; i < OUTSIDERS; i++) {
		into->waited[i].ns += from->waited[i].ns;
		into->waited[i].times += from->waited[i].times;
	}
	for (int i = 0; i < PROFILE; i++)
		into->profile[i] += from->profile[i];
}

static void merge_periods(struct periods *all)
{
	for (unsigned i = 0; i < PERIODS / 2; i++) {
		all->of[i] = all->of[2 * i];
		merge(&all->of[i], &all->of[2 * i + 1]);
	}
	memset(&all->of[PERIODS / 2], 0, sizeof all->of / 2);
	all->width *= 2;
	all->last_to = all->last_from;
}

void diag_periods_begin(struct periods *all, int64_t ts)
{
	all->base = ts;
	all->width = PERIOD_NS;
}

/* Returns the index of the period that contains ts. Merges periods if ts is beyond them all. */
static unsigned index_of(struct periods *all, int64_t ts)
{
	if (ts >= all->last_from && ts < all->last_to)
		return all->last;
	if (ts < all->base)
		return 0;
	while ((ts - all->base) / all->width >= PERIODS)
		merge_periods(all);
	all->last = (unsigned)((ts - all->base) / all->width);
	all->last_from = all->base + (int64_t)all->last * all->width;
	all->last_to = all->last_from + all->width;
	return all->last;
}

/* Returns how much of period i lies between `from` and `to`, ns. */
static int64_t overlap(const struct periods *all, unsigned i, int64_t from, int64_t to)
{
	int64_t begin = all->base + (int64_t)i * all->width, end = begin + all->width;

	begin = begin > from ? begin : from;
	end = end < to ? end : to;
	return end > begin ? end - begin : 0;
}

void diag_instance(struct diag_pool *p, enum doze_trouble kind, const struct instance *new)
{
	struct period *period = &p->periods.of[index_of(&p->periods, new->at)];

	if (!period->times[kind]++ || new->cost > period->worst[kind].cost)
		period->worst[kind] = *new;
}

void diag_forget_instances(struct diag_pool *p, enum doze_trouble kind)
{
	for (unsigned i = 0; i < PERIODS; i++)
		p->periods.of[i].times[kind] = 0;
}

void diag_waited(struct diag_pool *p, unsigned outsider, int64_t from, int64_t to)
{
	unsigned last = index_of(&p->periods, to);

	for (unsigned i = index_of(&p->periods, from); i <= last; i++)
		p->periods.of[i].waited[outsider].ns += overlap(&p->periods, i, from, to);
	p->periods.of[last].waited[outsider].times++;
}

void diag_profile(struct diag_pool *p, unsigned active, int64_t from, int64_t to)
{
	struct periods *all = &p->periods;
	unsigned last;

	if (from >= all->last_from && to < all->last_to) { /* usually in the period used last */
		all->of[all->last].profile[active] += to - from;
		return;
	}
	last = index_of(all, to);
	for (unsigned i = index_of(all, from); i <= last; i++)
		all->of[i].profile[active] += overlap(all, i, from, to);
}

/* ---- The facts of a part of the trace ---- */

const struct instance *diag_worst(const struct diag_pool *p, enum doze_trouble kind, int64_t from,
				  int64_t to)
{
	const struct instance *worst = NULL;

	for (unsigned i = 0; i < PERIODS; i++) {
		const struct period *period = &p->periods.of[i];
		const struct instance *one = &period->worst[kind];

		if (period->times[kind] && one->end >= from && one->at <= to &&
		    (!worst || one->cost > worst->cost))
			worst = one;
	}
	return worst;
}

/* Returns the share of period i that lies between `from` and `to`. The last period ends with the
 * trace. */
static double share(const struct diag_pool *p, unsigned i, int64_t from, int64_t to)
{
	int64_t end = p->last < INT64_MAX ? p->last + 1 : p->last;
	int64_t whole = overlap(&p->periods, i, p->periods.base, end);

	to = to < p->last ? to + 1 : end;
	return whole > 0 ? (double)overlap(&p->periods, i, from, to) / (double)whole : 0;
}

struct diag_part diag_part(const struct diag_pool *p, int64_t from, int64_t to)
{
	double times[DOZE_TROUBLE_COUNT] = {0}, waits[OUTSIDERS] = {0};
	struct diag_part part = {.outsiders = p->outsiders};

	for (unsigned i = 0; i < PERIODS; i++) {
		const struct period *period = &p->periods.of[i];
		double s = share(p, i, from, to);

		for (int k = 0; s > 0 && k < DOZE_TROUBLE_COUNT; k++)
			times[k] += s * (double)period->times[k];
		for (uint32_t k = 0; s > 0 && k < p->outsiders; k++) {
			waits[k] += s * (double)period->waited[k].times;
			part.outsider[k].ns += (int64_t)(s * (double)period->waited[k].ns);
		}
		for (int k = 0; s > 0 && k < PROFILE; k++)
			part.profile[k] += (int64_t)(s * (double)period->profile[k]);
	}
	for (int k = 0; k < DOZE_TROUBLE_COUNT; k++)
		part.times[k] = times[k] > 0 ? (uint64_t)(times[k] < 1 ? 1 : times[k] + 0.5) : 0;
	for (uint32_t k = 0; k < p->outsiders; k++) {
		part.outsider[k].vtid = p->outsider[k];
		part.outsider[k].times = (uint64_t)(waits[k] + 0.5);
		if (part.outsider[k].ns > 0 && !part.outsider[k].times)
			part.outsider[k].times = 1;
	}
	return part;
}

const struct outsider *diag_slowest(const struct diag_part *sums)
{
	const struct outsider *most = NULL;

	for (uint32_t i = 0; i < sums->outsiders; i++)
		if (sums->outsider[i].vtid >= 0 && sums->outsider[i].ns > (most ? most->ns : 0))
			most = &sums->outsider[i];
	return most;
}

struct outsider diag_waited_for(const struct diag_part *sums)
{
	const struct outsider *most = diag_slowest(sums);
	struct outsider o = {.vtid = -1}, unknown = o;
	uint32_t known = 0;

	for (uint32_t i = 0; i < sums->outsiders; i++) {
		if (sums->outsider[i].vtid < 0)
			unknown = sums->outsider[i];
		else
			known += sums->outsider[i].ns > 0;
	}
	if (most)
		o = *most;
	if (known == 1 || unknown.ns > o.ns) {
		o.ns += unknown.ns;
		o.times += unknown.times;
		o.vtid = known == 1 ? o.vtid : -1;
	}
	return o;
}
