/*
 * SPDX-License-Identifier: MIT
 *
 * last_recording.h - where `doze record` puts a recording that has no -o, and which one a command
 * without DIR shows.
 */
#ifndef DOZE_VIZ_CLI_LAST_RECORDING_H
#define DOZE_VIZ_CLI_LAST_RECORDING_H

#include <stdbool.h>
#include <stddef.h>

/** Chooses a new folder for a recording of the program: $DOZE_TRACES, otherwise doze-traces in the
 * home folder, then PROG-DATE-TIME. Creates the folder above it. Returns false when there is none.
 */
bool cmd_recording_name(char *path, size_t size, const char *program);

/** Remembers the folder (an absolute path) as the last recording of this user, in
 * $XDG_STATE_HOME/doze/last, otherwise ~/.local/state/doze/last. Ignores errors: it is only a
 * convenience. */
void cmd_recording_remember(const char *dir);

/** Returns the folder of the last recording, in a static buffer; null if there is none any more. */
const char *cmd_recording_last(void);

#endif
