/*
 * SPDX-License-Identifier: MIT
 *
 * targets.h - chooses how many workers a post wakes under policy `jec`, and which.
 *
 * After too few wakes, jobs wait while workers sleep; after too many, woken workers find nothing
 * and sleep again.
 */
#ifndef DOZE_TARGETS_H
#define DOZE_TARGETS_H

#include "report.h"
#include "sleep.h"

/** Returns the number of workers to wake for n jobs that were just queued, at most the number that
 * sleep. `was_empty` is true if the queue was empty before; `word` is the counters word after the
 * post's step on the JEC. */
uint32_t doze_targets_for(uint32_t n, bool was_empty, uint64_t word);

/** Any thread. Wakes up to n sleeping workers, scanning from index 0 (so low indices are favoured).
 * Passes `by`, the waking worker or -1, and `decision` to each wake. Returns the number of workers
 * that it woke. */
uint32_t doze_wake_any(struct doze_pool *pool, int32_t by, uint32_t n,
		       struct doze_decision *decision);

#endif
