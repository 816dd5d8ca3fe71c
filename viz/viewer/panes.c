/*
 * SPDX-License-Identifier: MIT
 *
 * panes.c - the table of panes.
 */
#include "panes.h"

#define TUI_PANE_ENTRY(name) &tui_pane_##name,
static const struct tui_pane_type *const table[TUI_PANE_COUNT] = {TUI_PANES(TUI_PANE_ENTRY)};

const struct tui_pane_type *tui_pane_at(int pane)
{
	return table[pane >= 0 && pane < TUI_PANE_COUNT ? pane : 0];
}

bool tui_pane_exists(const struct tui_scene *s, int pane)
{
	const struct tui_pane_type *t = tui_pane_at(pane);

	return !t->exists || t->exists(s);
}

void tui_pane_show(struct tui_scene *s, int pane)
{
	s->view.pane = pane;
	s->view.list[pane] = (struct tui_list_place){.order = s->view.list[pane].order,
						     .reverse = s->view.list[pane].reverse};
}
