/*
 * SPDX-License-Identifier: MIT
 *
 * missing_streams.c - see missing_streams.h.
 */
#include "missing_streams.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_there(int folder, const char *name)
{
	return faccessat(folder, name, F_OK, 0) == 0;
}

/* Returns whether index/NAME.idx exists without NAME. */
static bool index_alone(int folder, const char *name)
{
	char stream[NAME_MAX + 1];
	size_t n = strlen(name);

	if (n <= 4 || n > NAME_MAX || strcmp(name + n - 4, ".idx") != 0)
		return false;
	snprintf(stream, sizeof(stream), "%.*s", (int)(n - 4), name);
	return !is_there(folder, stream);
}

/* Returns whether NAME_3 exists without NAME_2. */
static bool after_hole(int folder, const char *name)
{
	const char *number = strrchr(name, '_');
	char before[NAME_MAX + 16];
	char *end;
	long n;

	if (!number || !isdigit((unsigned char)number[1]) || number == name)
		return false;
	n = strtol(number + 1, &end, 10);
	if (*end || n <= 0)
		return false;
	snprintf(before, sizeof(before), "%.*s_%ld", (int)(number - name), name, n - 1);
	return !is_there(folder, before);
}

/* Returns whether shows() returns true for any file in `dir`. `folder` is the folder of the
 * trace. */
static bool any(int folder, const char *dir, bool (*shows)(int folder, const char *name))
{
	int fd = openat(folder, dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	bool found = false;

	if (!d) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	for (struct dirent *e; !found && (e = readdir(d));)
		found = e->d_name[0] != '.' && shows(folder, e->d_name);
	closedir(d);
	return found;
}

bool doze_stream_absent(const char *dir)
{
	int folder = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool absent;

	if (folder < 0)
		return false;
	absent = any(folder, "index", index_alone) || any(folder, ".", after_hole);
	close(folder);
	return absent;
}
