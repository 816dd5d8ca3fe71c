/*
 * SPDX-License-Identifier: MIT
 *
 * pool_words.h - names pools, in traces with several pools or processes, and wakers.
 */
#ifndef DOZE_VIZ_POOL_WORDS_H
#define DOZE_VIZ_POOL_WORDS_H

#include "../model/model.h"

/** Returns "pool 2"; "pool 2 'render'" if the pools have different names; "pool 1 of process 43" if
 * there are several processes; "" if there is only one pool. row: see struct doze_pool_view. The
 * string is in a static buffer, valid until the next call. */
const char *doze_pool_words(const struct doze_model *, uint32_t row);
/** Returns the pool's name if it distinguishes the pool from the others, which default names do
 * not; otherwise "". Borrowed from the model. */
const char *doze_pool_name(const struct doze_model *, uint32_t row);
/** Returns the numbers that distinguish the pool, as a prefix for a worker's name: "2/", "43:1/" or
 * "". The string is in a static buffer, valid until the next call. */
const char *doze_pool_prefix(const struct doze_model *, uint32_t row);

/* ---- Describes wakers and the causes of wakes in words ---- */

/** Returns a phrase for a cause: "a job injected", "a set latch" and so on. */
const char *doze_cause_phrase(enum doze_cause);
/** Returns "worker 3"; "worker 0 of pool 2 'render'" for a worker of another pool; "the outside
 * thread 'loader' (vtid 43)" or "an outside thread (vtid 43)". The text is in a static buffer. */
const char *doze_waker_phrase(const struct doze_model *, uint32_t pool_row, int32_t waker,
			      int32_t vtid);

#endif
