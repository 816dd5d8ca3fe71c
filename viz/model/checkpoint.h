/*
 * SPDX-License-Identifier: MIT
 *
 * checkpoint.h - what a model knows at one moment, to go on from there in a fresh model.
 *
 * A viewer that shows a minute in the middle of a long trace feeds a model from a checkpoint
 * instead of from the beginning: pools, workers with their states and open wakes, counters words,
 * names of latches and totals continue. Left out is what lasts for a moment only: open decisions (a
 * storm that goes on across the checkpoint counts from there), recent posts, which jobs wait, the
 * names of threads (until their next event), and the measures. So feed some time before the part
 * that is to be shown.
 *
 * A few KiB, by the number of workers. Main thread only, as the model.
 */
#ifndef DOZE_VIZ_MODEL_CHECKPOINT_H
#define DOZE_VIZ_MODEL_CHECKPOINT_H

#include "model.h"

struct doze_checkpoint;

/** Returns whether no wake is under way, so that a checkpoint loses the least. */
bool doze_model_is_settled(const struct doze_model *);
/** Returns an owned checkpoint after the events that were fed; null when memory is short. */
struct doze_checkpoint *doze_checkpoint_take(const struct doze_model *);
void doze_checkpoint_free(struct doze_checkpoint *);
/** Returns the time of the latest event before the checkpoint. */
int64_t doze_checkpoint_ts(const struct doze_checkpoint *);
/** Gives a model that has not been fed yet the checkpoint's state; feed it the events with a later
 * time. Observers do not learn of it. Returns false when memory is short. */
bool doze_checkpoint_resume(const struct doze_checkpoint *, struct doze_model *);

#endif
