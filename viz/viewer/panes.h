/*
 * SPDX-License-Identifier: MIT
 *
 * panes.h - the interface of a pane: an entry in the table of panes, usually with a list of rows, a
 * cursor, and a page that shows the opened row.
 *
 * A pane defines its rows and how to draw one. The cursor, scrolling, sorting, opening and closing
 * are the same in all panes (pane_list.c). A pane without rows draws its whole area instead.
 * README.md, "To add a pane", has the steps.
 *
 * Panes only read the model, the history and the scene's copy of the current state.
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
	/* draws the column heads; may be null */
	void (*head)(const struct tui_scene *, struct tui_paper *);
	/* Draws a row into columns [x, end) of row y. */
	void (*row)(const struct tui_scene *, const struct tui_item *, struct tui_grid *, int x,
		    int y, int end);
	/* returns the text to show if there are no rows */
	const char *(*empty)(const struct tui_scene *);
	const char *orders[TUI_ORDERS]; /* names of the sort orders; the first is always by time */
	bool whole; /* the cursor starts at the first row and does not follow the view's focus */

	/* The function of Enter: the word for it in the footer; then either `detail`, which draws
	 * the page of a row, or `act`, which does something else. If both are null, Enter only
	 * moves the cursor to the row's time. */
	const char *verb;
	void (*detail)(const struct tui_scene *, const struct tui_item *, struct tui_paper *);
	void (*act)(struct tui_scene *, const struct tui_item *);

	/* Member of a pane without rows: draws the whole pane. */
	void (*draw)(const struct tui_scene *, struct tui_paper *);
	/* Returns whether the pane has anything to show in this session. Null: always. */
	bool (*exists)(const struct tui_scene *);
};

/** The panes, in the order of their tabs. pane_NAME.c defines the type of pane NAME,
 * tui_pane_NAME. */
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

/** Returns the type of a pane; never null. */
const struct tui_pane_type *tui_pane_at(int pane);
bool tui_pane_exists(const struct tui_scene *, int pane);
/** Shows a pane. The cursor of its list starts at the view's focus. */
void tui_pane_show(struct tui_scene *, int pane);

/* ---- the list of the current pane (pane_list.c) ---- */

/** Draws a pane: its rows and the cursor, or the page of the opened row. A pane without rows draws
 * itself. */
void tui_pane_draw(struct tui_scene *, int pane, struct tui_paper);
/** Moves the cursor by the given number of rows. TUI_FAR moves it to the end. */
enum { TUI_FAR = 1 << 20 };
void tui_pane_move(struct tui_scene *, int rows);
/** For Enter: opens the row at the cursor. Returns false if the pane has no rows. */
bool tui_pane_open(struct tui_scene *);
/** For Esc: closes the opened page or, if there is none, lets the cursor follow the focus again.
 * Returns false if there was nothing to do. */
bool tui_pane_close(struct tui_scene *);
/** Switches to the next sort order, or reverses the current one. */
void tui_pane_sort(struct tui_scene *, bool reverse);
/** Returns the row at the cursor of the current pane, or null. Valid until the next call. */
const struct tui_item *tui_pane_item(struct tui_scene *);

#endif
