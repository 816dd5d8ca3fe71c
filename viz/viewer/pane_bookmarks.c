/*
 * SPDX-License-Identifier: MIT
 *
 * pane_bookmarks.c - lists bookmarks, and the marks that the program made. Enter moves the cursor
 * to the selected mark.
 */
#include <stdlib.h>

#include "panes.h"
#include "words.h"

static int by_time(const void *pa, const void *pb)
{
	const struct tui_item *a = pa, *b = pb;

	return (a->at > b->at) - (a->at < b->at);
}

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
	if (l->count > 0)
		qsort(l->item, l->count, sizeof *l->item, by_time);
}

static void row(const struct tui_scene *s, const struct tui_item *item, struct tui_grid *g, int x,
		int y, int end)
{
	const struct tui_event *e = item->what;

	x = tui_put_time(s, g, x, y, item->at);
	tui_put(g, x, y, e ? s->look->sep : s->look->bookmark, TUI_BOLD);
	tui_text(g, x + 2, y, end, TUI_PLAIN, e ? e->note : "your bookmark");
}

static const char *empty(const struct tui_scene *s)
{
	(void)s;
	return "no marks: m sets a bookmark, and doze_mark(\"text\") sets a mark from the program";
}

const struct tui_pane_type tui_pane_bookmarks = {
    .name = "marks",
    .what = "bookmarks, and the program's own marks",
    .list = list,
    .row = row,
    .empty = empty,
    .orders = {"time"},
    .verb = "go there",
};
