/*
 * SPDX-License-Identifier: MIT
 *
 * temp.c - see temp.h.
 */
#include "temp.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *doze_temp_base(void)
{
	const char *base = getenv("TMPDIR");
	return base && *base == '/' ? base : "/tmp";
}

int doze_temp_make(char *path, size_t size)
{
	if ((size_t)snprintf(path, size, "%s/doze-XXXXXX", doze_temp_base()) >= size) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return mkdtemp(path) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	remove(path);
	return 0;
}

void doze_temp_remove(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}
