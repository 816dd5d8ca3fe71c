/*
 * SPDX-License-Identifier: MIT
 *
 * herd.h - an endless made story of a healthy `jec` pool, as long as one likes: in each round a
 * post from outside wakes some workers, each runs one job or finds nothing, and all fall asleep
 * again. The counters words chain, every wake is paired, every transition is legal.
 */
#ifndef DOZE_TESTS_HERD_H
#define DOZE_TESTS_HERD_H

#include "made.h"

#define HERD_MAX_WORKERS 64

struct herd {
	uint64_t events; /* how many to make, at least; the story ends with the pool's end */
	unsigned workers, cpus;
	unsigned woken;  /* workers that a post wakes */
	unsigned useful; /* of these, how many find a job */

	/* the story's own */
	struct doze_event queue[16 * HERD_MAX_WORKERS];
	size_t head, tail;
	uint64_t made, round, word, wake_id, jobs_run[HERD_MAX_WORKERS];
	int64_t now;
	int phase;
};

/** For made_write; ctx is a struct herd with the first four members set, the rest zero. */
enum made_what herd_next(void *ctx, struct doze_event *event, uint64_t *lost);

#endif
