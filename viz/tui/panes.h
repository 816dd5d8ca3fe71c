/*
 * SPDX-License-Identifier: MIT
 *
 * panes.h - what a pane is: an entry in a table, a list of rows with a cursor, and a page for the
 * row that was opened.
 *
 * A pane defines its rows and how to draw one. The cursor, scrolling, sorting, opening and closing
 * are the same in all panes (pane_list.c). A pane without rows draws its whole area instead.
 * README.md, "To add a pane", has the steps.
 *
 * Panes read the scene and never write to the model, the history or the present.
 */
#ifndef DOZE_TUI_PANES_H
#define DOZE_TUI_PANES_H

#include "draw.h"

enum { TUI_ORDERS = 4 };

struct tui_pane_type {
	const char *name; /* one word, shown on the tab */
	const char *what; /* what the pane shows, for the help */

	/* Members of a pane with rows: */
	void (*list)(const struct tui_scene *, int order, struct tui_list *);
	void (*head)(const struct tui_scene *, struct tui_paper *); /* column heads, or null */
	/* Draws a row into columns [x, end) of row y. */
	void (*row)(const struct tui_scene *, const struct tui_item *, struct tui_grid *, int x,
		    int y, int end);
	const char *(*empty)(const struct tui_scene *); /* the text shown if there are no rows */
	const char *orders[TUI_ORDERS]; /* names of the sort orders; the first is always by time */
	bool whole; /* the cursor starts at the first row, instead of following the view's focus */

	/* What Enter does: its word in the footer, and the page of a row or an action. If detail
	 * and open are null, Enter only moves the cursor to the row's time. */
	const char *verb;
	void (*detail)(const struct tui_scene *, const struct tui_item *, struct tui_paper *);
	void (*act)(struct tui_scene *, const struct tui_item *);

	/* Member of a pane without rows: draws everything. */
	void (*draw)(const struct tui_scene *, struct tui_paper *);
	/* Returns whether the pane has anything to show in this session. Null: always. */
	bool (*exists)(const struct tui_scene *);
};

/** The panes, in the order of their tabs. The type of NAME is tui_pane_NAME, defined in
 * pane_NAME.c. */
#define TUI_PANES(X)                                                                               \
	X(story)                                                                                   \
	X(wakes)                                                                                   \
	X(storms)                                                                                  \
	X(matrix)                                                                                  \
	X(latency)                                                                                 \
	X(findings)                                                                                \
	X(explain)                                                                                 \
	X(events)                                                                                  \
	X(totals)                                                                                  \
	X(queues)                                                                                  \
	X(misses)                                                                                  \
	X(search)                                                                                  \
	X(bookmarks)                                                                               \
	X(pools)                                                                                   \
	X(automaton)                                                                               \
	X(output)                                                                                  \
	X(lesson)

#define TUI_PANE_NUMBER(name) TUI_PANE_##name,
enum { TUI_PANES(TUI_PANE_NUMBER) TUI_PANE_COUNT };

#define TUI_PANE_TYPE(name) extern const struct tui_pane_type tui_pane_##name;
TUI_PANES(TUI_PANE_TYPE)

/** Returns a pane; never null. */
const struct tui_pane_type *tui_pane_at(int pane);
bool tui_pane_exists(const struct tui_scene *, int pane);
/** Shows a pane. Its list starts at the view's focus. */
void tui_pane_show(struct tui_scene *, int pane);

/* ---- the list of the current pane (pane_list.c) ---- */

/** Draws a pane: its rows and the cursor, the page of the opened row, or its own picture. */
void tui_pane_draw(struct tui_scene *, int pane, struct tui_paper);
/** Moves the cursor by rows; by TUI_FAR, to the end. */
enum { TUI_FAR = 1 << 20 };
void tui_pane_move(struct tui_scene *, int rows);
/** Enter: opens the row at the cursor. Returns false if the pane has no rows. */
bool tui_pane_open(struct tui_scene *);
/** Esc: closes the page, or else releases the cursor. Returns false if there was neither. */
bool tui_pane_close(struct tui_scene *);
/** Switches to the next sort order, or reverses the current one. */
void tui_pane_sort(struct tui_scene *, bool reverse);
/** Returns the row at the cursor of the current pane, or null. Valid until the next call. */
const struct tui_item *tui_pane_item(struct tui_scene *);

#endif
