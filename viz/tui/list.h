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
	int64_t at;       /* time of the row; 0: none */
	uint64_t id;      /* identifies the row even when the list changes */
	int64_t sort;     /* for orders other than by time; the largest value comes first */
	const void *what; /* not owned; valid until the next event */
};

struct tui_list {
	struct tui_item *item; /* owned */
	size_t count, size;
};

/** Appends a row. If out of memory, the list stays as it is. */
void tui_list_add(struct tui_list *, struct tui_item);

#endif
