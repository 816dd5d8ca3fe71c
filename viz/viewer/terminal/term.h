/*
 * SPDX-License-Identifier: MIT
 *
 * term.h - the terminal: ncurses, colours, keys, signals. Only term.c calls ncurses; restore.c only
 * reads terminfo. Main thread only, one terminal at a time. The terminal is always restored: by
 * tui_term_close, or by the handler of a fatal signal.
 */
#ifndef DOZE_TUI_TERM_H
#define DOZE_TUI_TERM_H

#include <stdbool.h>

#include "../screen/grid.h"
#include "tui.h"

/** Returns 0 if standard input and output are terminals, or -1 after an error message. */
int tui_term_check(void);
/** Takes over the terminal. Returns 0, or -1 after an error message on stderr (not a terminal, TERM
 * unknown or too limited); the terminal is then unchanged. */
int tui_term_open(enum doze_tui_color, bool mouse);
void tui_term_close(void);
/** Returns whether the locale is UTF-8. Call setlocale first. */
bool tui_term_unicode(void);
void tui_term_size(int *w, int *h);
/** Shows the grid. Sends only the cells that have changed. */
void tui_term_show(const struct tui_grid *);
/** Makes the next tui_term_show send all cells. */
void tui_term_disturbed(void);
void tui_term_bell(void);
/** Returns a key (keys.h), or TUI_KEY_NONE. After TUI_KEY_MOUSE, call tui_term_mouse. */
int tui_term_key(void);
struct tui_mouse {
	int x, y;
	/* 0: button pressed; 1: wheel turned away from the user; -1: towards the user. */
	int wheel;
};
struct tui_mouse tui_term_mouse(void);

/** Catches SIGINT, SIGTERM, SIGHUP and SIGQUIT; *fd becomes readable when one arrives. */
int tui_signals_open(int *fd);
void tui_signals_close(void);
/** Returns the signal that has arrived, or 0. */
int tui_signal_seen(void);
/** Returns true once after the process has been suspended and continued: the caller must then
 * redraw the screen. */
bool tui_signal_continued(void);

#endif
