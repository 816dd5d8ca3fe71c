/*
 * SPDX-License-Identifier: MIT
 *
 * local.c - policy `local`: RFC 5's idea of estimating idleness from the pusher's own deque. If the
 * deque was empty before the push, thieves keep up with this worker, so some worker is searching.
 * If it was not empty, jobs pile up, so the post wakes one more worker. When several jobs are
 * pushed at once, all but the first find the deque non-empty. The estimate reads no shared data;
 * only the check for sleepers does. A thread that is not a worker of the pool has no deque, so
 * its posts use the count of idle workers, as in `rfc`.
 */
#include "../pool.h"
#include "rfc.h"

static void local_new_jobs(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs)
{
	uint64_t word = doze_rfc_look(pool, jobs->queue);
	bool keep_up = jobs->was_empty && jobs->n == 1;
	bool enough =
	    jobs->queue == DOZE_QUEUE_local ? keep_up : doze_counters_idle(word) >= jobs->n;
	uint32_t wakes = !enough && doze_counters_sleeping(word) > 0 ? 1 : 0;
	doze_rfc_wake(pool, by, jobs, word, wakes);
}

const struct doze_sleep_policy doze_policy_local = {
    .name = "local",
    .summary = "RFC 5 variant: a worker judges by its own deque whether thieves keep up",
    DOZE_RFC_HOOKS,
    .new_jobs = local_new_jobs,
};
