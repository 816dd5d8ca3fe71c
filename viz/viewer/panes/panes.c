/*
 * SPDX-License-Identifier: MIT
 *
 * panes.c - the table of panes, and what all panes have in common: the cursor, the order and the
 * opened row. See panes.h.
 */
#include "panes.h"

#include <stdio.h>
#include <stdlib.h>

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

/*
 * ---- the list of a pane
 *
 * A list's cursor follows the view's focus until the user moves it. From then on it stays on one
 * row, identified by its id, until the user presses Esc, even while the list grows or loses its
 * oldest rows.
 */

/* ---- rows ---- */

static int largest_first(const void *pa, const void *pb)
{
	const struct tui_item *a = pa, *b = pb;

	if (a->sort != b->sort)
		return a->sort < b->sort ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

static void turn(struct tui_list *l)
{
	for (size_t i = 0, k = l->count; i + 1 < k; i++) {
		struct tui_item x = l->item[i];

		l->item[i] = l->item[--k];
		l->item[k] = x;
	}
}

/* Returns the rows of a pane in its current order. The list belongs to the scene and is used by one
 * pane at a time. */
static struct tui_list *rows_of(struct tui_scene *s, int pane)
{
	const struct tui_pane_type *t = tui_pane_at(pane);
	const struct tui_list_place *p = &s->view.list[pane];
	struct tui_list *l = &s->list;

	l->count = 0;
	if (!t->list)
		return l;
	t->list(s, p->order, l);
	if (p->order > 0 && l->count > 0)
		qsort(l->item, l->count, sizeof *l->item, largest_first);
	if (p->reverse)
		turn(l);
	return l;
}

/* Returns the last row whose time is not after the focus. */
static size_t at_focus(const struct tui_scene *s, const struct tui_list *l)
{
	int64_t t = tui_view_focus(&s->view);
	size_t lo = 0, hi = l->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (l->item[mid].at > t)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo ? lo - 1 : 0;
}

/* Returns the row of the pane's cursor: less than l->count unless the list is empty. */
static size_t cursor_of(struct tui_scene *s, int pane, const struct tui_list *l)
{
	struct tui_list_place *p = &s->view.list[pane];
	bool by_time = p->order == 0 && !p->reverse && !tui_pane_at(pane)->whole;

	if (p->held) {
		size_t guess = p->row < l->count ? p->row : l->count;

		/* Search for the row with this id in both directions from its previous index,
		 * because it has usually not moved far. */
		for (size_t i = 0; i <= guess || guess + i < l->count; i++) {
			if (guess + i < l->count && l->item[guess + i].id == p->id)
				return p->row = guess + i;
			if (i <= guess && guess - i < l->count && l->item[guess - i].id == p->id)
				return p->row = guess - i;
		}
		p->row = l->count && p->row >= l->count ? l->count - 1 : p->row;
		return l->count ? p->row : 0;
	}
	p->row = by_time && l->count ? at_focus(s, l) : 0;
	return p->row;
}

/* ---- drawing ---- */

static int scroll_to(struct tui_list_place *p, size_t count, int rows, bool below)
{
	size_t n = rows > 0 ? (size_t)rows : 1;
	/* While the cursor follows the focus, its row is the last one on the screen or, if later
	 * rows exist, at two thirds of the height. */
	size_t margin = !p->held && below ? n / 3 : 0;

	if (!p->held)
		p->first = p->row + 1 + margin > n ? p->row + 1 + margin - n : 0;
	if (p->row < p->first)
		p->first = p->row;
	if (p->row >= p->first + n)
		p->first = p->row - n + 1;
	if (p->first + n > count)
		p->first = count > n ? count - n : 0;
	return rows;
}

static void draw_rows(struct tui_scene *s, int pane, struct tui_textbox *box)
{
	const struct tui_pane_type *t = tui_pane_at(pane);
	struct tui_list *l = rows_of(s, pane);
	struct tui_list_place *p = &s->view.list[pane];
	size_t cursor = cursor_of(s, pane, l);

	if (!l->count) {
		tui_say(box, TUI_DIM,
			t->empty     ? t->empty(s)
			: t->nothing ? t->nothing
				     : "nothing yet");
		return;
	}
	scroll_to(p, l->count, box->bottom - box->y, s->view.at.has_cursor && !t->whole);
	for (size_t i = p->first; i < l->count && box->y < box->bottom; i++, box->y++) {
		t->row(s, &l->item[i], box->g, box->x + 1, box->y, box->end);
		if (i != cursor)
			continue;
		tui_put(box->g, box->x, box->y, s->glyphs->select, TUI_BOLD);
		for (int x = box->x + 1; p->held && x < box->end; x++)
			tui_mark(box->g, x, box->y, TUI_REVERSE);
	}
}

void tui_pane_draw(struct tui_scene *s, int pane, struct tui_textbox box)
{
	const struct tui_pane_type *t = tui_pane_at(pane);
	struct tui_list_place *p = &s->view.list[pane];

	if (box.y >= box.bottom)
		return;
	if (t->draw) {
		t->draw(s, &box);
		return;
	}
	if (p->open && t->detail) {
		struct tui_list *l = rows_of(s, pane);
		size_t i = cursor_of(s, pane, l);

		box.x++;
		if (i < l->count)
			t->detail(s, &l->item[i], &box);
		return;
	}
	if (t->head && box.bottom - box.y > 2) {
		box.x++;
		t->head(s, &box);
		box.x--;
	}
	draw_rows(s, pane, &box);
}

/* ---- keys ---- */

const struct tui_item *tui_pane_item(struct tui_scene *s)
{
	struct tui_list *l = rows_of(s, s->view.pane);
	size_t i = cursor_of(s, s->view.pane, l);

	return i < l->count ? &l->item[i] : NULL;
}

void tui_pane_move(struct tui_scene *s, int rows)
{
	struct tui_list_place *p = &s->view.list[s->view.pane];
	struct tui_list *l = rows_of(s, s->view.pane);
	size_t at = cursor_of(s, s->view.pane, l), step = (size_t)abs(rows);

	if (!l->count)
		return;
	if (rows < 0)
		at = at > step ? at - step : 0;
	else
		at = at + step < l->count ? at + step : l->count - 1;
	p->held = true;
	p->row = at;
	p->id = l->item[at].id;
}

static void go_to(struct tui_scene *s, const struct tui_item *item)
{
	if (!item->at)
		return;
	tui_view_remember(&s->view);
	tui_view_goto(&s->view, item->at);
}

bool tui_pane_open(struct tui_scene *s)
{
	const struct tui_pane_type *t = tui_pane_at(s->view.pane);
	struct tui_list_place *p = &s->view.list[s->view.pane];
	const struct tui_item *item = tui_pane_item(s);

	if (!t->list)
		return false;
	if (!item || p->open)
		return true;
	p->held = true;
	p->id = item->id;
	go_to(s, item);
	p->open = t->detail != NULL;
	if (t->act)
		t->act(s, item);
	return true;
}

bool tui_pane_close(struct tui_scene *s)
{
	struct tui_list_place *p = &s->view.list[s->view.pane];
	bool any = p->open || p->held;

	if (p->open)
		p->open = false;
	else
		p->held = false;
	return any;
}

void tui_pane_sort(struct tui_scene *s, bool reverse)
{
	const struct tui_pane_type *t = tui_pane_at(s->view.pane);
	struct tui_list_place *p = &s->view.list[s->view.pane];
	int n = 0;

	while (n < TUI_ORDERS && t->orders[n])
		n++;
	if (!t->list || (!n && !reverse)) {
		snprintf(s->message, sizeof s->message, "this pane has only one sort order");
		return;
	}
	if (reverse)
		p->reverse = !p->reverse;
	else
		p->order = (p->order + 1) % n;
	p->held = p->open = false;
	snprintf(s->message, sizeof s->message, "sorted by %s%s", n ? t->orders[p->order] : "time",
		 p->reverse ? ", reversed" : "");
}
