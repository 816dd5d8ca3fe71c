/*
 * SPDX-License-Identifier: MIT
 *
 * selected.h - the selected part of a trace: its description, and a listener that passes on only
 * what it contains.
 */
#ifndef DOZE_VIZ_SELECTED_H
#define DOZE_VIZ_SELECTED_H

#include <stdbool.h>

#include "../model/model.h"
#include "../words/quote.h"

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

/** Returns the pool of a worker, or null if the model does not know the pool. The model need not
 * know the worker. The search begins at row *guess, which becomes the pool's row. */
const struct doze_pool_view *doze_pool_of_key(const struct doze_model *,
					      const struct doze_worker_key *, size_t *guess);

/*
 * ---- The listener ----
 *
 * Views that show individual intervals, wakes, counters words, marks or losses need it, because the
 * model limits only its totals, storms and findings to the selection.
 */

/** Fill in .to and .ctx, then call doze_selected_model; or create the model with
 * doze_selected_listener and this struct as its ctx, then set .model. */
struct doze_selected {
	const struct doze_model *model;       /* not owned */
	const struct doze_model_listener *to; /* not owned */
	void *ctx;                            /* ctx of `to` */
};

/** Shortens each interval to the selected time. A wake is selected as in the model: by its
 * notification and its wakee. Marks, counters words and losses belong to all workers. */
extern const struct doze_model_listener doze_selected_listener;

/** Creates a model that passes to s->to what its selection contains, and sets s->model. Returns the
 * owned model, or null if out of memory. s must live as long as the model. */
struct doze_model *doze_selected_model(struct doze_selected *s, const struct doze_model_options *);

/** Returns whether the selection contains an event, by its time and its worker. The model must know
 * the beginning of the trace, which doze_load passes to it. No selection of workers contains
 * outside threads. */
bool doze_selected_event(const struct doze_model *, const struct doze_event *);

/** Returns the bounds of the selected time range in trace time, ns. */
int64_t doze_selected_from(const struct doze_model *, const struct doze_selection *);
int64_t doze_selected_to(const struct doze_model *, const struct doze_selection *);
/** Like doze_selected_from, for the model's own selection. A selection from the beginning also
 * contains events that a damaged trace dates before the beginning, so its bound is INT64_MIN. */
int64_t doze_selected_lower(const struct doze_model *);

#endif
