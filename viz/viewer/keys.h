/*
 * SPDX-License-Identifier: MIT
 *
 * keys.h - the table of keys and their functions, from which help and footer are generated.
 */
#ifndef DOZE_TUI_KEYS_H
#define DOZE_TUI_KEYS_H

#include "scene.h"

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

struct tui_key {
	const char *name, *help; /* name as shown in the help; a null help ends the table */
	const char *foot;        /* word for the footer, or null if the footer omits the key */
	int keys[9];             /* the keys that run the function */
	enum tui_answer (*run)(struct tui_scene *, int key);
};

extern const struct tui_key tui_keys[];

/** Handles a click or the wheel. A click on a lane selects its worker and sets the cursor; a click
 * on a tab shows that pane. The wheel zooms at the pointer (wheel 1: in). */
void tui_mouse_press(struct tui_scene *, int x, int y, int wheel);
/** Runs the function of a key; unknown keys have no effect. */
enum tui_answer tui_key_press(struct tui_scene *, int key);

#endif
