/*
 * SPDX-License-Identifier: MIT
 *
 * checkpoint.h - saves the state of a model, so that a fresh model can continue from there.
 *
 * A viewer that shows a minute in the middle of a long trace feeds a model from a checkpoint
 * instead of from the beginning. A checkpoint contains pools, workers with their states and open
 * wakes, counters words, names of latches and totals. It leaves out short-lived data: open
 * decisions (a storm in progress is counted only from the checkpoint on), recent posts, waiting
 * jobs, names of threads (until each thread's next event), and the measures. Therefore, start
 * feeding some time before the part to be shown.
 *
 * A checkpoint takes a few KiB, depending on the number of workers. Only the thread that uses the
 * model may use its checkpoints.
 */
#ifndef DOZE_VIZ_MODEL_CHECKPOINT_H
#define DOZE_VIZ_MODEL_CHECKPOINT_H

#include "model.h"

struct doze_checkpoint;

/** Returns whether no wake is open. A checkpoint taken at such a time loses no information about
 * wakes. */
bool doze_model_is_settled(const struct doze_model *);
/** Returns a checkpoint of the model after the events fed so far, owned by the caller; null if out
 * of memory. */
struct doze_checkpoint *doze_checkpoint_take(const struct doze_model *);
void doze_checkpoint_free(struct doze_checkpoint *);
/** Returns the time of the latest event before the checkpoint. */
int64_t doze_checkpoint_ts(const struct doze_checkpoint *);
/** Restores a checkpoint into a model that has not been fed yet. Then feed the model the events
 * after doze_checkpoint_ts. Calls no hook of an observer. Returns false if out of memory. */
bool doze_checkpoint_resume(const struct doze_checkpoint *, struct doze_model *);

#endif
