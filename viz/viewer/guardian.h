/*
 * SPDX-License-Identifier: MIT
 *
 * guardian.h - a small child process that restores the terminal when the viewer is killed by a
 * signal that no handler can catch (SIGKILL).
 *
 * The child waits at the end of a pipe. It uses async-signal-safe functions only, because the
 * viewer has other threads when it forks, and it ignores the terminal's signals.
 */
#ifndef DOZE_TUI_GUARDIAN_H
#define DOZE_TUI_GUARDIAN_H

#include <stddef.h>
#include <termios.h>

/** Starts the child. If the viewer dies without calling tui_guardian_dismiss, the child writes
 * `leave` to standard output and applies `saved` (may be null) to standard input. If the child
 * cannot be created, does nothing. */
void tui_guardian_start(const char *leave, size_t leave_len, const struct termios *saved);
/** Makes the child exit, and waits for it. */
void tui_guardian_dismiss(void);

#endif
