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
	int32_t waker; /* row; -1: all outside threads */
	uint32_t target;
};

/** A hash table of the pairs with a wake: workers of different pools do not wake each other, so in
 * a trace of many pools most pairs have none. Initialise with zeros. */
struct tui_pairs {
	struct tui_pair *pair; /* owned; entries without wakes are free */
	size_t room, count;    /* room: 0 or a power of two */
};

/** Counts a wake from the worker in row `waker` (-1: an outside thread) to the one in row `target`,
 * unless memory runs out. rows: number of rows so far. */
void tui_pairs_count(struct tui_pairs *, int32_t waker, uint32_t target, size_t rows, bool futile);
/** Returns the wakes from the worker in row `waker` (-1: an outside thread) to the one in row
 * `target`; never null. */
const struct tui_pair *tui_pair_at(const struct tui_pairs *, int32_t waker, uint32_t target);
void tui_pairs_free(struct tui_pairs *);

#endif
