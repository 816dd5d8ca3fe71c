/*
 * SPDX-License-Identifier: MIT
 *
 * waker_words.h - describes wakers and the causes of wakes in words.
 */
#ifndef DOZE_VIZ_WAKER_WORDS_H
#define DOZE_VIZ_WAKER_WORDS_H

#include "../model/model.h"

/** Returns a phrase for a cause: "a job injected", "a set latch" and so on. */
const char *doze_cause_phrase(enum doze_cause);
/** Returns "worker 3"; "worker 0 of pool 2 'render'" for a worker of another pool; "the outside
 * thread 'loader' (vtid 43)" or "an outside thread (vtid 43)". The text is in a static buffer. */
const char *doze_waker_phrase(const struct doze_model *, uint32_t pool_row, int32_t waker,
			      int32_t vtid);

#endif
