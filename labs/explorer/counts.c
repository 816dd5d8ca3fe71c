/*
 * SPDX-License-Identifier: MIT
 *
 * counts.c - counts steps, for scenarios that check what code costs, and acquisitions of each
 * mutex, for scenarios that check how evenly code uses several locks. The counts are not part of a
 * state, so they are valid only where a single thread runs.
 */
#include "engine.h"

#include <string.h>

static bool counting;

static struct {
	const void *mutex;
	uint64_t taken;
} counts[16];

void ex_count_locks(void)
{
	counting = true;
	memset(counts, 0, sizeof(counts));
}

void ex_lock_taken(const void *mutex)
{
	for (unsigned i = 0; counting && i < sizeof(counts) / sizeof(counts[0]); i++) {
		if (counts[i].mutex != NULL && counts[i].mutex != mutex)
			continue;
		counts[i].mutex = mutex;
		counts[i].taken++;
		return;
	}
	if (counting)
		ex_give_up("gave up: more than %zu mutexes", sizeof(counts) / sizeof(counts[0]));
}

uint64_t ex_locks_counted(uint64_t *most)
{
	uint64_t all = 0;
	*most = 0;
	for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		all += counts[i].taken;
		if (counts[i].taken > *most)
			*most = counts[i].taken;
	}
	return all;
}

uint64_t ex_rmws(void)
{
	return E->rmws;
}
uint64_t ex_fences(void)
{
	return E->fences;
}
uint64_t ex_yields(void)
{
	return E->yields;
}
