/*
 * SPDX-License-Identifier: MIT
 *
 * spare.c - policy `spare`: RFC 5's idea for avoiding missed notifications. A post wakes enough
 * workers that two stay idle after the posted jobs have been taken. If one of them is just falling
 * asleep when a job is posted, the other finds the job.
 */
#include "../pool.h"
#include "rfc.h"

#define SPARE_IDLE 2

static void spare_new_jobs(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs)
{
	uint64_t word = doze_rfc_look(pool, jobs->queue);
	uint32_t idle = doze_counters_idle(word);
	uint32_t sleeping = doze_counters_sleeping(word);
	uint32_t wanted = jobs->n + SPARE_IDLE;
	uint32_t wakes = idle < wanted ? wanted - idle : 0;

	if (wakes > sleeping)
		wakes = sleeping;
	doze_rfc_wake(pool, by, jobs, word, wakes);
}

const struct doze_sleep_policy doze_policy_spare = {
    .name = "spare",
    .summary = "RFC 5 variant: wakes enough workers to keep two idle",
    DOZE_RFC_HOOKS,
    .new_jobs = spare_new_jobs,
};
