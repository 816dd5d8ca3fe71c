/*
 * SPDX-License-Identifier: MIT
 *
 * keep.c - see keep.h.
 */
#include "keep.h"

#include <dirent.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "free_space.h"

enum { BY_SIZE_FILES = 4, BY_TIME_FILES = 1 << 16, OPEN_DIRS = 8 };
#define BY_TIME_SIZE (UINT64_C(1) << 20)
#define LOW_BYTES    (UINT64_C(256) << 20)
#define LOW_SHARE    20

struct session_files session_keep_files(const struct doze_session_keep *k, const char *dir,
					uint64_t subbuf)
{
	struct session_files f = {.size = session_live_file_size(dir, k->bytes, BY_SIZE_FILES),
				  .count = BY_SIZE_FILES};

	if (k->ns)
		f = (struct session_files){.size = subbuf > BY_TIME_SIZE ? subbuf : BY_TIME_SIZE,
					   .count = BY_TIME_FILES};
	return f;
}

/* ---- deleting old files ---- */

/* A stream file: doze_0_17 is file 17 of the stream doze_0. */
struct old_file {
	char *path;    /* owned */
	size_t stream; /* length of the stream's name in the path */
	unsigned long number;
	struct timespec written;
};

/* Globals, because nftw passes no argument to its callback. There is one walk at a time, on the
 * main thread. */
static struct old_file *found;
static size_t n_found, room;

static int note_file(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	const char *name = path + ftw->base, *number = strrchr(name, '_');
	char *end;
	unsigned long n;

	if (type != FTW_F || !number)
		return 0;
	n = strtoul(number + 1, &end, 10);
	if (*end || end == number + 1)
		return 0;
	if (n_found == room) {
		size_t more = room ? room * 2 : 64;
		struct old_file *grown = realloc(found, more * sizeof(*found));
		if (!grown)
			return 1; /* stops nftw; the next call of doze_session_forget tries again */
		found = grown;
		room = more;
	}
	found[n_found] = (struct old_file){.path = strdup(path),
					   .stream = (size_t)(number - path),
					   .number = n,
					   .written = st->st_mtim};
	n_found += found[n_found].path != NULL;
	return 0;
}

static int older_first(const void *pa, const void *pb)
{
	const struct old_file *a = pa, *b = pb;

	if (a->written.tv_sec != b->written.tv_sec)
		return a->written.tv_sec < b->written.tv_sec ? -1 : 1;
	return (a->written.tv_nsec > b->written.tv_nsec) -
	       (a->written.tv_nsec < b->written.tv_nsec);
}

static bool is_newest(const struct old_file *f)
{
	for (size_t i = 0; i < n_found; i++)
		if (found[i].number > f->number && found[i].stream == f->stream &&
		    strncmp(found[i].path, f->path, f->stream) == 0)
			return false;
	return true;
}

static bool disk_is_low(const char *dir)
{
	struct statvfs fs;
	uint64_t free_bytes;

	if (statvfs(dir, &fs) != 0)
		return false;
	free_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	return free_bytes < LOW_BYTES && fs.f_bavail < fs.f_blocks / LOW_SHARE;
}

/* Deletes a stream file and its index. */
static bool forget(const struct old_file *f)
{
	char index[4096];
	const char *name = strrchr(f->path, '/') + 1;

	snprintf(index, sizeof(index), "%.*sindex/%s.idx", (int)(name - f->path), f->path, name);
	(void)unlink(index);
	return unlink(f->path) == 0;
}

unsigned doze_session_forget(const char *relayed, int64_t ns)
{
	unsigned gone = 0;
	bool low = disk_is_low(relayed);
	struct timespec now;

	found = NULL;
	n_found = room = 0;
	clock_gettime(CLOCK_REALTIME, &now);
	(void)nftw(relayed, note_file, OPEN_DIRS, FTW_PHYS);
	if (n_found > 0)
		qsort(found, n_found, sizeof(*found), older_first);
	for (size_t i = 0; i < n_found; i++) {
		bool old = (int64_t)(now.tv_sec - found[i].written.tv_sec) > ns / 1000000000;
		if ((!old && !low) || is_newest(&found[i]) || !forget(&found[i]))
			continue;
		gone++;
		low = low && disk_is_low(relayed);
	}
	for (size_t i = 0; i < n_found; i++)
		free(found[i].path);
	free(found);
	return gone;
}
