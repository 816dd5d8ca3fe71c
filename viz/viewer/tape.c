/*
 * SPDX-License-Identifier: MIT
 *
 * tape.c - see tape.h.
 */
#include "tape.h"

#include <stdlib.h>

#include "history.h"

static bool make_room(struct tui_tape *t)
{
	size_t size = t->size ? 2 * t->size : 1024;
	struct tui_fed *item;

	if (t->count < t->size)
		return true;
	item = realloc(t->item, size * sizeof *item);
	if (!item)
		return false;
	t->item = item;
	t->size = size;
	return true;
}

void tui_tape_add(struct tui_tape *t, const struct tui_fed *item)
{
	if (t->count == TUI_TAPE_MAX || !make_room(t))
		t->too_long = true;
	else
		t->item[t->count++] = *item; /* the string pointers are set when the item is fed */
}

void tui_tape_feed(const struct tui_tape *t, struct tui_history *h, int64_t to)
{
	for (size_t i = 0; i < t->count; i++) {
		struct tui_fed item;

		tui_fed_copy(&item, &t->item[i]);
		if (item.kind == TUI_ITEM_EVENT && item.ev.ts <= to)
			tui_history_feed(h, &item.ev);
		else if (item.kind == TUI_ITEM_LOST && item.to <= to)
			tui_history_discarded(h, item.from, item.to, item.count);
	}
	tui_history_quiet(h, to);
}

void tui_tape_free(struct tui_tape *t)
{
	free(t->item);
	*t = (struct tui_tape){0};
}
