/*
 * SPDX-License-Identifier: MIT
 *
 * lanes.h - the cells of one worker, for cells.c. A worker sleeps or does not exist for most of the
 * time, so equal neighbours are stored once, and empty cells not at all: memory depends on how much
 * of the worker a picture of this resolution can show, not on the number of cells.
 *
 * One thread at a time per lane. A lane of zeros is empty.
 */
#ifndef DOZE_VIZ_LANES_H
#define DOZE_VIZ_LANES_H

#include "cells.h"

struct doze_lane {
	struct doze_run *run; /* owned; see lanes.c */
	size_t count, room;
};

/** Adds `what` to cell i. Returns false if out of memory; the lane then lacks it. */
bool doze_lane_add(struct doze_lane *, size_t i, const struct doze_cell *what);
/** Merges cells 2i and 2i+1 into cell i. Returns false if out of memory, with the lane unchanged.
 */
bool doze_lane_fold(struct doze_lane *);
/** Returns the sum of the cells from `first` to `last` (exclusive). */
struct doze_cell doze_lane_sum(const struct doze_lane *, size_t first, size_t last);
void doze_lane_free(struct doze_lane *);

#endif
