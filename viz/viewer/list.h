/*
 * SPDX-License-Identifier: MIT
 *
 * list.h - the rows of a pane.
 */
#ifndef DOZE_TUI_LIST_H
#define DOZE_TUI_LIST_H

#include <stddef.h>
#include <stdint.h>

/** One row of a list. */
struct tui_item {
	int64_t at;  /* time of the row; 0: none */
	uint64_t id; /* identifies the row; stays the same when rows are added or dropped */
	/* sort key, unless the order is by time; the row with the largest key comes first */
	int64_t sort;
	const void *what; /* not owned; valid until the next event */
};

struct tui_list {
	struct tui_item *item; /* owned */
	size_t count, size;
};

/** Appends a row. If out of memory, ignores the row. */
void tui_list_add(struct tui_list *, struct tui_item);

#endif
