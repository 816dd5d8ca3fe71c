/*
 * SPDX-License-Identifier: MIT
 *
 * latch_names.h - names the fields of a latch, for reports of races and of uses after free.
 */
#ifndef DOZE_EXPLORE_LATCH_NAMES_H
#define DOZE_EXPLORE_LATCH_NAMES_H

#include "labs/explorer/explore.h"
#include "lib/core_latch.h"

#define NAME_FIELD(p, field, what) ex_name_range(&(p)->field, sizeof((p)->field), what)

static inline void name_latch(const struct doze_core_latch *latch)
{
	NAME_FIELD(latch, state, "the latch's state (latch->state)");
	NAME_FIELD(latch, kind, "the latch's kind (latch->kind)");
	NAME_FIELD(latch, owner, "the latch's owner (latch->owner)");
	NAME_FIELD(latch, id, "the latch's id (latch->id)");
	NAME_FIELD(latch, suspended, "the latch's holder (latch->suspended)");
}

#endif
