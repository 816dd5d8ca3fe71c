/*
 * SPDX-License-Identifier: MIT
 *
 * waker_words.h - wakers and the causes of wakes in words.
 */
#ifndef DOZE_VIZ_WAKER_WORDS_H
#define DOZE_VIZ_WAKER_WORDS_H

#include "../event/event.h"

/** Returns "a job injected", "a set latch" and so on. */
const char *doze_cause_phrase(enum doze_cause);
/** Returns "worker 3" or "an outside thread (vtid 43)", in a static buffer. */
const char *doze_waker_phrase(int32_t waker, int32_t vtid);

#endif
