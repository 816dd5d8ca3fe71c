/*
 * SPDX-License-Identifier: MIT
 *
 * list.c - see list.h.
 */
#include "list.h"

#include <stdlib.h>

enum { FIRST_SIZE = 256 };

void tui_list_add(struct tui_list *l, struct tui_item item)
{
	if (l->count == l->size) {
		size_t size = l->size ? l->size * 2 : FIRST_SIZE;
		struct tui_item *more = realloc(l->item, size * sizeof *more);

		if (!more)
			return;
		l->item = more;
		l->size = size;
	}
	l->item[l->count++] = item;
}
