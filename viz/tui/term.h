/*
 * SPDX-License-Identifier: MIT
 *
 * term.h - the terminal: ncurses, colours, keys, signals. The only file that knows ncurses.
 *
 * Main thread only, one terminal at a time. Whatever ends the viewer, the terminal is put back:
 * tui_term_close on the ordinary way, a handler for fatal signals otherwise.
 */
#ifndef DOZE_TUI_TERM_H
#define DOZE_TUI_TERM_H

#include <stdbool.h>

#include "grid.h"
#include "tui.h"

/** 0 when standard input and output are a terminal, else -1 after one line of complaint. */
int tui_term_check(void);
/** Takes the terminal over. Returns 0, or -1 after one line of complaint on stderr (not a terminal,
 * TERM unknown or too dumb); nothing is changed then. */
int tui_term_open(enum doze_tui_color, bool mouse);
void tui_term_close(void);
/** Whether the locale can show more than ASCII. setlocale must have been called. */
bool tui_term_unicode(void);
void tui_term_size(int *w, int *h);
/** Shows the grid; only what changed is sent. */
void tui_term_show(const struct tui_grid *);
/** Sends everything at the next show. */
void tui_term_disturbed(void);
/** A key (keys.h), TUI_KEY_NONE when none waits. After TUI_KEY_MOUSE: tui_term_mouse. */
int tui_term_key(void);
struct tui_mouse {
	int x, y;
	int wheel; /* 0 pressed, 1 turned away from the user, -1 towards */
};
struct tui_mouse tui_term_mouse(void);

/** Signals: SIGINT, SIGTERM, SIGHUP, SIGQUIT are taken note of; *fd becomes readable then. */
int tui_signals_open(int *fd);
void tui_signals_close(void);
/** The signal that came, or 0. */
int tui_signal_seen(void);
/** True once after the process was suspended and continued: the screen must be drawn anew. */
bool tui_signal_continued(void);

#endif
