/*
 * SPDX-License-Identifier: MIT
 *
 * timeline.h - a trace as text: a lane for each worker, wakes as marks, the JEC, storms.
 *
 * Put the listener's facts in while the model folds the trace, then print once. Cells, not events,
 * are kept, so the length of the trace does not matter.
 */
#ifndef DOZE_VIZ_TIMELINE_H
#define DOZE_VIZ_TIMELINE_H

#include <stdio.h>

#include "../model/model.h"
#include "../text/palette.h"

struct doze_timeline;

#define DOZE_TIMELINE_NARROWEST 20
#define DOZE_TIMELINE_WIDEST    10000

/** columns: the whole width of the output, within these two. The selection is copied. Returns an
 * owned timeline, or null when memory is short. */
struct doze_timeline *doze_timeline_new(size_t columns, const struct doze_selection *);
void doze_timeline_free(struct doze_timeline *);

/** Call with each event before the model folds it in: the first one is the origin of time. */
void doze_timeline_event(struct doze_timeline *, const struct doze_event *);
/** The listener to create the model with; its ctx is the timeline. */
extern const struct doze_model_listener doze_timeline_listener;

/** Prints what was put in. */
void doze_timeline_print(const struct doze_timeline *, const struct doze_model *,
			 const struct doze_palette *, FILE *out);

#endif
