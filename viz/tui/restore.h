/*
 * SPDX-License-Identifier: MIT
 *
 * restore.h - putting the terminal back from a handler of a fatal signal, where ncurses may not be
 * called: only tcsetattr, write and raise are.
 */
#ifndef DOZE_TUI_RESTORE_H
#define DOZE_TUI_RESTORE_H

#include <stdbool.h>

/** Remembers the terminal's settings; before ncurses touches them. */
void tui_restore_save(void);
/** From now on a fatal signal puts the terminal back before it kills the process. Needs ncurses to
 * be started (the strings come out of terminfo). */
void tui_restore_arm(bool mouse);
void tui_restore_disarm(void);

#endif
