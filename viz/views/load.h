/*
 * SPDX-License-Identifier: MIT
 *
 * load.h - runs a recorded trace through a model: what every offline command begins with.
 */
#ifndef DOZE_VIZ_LOAD_H
#define DOZE_VIZ_LOAD_H

#include "../model/model.h"

/** Hands one event to the model, and looks at it before and after. ctx: a view's state. */
typedef void doze_feed_fn(void *ctx, struct doze_model *, const struct doze_event *);

/**
 * Reads the trace in `dir` to its end, feeds the model and finishes it. feed: null for
 * doze_model_feed alone. Returns 0, or exit code 3 after a complaint on stderr when the trace
 * cannot be read, has no event of doze, or is of a newer schema. Shows progress on stderr while it
 * is a terminal. Main thread.
 */
int doze_load(const char *dir, struct doze_model *, doze_feed_fn *feed, void *ctx);

/** Returns 0, or exit code 4 after a complaint on stderr when the finished model is inconclusive:
 * events were lost, or a pool did not stop. */
int doze_load_conclusive(const char *dir, const struct doze_model *);

#endif
