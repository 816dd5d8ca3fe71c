/*
 * SPDX-License-Identifier: MIT
 *
 * lanes.c - see lanes.h. Sums of floating-point numbers depend on their order, so all functions add
 * in the order in which an array with every cell would be added up: a picture does not change with
 * the way in which its cells are stored.
 */
#include "lanes.h"

#include <stdlib.h>
#include <string.h>

/* Cells with the same content, at least one. A lane's runs are in ascending order, do not overlap,
 * and do not contain empty cells. */
struct doze_run {
	uint32_t first, count;
	struct doze_cell cell;
};

static size_t end_of(const struct doze_run *r)
{
	return (size_t)r->first + r->count;
}

static void add(struct doze_cell *to, const struct doze_cell *from)
{
	for (int k = 0; k < DOZE_CELL_KINDS; k++)
		to->share[k] += from->share[k];
	to->changes += from->changes;
	to->wakes += from->wakes;
}

static bool grow(struct doze_lane *l, size_t more)
{
	size_t room = l->room ? l->room * 2 : 8;
	struct doze_run *run;

	if (l->run && l->count + more <= l->room)
		return true;
	run = realloc(l->run, room * sizeof *run);
	if (!run)
		return false;
	l->run = run;
	l->room = room;
	return true;
}

static bool is_same(const struct doze_cell *a, const struct doze_cell *b)
{
	for (int i = 0; i < DOZE_CELL_KINDS; i++)
		if (a->share[i] != b->share[i])
			return false;
	return a->changes == b->changes && a->wakes == b->wakes;
}

/* Appends a run behind all others, or extends the last one. */
static bool append(struct doze_lane *l, size_t first, size_t count, const struct doze_cell *c)
{
	struct doze_run *last = l->count ? &l->run[l->count - 1] : NULL;

	if (last && end_of(last) == first && is_same(&last->cell, c)) {
		last->count += (uint32_t)count;
		return true;
	}
	if (!grow(l, 1))
		return false;
	l->run[l->count++] = (struct doze_run){(uint32_t)first, (uint32_t)count, *c};
	return true;
}

/* Returns the index of the first run that ends behind cell i. */
static size_t run_at(const struct doze_lane *l, size_t i)
{
	size_t low = 0, high = l->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (end_of(&l->run[middle]) > i)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Inserts n runs at index `at`, for the caller to fill in. */
static bool insert(struct doze_lane *l, size_t at, size_t n)
{
	if (!grow(l, n))
		return false;
	memmove(&l->run[at + n], &l->run[at], (l->count - at) * sizeof *l->run);
	l->count += n;
	return true;
}

/* Splits run `at`, so that cell i has a run of its own. Returns its index, or -1 if out of
 * memory. */
static int64_t split(struct doze_lane *l, size_t at, size_t i)
{
	struct doze_run r = l->run[at];
	size_t before = i - r.first, behind = end_of(&r) - i - 1;
	size_t n = (before ? 1u : 0u) + (behind ? 1u : 0u);

	if (!insert(l, at, n))
		return -1;
	if (before)
		l->run[at++] = (struct doze_run){r.first, (uint32_t)before, r.cell};
	l->run[at] = (struct doze_run){(uint32_t)i, 1, r.cell};
	if (behind)
		l->run[at + 1] = (struct doze_run){(uint32_t)(i + 1), (uint32_t)behind, r.cell};
	return (int64_t)at;
}

bool doze_lane_add(struct doze_lane *l, size_t i, const struct doze_cell *what)
{
	size_t at;
	int64_t own;

	if (!l->count || i >= end_of(&l->run[l->count - 1]))
		return append(l, i, 1, what);
	at = run_at(l, i);
	if (i < l->run[at].first) {
		if (!insert(l, at, 1))
			return false;
		l->run[at] = (struct doze_run){(uint32_t)i, 1, *what};
		return true;
	}
	own = split(l, at, i);
	if (own < 0)
		return false;
	add(&l->run[own].cell, what);
	return true;
}

/* Merges a run into a lane of half as many cells. *odd is the previous cell if it has an even index
 * and is not merged yet; otherwise its count is 0. */
static bool fold_run(struct doze_lane *to, const struct doze_run *r, struct doze_run *odd)
{
	size_t i = r->first, end = end_of(r);
	struct doze_cell sum = r->cell;

	if (odd->count && end_of(odd) == i) {
		add(&odd->cell, &r->cell);
		i++;
	}
	if (odd->count && !append(to, odd->first / 2, 1, &odd->cell))
		return false;
	odd->count = 0;
	if (i < end && i % 2) {
		if (!append(to, i / 2, 1, &r->cell))
			return false;
		i++;
	}
	add(&sum, &r->cell);
	if (end - i >= 2 && !append(to, i / 2, (end - i) / 2, &sum))
		return false;
	if ((end - i) % 2)
		*odd = (struct doze_run){(uint32_t)(end - 1), 1, r->cell};
	return true;
}

bool doze_lane_fold(struct doze_lane *l)
{
	struct doze_lane to = {0};
	struct doze_run odd = {0};
	bool ok = true;

	for (size_t n = 0; ok && n < l->count; n++)
		ok = fold_run(&to, &l->run[n], &odd);
	if (ok && odd.count)
		ok = append(&to, odd.first / 2, 1, &odd.cell);
	doze_lane_free(ok ? l : &to);
	if (ok)
		*l = to;
	return ok;
}

struct doze_cell doze_lane_sum(const struct doze_lane *l, size_t first, size_t last)
{
	struct doze_cell sum = {0};

	for (size_t at = run_at(l, first); at < l->count && l->run[at].first < last; at++) {
		const struct doze_run *r = &l->run[at];
		size_t i = r->first > first ? r->first : first;
		size_t end = end_of(r) < last ? end_of(r) : last;

		for (; i < end; i++)
			add(&sum, &r->cell);
	}
	return sum;
}

void doze_lane_free(struct doze_lane *l)
{
	free(l->run);
	*l = (struct doze_lane){0};
}
