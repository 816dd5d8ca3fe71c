/*
 * SPDX-License-Identifier: MIT
 *
 * ring.h - the newest items of a stream, up to a bound; the oldest fall out.
 *
 * Items are plain memory of one size, numbered from 0 (oldest kept) to count - 1 (newest). The ring
 * grows by doubling until `max`. Main thread only.
 */
#ifndef DOZE_TUI_RING_H
#define DOZE_TUI_RING_H

#include <stddef.h>
#include <stdint.h>

struct tui_ring {
	size_t item; /* bytes of one item; set before the first push, then fixed */
	size_t cap, head, count;
	uint64_t dropped; /* fell out, or did not fit for lack of memory */
	char *data;
};

/** Appends a copy of *item, dropping the oldest item when `max` are kept already (a `max` smaller
 * than before takes effect at once). Never fails: without memory it makes do with what it has. */
void tui_ring_push(struct tui_ring *, const void *item, size_t max);
/** Item i, or null when there is none; valid until the next push. */
void *tui_ring_at(const struct tui_ring *, size_t i);
void tui_ring_free(struct tui_ring *);

/** Each item begins with an int64_t, and those ascend: the number of the first item with a value
 * > t, `count` when there is none. */
size_t tui_ring_after(const struct tui_ring *, int64_t t);

#endif
