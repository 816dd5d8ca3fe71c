/*
 * SPDX-License-Identifier: MIT
 *
 * find.h - finds the trace folders at or below a folder.
 */
#ifndef DOZE_VIZ_READER_FIND_H
#define DOZE_VIZ_READER_FIND_H

#include <stddef.h>

struct doze_folders {
	char **path; /* owned, sorted */
	size_t count, room;
};

/** Finds dir and all folders below it that contain a regular file `metadata`. Does not follow
 * symbolic links below dir. Returns 0, or -1 with one line in err; after an error, nothing needs to
 * be cleared. */
int doze_folders_find(struct doze_folders *, const char *dir, char *err, size_t err_size);
void doze_folders_clear(struct doze_folders *);

#endif
