/*
 * SPDX-License-Identifier: MIT
 *
 * pool_words.h - which pool is meant, where a trace has several: in one process, or in several.
 */
#ifndef DOZE_VIZ_POOL_WORDS_H
#define DOZE_VIZ_POOL_WORDS_H

#include "../model/model.h"

/** "pool 2", "pool 1 of process 43" where there are several processes; "" where there is one pool
 * only. `row` as in struct doze_pool_view. Static, good until the next call. */
const char *doze_pool_words(const struct doze_model *, uint32_t row);
/** The same in front of a worker's name: "2/", "43:1/"; "" where there is one pool only. A buffer
 * of its own. */
const char *doze_pool_prefix(const struct doze_model *, uint32_t row);

#endif
