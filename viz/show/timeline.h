/*
 * SPDX-License-Identifier: MIT
 *
 * timeline.h - a trace as text: one lane per worker, wakes as marks, the JEC, storms.
 *
 * The listener fills the timeline while the model processes the trace; afterwards, print the
 * timeline once. The timeline keeps cells, not events, so its size does not depend on the length of
 * the trace.
 */
#ifndef DOZE_VIZ_TIMELINE_H
#define DOZE_VIZ_TIMELINE_H

#include <stdio.h>

#include "../model/model.h"
#include "../words/palette.h"

struct doze_timeline;

#define DOZE_TIMELINE_NARROWEST 20
#define DOZE_TIMELINE_WIDEST    10000

/** Returns a timeline owned by the caller, or null if out of memory. columns is the total width of
 * the output, within the two limits above. Copies the selection. */
struct doze_timeline *doze_timeline_new(size_t columns, const struct doze_selection *);
void doze_timeline_free(struct doze_timeline *);

/** Makes ts (ns) time 0 of the output. Call this before the model processes an event; only the
 * first call has an effect. */
void doze_timeline_begin(struct doze_timeline *, int64_t ts);
/** The listener for creating the model; its ctx is the timeline. */
extern const struct doze_model_listener doze_timeline_listener;

/** Prints the timeline. */
void doze_timeline_print(const struct doze_timeline *, const struct doze_model *,
			 const struct doze_palette *, FILE *out);

#endif
