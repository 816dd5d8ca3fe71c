/*
 * SPDX-License-Identifier: MIT
 *
 * selected.h - a listener that passes on only what the model's selection contains. Views that show
 * individual intervals, wakes, counters words, marks or losses need it, because the model limits
 * only its totals, storms and findings to the selection.
 */
#ifndef DOZE_VIZ_SELECTED_H
#define DOZE_VIZ_SELECTED_H

#include "../model/model.h"

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
