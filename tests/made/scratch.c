/*
 * SPDX-License-Identifier: MIT
 *
 * scratch.c - see scratch.h.
 */
#include "scratch.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

static char folder[512];

void scratch_begin(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%s/doze-test-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(folder)) {
		perror(folder);
		exit(1);
	}
}

const char *scratch(const char *name)
{
	static char path[8][600];
	static unsigned at;
	char *p = path[at++ % 8];

	snprintf(p, sizeof(path[0]), "%s/%s", folder, name);
	return p;
}

static int drop(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

void scratch_end(void)
{
	(void)nftw(folder, drop, 16, FTW_DEPTH | FTW_PHYS);
}
