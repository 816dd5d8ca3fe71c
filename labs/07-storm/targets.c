/*
 * SPDX-License-Identifier: MIT
 *
 * targets.c - lab 7: which workers does a post wake? For now, all of them.
 *
 * lib/sleep/targets.h describes both functions. lib/sleep/counters.h has the functions on the word:
 * doze_counters_sleeping(word) and doze_counters_idle(word). doze_wake_specific (lib/sleep/wake.h)
 * wakes a worker if it sleeps, and returns whether it did.
 */
#include "lib/sleep/targets.h"

#include "lib/pool.h"
#include "lib/sleep/wake.h"

/* TODO: how many of the n jobs need a worker that is asleep now? */
uint32_t doze_targets_for(uint32_t n, bool was_empty, uint64_t word)
{
	(void)n;
	(void)was_empty;
	(void)word;
	return UINT32_MAX;
}

/* TODO: this wakes all sleepers, not at most n. */
uint32_t doze_wake_any(struct doze_pool *pool, int32_t by, uint32_t n,
		       struct doze_decision *decision)
{
	(void)n;
	for (uint32_t i = 0; i < pool->num_workers; i++)
		(void)doze_wake_specific(pool, by, (int32_t)i, decision);
	return pool->num_workers;
}
