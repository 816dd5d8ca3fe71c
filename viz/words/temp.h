/*
 * SPDX-License-Identifier: MIT
 *
 * temp.h - temporary folders, for example for a session, or for the part of a trace that the viewer
 * reads.
 *
 * Thread-safe, except against a thread that changes the environment.
 */
#ifndef DOZE_VIZ_TEXT_TEMP_H
#define DOZE_VIZ_TEXT_TEMP_H

#include <stddef.h>

/** Returns the folder for temporary folders: $TMPDIR if that is absolute, otherwise /tmp.
 * Borrowed. */
const char *doze_temp_base(void);
/** Creates a folder doze-XXXXXX with mode 0700 in doze_temp_base(). Returns 0, or -1 with errno
 * set. */
int doze_temp_make(char *path, size_t size);
/** Removes a folder and its contents. Follows no links and crosses no mount points. Ignores errors,
 * because no caller could handle them. */
void doze_temp_remove(const char *path);

#endif
