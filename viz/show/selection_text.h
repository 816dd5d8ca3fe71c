/*
 * SPDX-License-Identifier: MIT
 *
 * selection_text.h - describes the selected part of a trace in words and as JSON, and checks
 * whether the trace has such a part.
 */
#ifndef DOZE_VIZ_SELECTION_TEXT_H
#define DOZE_VIZ_SELECTION_TEXT_H

#include <stdbool.h>

#include "../model/model.h"
#include "../words/json_writer.h"

/** Returns why the trace has no such part, or null if it has one. The trace may lack the pool, end
 * before `from`, or lack all workers of an item of the list. While the trace is still incomplete,
 * only the workers are checked, once at least one is known. The text is in a static buffer, valid
 * until the next call. */
const char *doze_selection_problem(const struct doze_selection *, const struct doze_model *,
				   bool complete);

/** Returns the part of the trace that the model counts and reports; borrowed. */
static inline const struct doze_selection *doze_selection_of(const struct doze_model *m)
{
	return &doze_model_limits(m)->selection;
}

/** Returns "in 200 us" or "between 1.78 s and 1.80 s", in a static buffer. */
const char *doze_selection_when(const struct doze_selection *, const struct doze_totals *);
/** Returns "worker 2", "workers 0-3,6", or "" for all workers, in a static buffer. */
const char *doze_selection_who(const struct doze_selection *);
/** Returns whether doze_selection_who names several workers. */
bool doze_selection_is_plural(const struct doze_selection *);
/** Writes the fields from and to (ns after the first event; null: the end), worker (the list; null:
 * all) and, if a pool is selected, pool. */
void doze_selection_json(struct doze_json *, const struct doze_selection *);

#endif
