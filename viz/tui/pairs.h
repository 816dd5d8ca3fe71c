/*
 * SPDX-License-Identifier: MIT
 *
 * pairs.h - counts wakes for each pair of waker and woken worker.
 */
#ifndef DOZE_TUI_PAIRS_H
#define DOZE_TUI_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The number of wakes from one worker to another, and how many of them were futile. */
struct tui_pair {
	uint32_t wakes, futile;
};

/** A square matrix. Waker 0 stands for all outside threads, waker n + 1 for the worker in row n. */
struct tui_pairs {
	struct tui_pair *pair; /* owned; [waker * side + target row] */
	size_t side;
};

/** Counts a wake from the worker in row `waker` (-1: an outside thread) to the one in row `target`.
 * rows: number of rows so far. */
void tui_pairs_count(struct tui_pairs *, int32_t waker, uint32_t target, size_t rows, bool futile);
/** Returns the wakes from the worker in row `waker` (-1: an outside thread) to the one in row
 * `target`; never null. */
const struct tui_pair *tui_pair_at(const struct tui_pairs *, int32_t waker, uint32_t target);
void tui_pairs_free(struct tui_pairs *);

#endif
