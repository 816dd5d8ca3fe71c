/*
 * SPDX-License-Identifier: MIT
 *
 * last_recording.h - where `doze record` without -o stores a recording, and which recording a
 * command without DIR shows.
 */
#ifndef DOZE_VIZ_CLI_LAST_RECORDING_H
#define DOZE_VIZ_CLI_LAST_RECORDING_H

#include <stdbool.h>
#include <stddef.h>

/** Chooses a new folder for a recording of the program: PROG-DATE-TIME in $DOZE_TRACES or, if that
 * is not set, in ~/doze-traces. Creates the parent folder. Returns false on failure. */
bool cmd_recording_name(char *path, size_t size, const char *program);

/** Chooses a folder as cmd_recording_name does, and creates it. Returns 0, or -1 with the reason in
 * err. */
int cmd_recording_make(char *path, size_t size, const char *program, char *err, size_t err_size);

/** Stores the path of the folder, which must be absolute, as this user's last recording: in
 * $XDG_STATE_HOME/doze/last or, if that is not set, in ~/.local/state/doze/last. Ignores errors,
 * because this is only a convenience. */
void cmd_recording_remember(const char *dir);

/** Returns the folder of the last recording, in a static buffer, or null if it is unknown or no
 * longer exists. */
const char *cmd_recording_last(void);

#endif
