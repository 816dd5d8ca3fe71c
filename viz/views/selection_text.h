/*
 * SPDX-License-Identifier: MIT
 *
 * selection_text.h - the selected part of a trace in words and in JSON, and whether the trace has
 * such a part.
 */
#ifndef DOZE_VIZ_SELECTION_TEXT_H
#define DOZE_VIZ_SELECTION_TEXT_H

#include <stdbool.h>

#include "../model/model.h"
#include "../text/json_writer.h"

/** Null, or why the trace has no such part: it ends before `from`, or it lacks every worker of an
 * item of the list. While the trace is not complete only the workers are checked, once any worker
 * is known. Static, good until the next call. */
const char *doze_selection_problem(const struct doze_selection *, const struct doze_model *,
				   bool complete);

/** What a model counts and reports of its trace. Borrowed. */
static inline const struct doze_selection *doze_selection_of(const struct doze_model *m)
{
	return &doze_model_limits(m)->selection;
}

/* In words. Each returns a static buffer of its own. */
/** "in 200 us", or "between 1.78 s and 1.80 s". */
const char *doze_selection_when(const struct doze_selection *, const struct doze_totals *);
/** "worker 2", "workers 0-3,6", or "" for all. */
const char *doze_selection_who(const struct doze_selection *);
/** Whether doze_selection_who names several workers. */
bool doze_selection_is_plural(const struct doze_selection *);
/** Fields from, to (ns after the first event, null: the end) and worker (the list, null: all). */
void doze_selection_json(struct doze_json *, const struct doze_selection *);

#endif
