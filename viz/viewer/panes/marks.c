/*
 * SPDX-License-Identifier: MIT
 *
 * marks.c - lists bookmarks, and the marks that the program made. Enter moves the cursor
 * to the selected mark.
 */

#include "../screen/phrases.h"
#include "panes.h"

static void list(const struct tui_scene *s, int order, struct tui_list *l)
{
	const struct tui_ring *r = &tui_newest(s)->marks;

	(void)order;
	for (size_t i = 0; i < r->count; i++) {
		const struct tui_event *e = tui_ring_at(r, i);

		if (e->at <= s->now.clock)
			tui_list_add(l, (struct tui_item){
					    .at = e->at, .id = (r->dropped + i) << 1, .what = e});
	}
	for (size_t i = 0; i < s->view.n_bookmarks; i++)
		tui_list_add(l, (struct tui_item){.at = s->view.bookmarks[i],
						  .id = (uint64_t)s->view.bookmarks[i] << 1 | 1});
	tui_list_sort(l);
}

static void row(const struct tui_scene *s, const struct tui_item *item, struct tui_grid *g, int x,
		int y, int end)
{
	const struct tui_event *e = item->what;

	x = tui_put_time(s, g, x, y, item->at);
	tui_put(g, x, y, e ? s->glyphs->sep : s->glyphs->bookmark, TUI_BOLD);
	tui_text(g, x + 2, y, end, TUI_PLAIN, e ? e->note : "your bookmark");
}

const struct tui_pane_type tui_pane_marks = {
    .name = "marks",
    .what = "bookmarks, and the program's own marks",
    .list = list,
    .row = row,
    .nothing = "no marks: m sets a bookmark, and doze_mark(\"text\") sets a mark from the program",
    .orders = {"time"},
    .verb = "go there",
};
