/*
 * SPDX-License-Identifier: MIT
 *
 * block.c - policy `block`: RFC 5's idea of waking blocks of workers. When too few workers are
 * idle, a post wakes enough to raise the number of awake workers to the next power of two: with 5
 * awake, it wakes 3 more. This is a compromise between waking one and waking all.
 */
#include "../pool.h"
#include "rfc.h"

/** Returns the smallest power of two greater than x. */
static uint32_t block_next_power(uint32_t x)
{
	uint32_t p = 1;
	while (p <= x)
		p *= 2;
	return p;
}

static void block_new_jobs(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs)
{
	uint64_t word = doze_rfc_look(pool, jobs->queue);
	uint32_t sleeping = doze_counters_sleeping(word);
	uint32_t wakes = 0;

	if (doze_counters_idle(word) < jobs->n && sleeping > 0) {
		/* The count may briefly exceed the actual number of sleepers, but it serves only as
		 * a limit. */
		uint32_t awake = pool->num_workers > sleeping ? pool->num_workers - sleeping : 0;
		wakes = block_next_power(awake) - awake;
		if (wakes > sleeping)
			wakes = sleeping;
	}
	doze_rfc_wake(pool, by, jobs, word, wakes);
}

const struct doze_sleep_policy doze_policy_block = {
    .name = "block",
    .summary = "RFC 5 variant: raises the number of active workers to the next power of two",
    DOZE_RFC_HOOKS,
    .new_jobs = block_new_jobs,
};
