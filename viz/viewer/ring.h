/*
 * SPDX-License-Identifier: MIT
 *
 * ring.h - keeps the newest items of a stream, up to a limit, and drops older ones. Items are plain
 * memory of one size, numbered from 0 (the oldest that is kept) to count - 1 (the newest). The ring
 * grows by doubling, up to `max`. Main thread only.
 */
#ifndef DOZE_TUI_RING_H
#define DOZE_TUI_RING_H

#include <stddef.h>
#include <stdint.h>

struct tui_ring {
	size_t item; /* size of an item in bytes; set before the first push, then fixed */
	size_t cap, head, count;
	uint64_t dropped; /* number of items that were dropped, or not stored for lack of memory */
	char *data;
};

/** Appends a copy of *item. If the ring has `max` items, drops the oldest; `max` may be smaller
 * than in earlier calls. Never fails: if out of memory, the ring keeps its size. */
void tui_ring_push(struct tui_ring *, const void *item, size_t max);
/** Returns item i, or null if there is no such item. Valid until the next push. */
void *tui_ring_at(const struct tui_ring *, size_t i);
void tui_ring_free(struct tui_ring *);

/** For items that begin with an ascending int64_t: returns the index of the first item with a value
 * > t, or `count` if there is none. */
size_t tui_ring_after(const struct tui_ring *, int64_t t);

#endif
