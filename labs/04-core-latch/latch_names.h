/*
 * SPDX-License-Identifier: MIT
 *
 * latch_names.h - names of a latch's fields and states, for the reports of scenarios.c.
 */
#ifndef DOZE_LAB_LATCH_NAMES_H
#define DOZE_LAB_LATCH_NAMES_H

#include "labs/scenarios/latch_names.h"
#include "lib/pool.h"

static inline void name_fields(const struct doze_core_latch *latch,
			       const struct doze_worker *worker)
{
	name_latch(latch);
	NAME_FIELD(worker, index, "the worker's index (latch->owner->index)");
	NAME_FIELD(worker, pool, "the worker's pool (latch->owner->pool)");
}

static inline const char *name_of(uint32_t s)
{
	static const char *const names[] = {"UNSET", "SLEEPY", "SLEEPING", "SET", "SUSPENDED"};
	return s < sizeof(names) / sizeof(*names) ? names[s] : "an unknown state";
}

#endif
