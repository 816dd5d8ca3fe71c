/*
 * SPDX-License-Identifier: MIT
 *
 * trace_cpus.c - see trace_cpus.h.
 */
#include "trace_cpus.h"

#include <ftw.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CPUS = 1024, DEPTH = 16 };

static bool seen[MOST_CPUS];

/* Stream files are called CHANNEL_CPU; index files have a suffix. */
static int visit(const char *path, const struct stat *st, int type, struct FTW *at)
{
	const char *number = strrchr(path + at->base, '_');
	char *end;
	unsigned long cpu;

	if (type != FTW_F || st->st_size == 0 || !number || !number[1])
		return 0;
	cpu = strtoul(number + 1, &end, 10);
	if (!*end && cpu < MOST_CPUS)
		seen[cpu] = true;
	return 0;
}

uint32_t doze_trace_cpus(const char *folder)
{
	uint32_t n = 0;

	memset(seen, 0, sizeof seen);
	if (!folder || nftw(folder, visit, DEPTH, FTW_PHYS))
		return 0;
	for (int i = 0; i < MOST_CPUS; i++)
		n += seen[i];
	return n;
}
