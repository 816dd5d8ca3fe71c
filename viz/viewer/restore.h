/*
 * SPDX-License-Identifier: MIT
 *
 * restore.h - restores the terminal in the handler of a fatal signal. ncurses must not be called
 * there, only tcsetattr, write and raise.
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

#endif
