/*
 * SPDX-License-Identifier: MIT
 *
 * targets.h - how many workers a post wakes under policy `jec`, and which.
 *
 * Too few wakes leave jobs waiting while workers sleep; too many are futile: the woken worker finds
 * nothing and sleeps again.
 */
#ifndef DOZE_TARGETS_H
#define DOZE_TARGETS_H

#include "report.h"
#include "sleep.h"

/** Returns how many workers to wake for n jobs that were just queued, never more than sleep.
 * `was_empty`: the queue had no jobs before. `word`: the counters after the post's step on the
 * JEC. */
uint32_t doze_targets_for(uint32_t n, bool was_empty, uint64_t word);

/** Any thread. Wakes up to n sleeping workers, scanning from index 0 (so low indices are favoured).
 * Returns the number of workers that it woke. */
uint32_t doze_wake_any(struct doze_pool *pool, int32_t by, uint32_t n,
		       struct doze_decision *decision);

#endif
