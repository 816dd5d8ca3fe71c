/*
 * SPDX-License-Identifier: MIT
 *
 * restore.h - for term.c: restores the terminal in the handler of a fatal signal, where ncurses
 * must not be called, only tcsetattr, write and raise; and tells which terminals the terminfo
 * database knows. Main thread only.
 */
#ifndef DOZE_TUI_RESTORE_H
#define DOZE_TUI_RESTORE_H

#include <stdbool.h>

/** Saves the terminal's settings. Call this before ncurses changes them. */
void tui_restore_save(void);
/** Makes fatal signals restore the terminal before they kill the process. Call this after ncurses
 * has started, because the strings come from terminfo. */
void tui_restore_arm(bool mouse);
void tui_restore_disarm(void);

/* ---- while no terminal is open ---- */

/** Returns whether the database has an entry for a terminal of this name that describes a terminal
 * and not a family of them. */
bool tui_terminfo_knows(const char *name);
/** Returns a value of TERM that is worth trying, or null if the database is missing. Static. */
const char *tui_terminfo_advised(void);

#endif
