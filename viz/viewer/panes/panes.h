/*
 * SPDX-License-Identifier: MIT
 *
 * panes.h - the interface of a pane: an entry in the table of panes, usually with a list of rows, a
 * cursor, and a page that shows the opened row.
 *
 * A pane defines its rows and how to draw one. The cursor, scrolling, sorting, opening and closing
 * are the same in all panes (panes.c). A pane without rows draws its whole area instead.
 * README.md, "To add a pane", has the steps.
 *
 * Panes only read the model, the history and the scene's copy of the current state.
 */
#ifndef DOZE_TUI_PANES_H
#define DOZE_TUI_PANES_H

#include "../screen/archive.h"
#include "../screen/parts.h"
#include "../screen/scene.h"

/* Keys that are not characters; term.c translates them. */
enum {
	TUI_KEY_NONE = 0,
	TUI_KEY_TAB = '\t',
	TUI_KEY_ENTER = '\n',
	TUI_KEY_ESC = 27,
	TUI_KEY_BACKSPACE = 127,
	TUI_KEY_UP = 0x1000,
	TUI_KEY_DOWN,
	TUI_KEY_LEFT,
	TUI_KEY_RIGHT,
	TUI_KEY_PAGE_UP,
	TUI_KEY_PAGE_DOWN,
	TUI_KEY_HOME,
	TUI_KEY_END,
	TUI_KEY_BACKTAB,
	TUI_KEY_RESIZE,
	TUI_KEY_MOUSE,
	TUI_KEY_F1 = 0x1101,
	TUI_KEY_F10 = 0x110a,
};

enum tui_answer {
	TUI_GO_ON,
	TUI_QUIT,
	TUI_REDRAW, /* redraw everything, because another program has written to the screen */
	TUI_SAVE    /* save the session, with a picture of the screen */
};

enum { TUI_ORDERS = 4 };

struct tui_pane_type {
	const char *name; /* one word, shown on the tab */
	const char *what; /* what the pane shows, for the help */

	/* Members of a pane with rows: */
	void (*list)(const struct tui_scene *, int order, struct tui_list *);
	/* draws the column heads; may be null */
	void (*head)(const struct tui_scene *, struct tui_textbox *);
	/* Draws a row into columns [x, end) of row y. */
	void (*row)(const struct tui_scene *, const struct tui_item *, struct tui_grid *, int x,
		    int y, int end);
	/* The text to show if there are no rows, or a function that returns it. */
	const char *nothing;
	const char *(*empty)(const struct tui_scene *);
	const char *orders[TUI_ORDERS]; /* names of the sort orders; the first is always by time */
	bool whole; /* the cursor starts at the first row and does not follow the view's focus */

	/* The function of Enter: the word for it in the footer; then either `detail`, which draws
	 * the page of a row, or `act`, which does something else. If both are null, Enter only
	 * moves the cursor to the row's time. */
	const char *verb;
	void (*detail)(const struct tui_scene *, const struct tui_item *, struct tui_textbox *);
	void (*act)(struct tui_scene *, const struct tui_item *);

	/* Member of a pane without rows: draws the whole pane. */
	void (*draw)(const struct tui_scene *, struct tui_textbox *);
	/* Returns whether the pane has anything to show in this session. Null: always. */
	bool (*exists)(const struct tui_scene *);
};

/** The panes, in the order of their tabs. NAME.c defines the type of pane NAME,
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
	X(marks)                                                                                   \
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

/* ---- the list of the current pane ---- */

/** Draws a pane: its rows and the cursor, or the page of the opened row. A pane without rows draws
 * itself. */
void tui_pane_draw(struct tui_scene *, int pane, struct tui_textbox);
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

/* ---- search ---- */

/** Returns whether an event passes the filters and contains the search text. */
bool tui_search_matches(const struct tui_scene *, const struct tui_event *);
/** Searches new events, or all events if the search text has changed. */
void tui_search_update(struct tui_scene *);

/** Searches, on disk, the part of a trace that is no longer in memory. Reads a few seconds at a
 * time, which bounds the memory and leaves time to respond to keys. Matches are stored in
 * scene.found.disk. */
struct tui_disk_search {
	struct tui_disk_read load;
	char text[TUI_TEXT]; /* the text being searched */
	int64_t next;        /* everything before this time has been searched */
	bool full; /* the search has ended: too many matches, or the disk cannot be read */
};

/** Continues the search on disk for the view's search text while the search pane is shown. Returns
 * whether the screen changes. Main thread only. */
bool tui_disk_search_step(struct tui_disk_search *, struct tui_archive *, struct tui_scene *);
void tui_disk_search_end(struct tui_disk_search *);

/* ---- output ---- */

/** Reads the last TUI_OUTPUT_BYTES of the file if it has grown since the last call. If the file
 * cannot be read, keeps the previous lines. Returns whether the lines changed. Main thread only. */
bool tui_output_read(struct tui_output *, const char *path);

enum { TUI_OUTPUT_BYTES = 16384, TUI_OUTPUT_LINES = 400 };

/*
 * ---- lesson: the teacher steps with Space, the class answers with 1 to 4.
 *
 * Each step feeds a new history up to the step's moment. The model therefore does not know any
 * later event, and no part of the screen can reveal one.
 */

/** Begins the lesson of the scene. Call it when the whole recording has been read. Returns false,
 * with one line in s->lesson.problem, if the recording lacks one of the lesson's moments. */
bool tui_lesson_begin(struct tui_scene *);
/** Handles a key and sets *answer. Returns false if the lesson does not use the key. */
bool tui_lesson_key(struct tui_scene *, int key, enum tui_answer *answer);
/** Moves the window to the step's moment, once per step. Call it when the width is known. */
void tui_lesson_frame(struct tui_scene *);
/** Returns whether the scene has a lesson that has begun. */
bool tui_lesson_on(const struct tui_scene *);
/** Returns the pane to show below the step's text, or -1. */
int tui_lesson_pane(const struct tui_scene *);
/** Returns the number of rows that the step's text needs at the given width. */
int tui_lesson_rows(const struct tui_scene *, int width);

#endif
