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

/** Returns whether no wake is open. A checkpoint taken then loses nothing about wakes. */
bool doze_model_is_settled(const struct doze_model *);
/** Returns a checkpoint of the model after the events fed so far, owned by the caller; null if out
 * of memory. */
struct doze_checkpoint *doze_checkpoint_take(const struct doze_model *);
void doze_checkpoint_free(struct doze_checkpoint *);
/** Returns the time of the latest event before the checkpoint. */
int64_t doze_checkpoint_ts(const struct doze_checkpoint *);
/** Restores a checkpoint into a model that has not been fed yet. Then feed it the events after
 * doze_checkpoint_ts. No hook of an observer is called. Returns false if out of memory. */
bool doze_checkpoint_resume(const struct doze_checkpoint *, struct doze_model *);

#endif
