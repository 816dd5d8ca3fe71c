/*
 * SPDX-License-Identifier: MIT
 *
 * part.h - the model of a part of a trace, without the events before and after the part.
 *
 * While a model is fed a whole trace, its state in progress can be saved at any time. Another
 * model, whose selection is limited to a range of time, loads the state before its range, is fed
 * until nothing is in progress that began in the range, and then takes what the whole trace shows
 * (its end, its pools, names) from the finished model. Its numbers are those that it would have if
 * it had been fed the whole trace. That is so only for plain traces, in which nothing was lost and
 * no rule was broken: a later loss could make an earlier span unknown.
 *
 * Usually, observers are not called meanwhile, and the caller loads their state for the whole
 * trace.
 */
#ifndef DOZE_VIZ_PART_H
#define DOZE_VIZ_PART_H

#include "model.h"
#include "saved.h"

/** Prepares a model that has not been fed for a part. It may then load the state before the part; a
 * part at the beginning of the trace has none. observed: its observers follow the part. */
void doze_model_part_begin(struct doze_model *, bool observed);
/** Saves the state in progress of a model that is being fed, or loads it; then calls the listener's
 * on_word with the counters word of each pool. */
void doze_model_running_saved(struct doze_model *, struct doze_saved *);
/** Returns whether parts of the trace of this finished model can be read alone. */
bool doze_model_is_plain(const struct doze_model *);
/** Returns whether the model has seen an event after the time `to` (ns), and nothing is in progress
 * that began by then. */
bool doze_model_is_settled_by(const struct doze_model *, int64_t to);
/** Finishes a model that was fed a part: calls its listener for the spans and storms that are still
 * open, and loads the finished model of the whole trace (doze_model_saved). Returns false if out of
 * memory or after a failure. */
bool doze_model_part_finish(struct doze_model *, struct doze_saved *whole);

#endif
