/*
 * SPDX-License-Identifier: MIT
 *
 * free_space.c - checks for enough memory for the buffers and enough disk space for the trace.
 */
#include "free_space.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "../../tracepoints/channel.h"
#include "../trace/grow.h"

#define LIVE_BYTES    (128ULL << 20)
#define LIVE_FILE_MIN (4ULL << 20) /* enough for a few packets */

static uint64_t cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);
	return n > 0 ? (uint64_t)n : 1;
}

static struct session_space look(const char *dir, uint64_t needed)
{
	struct statvfs fs;
	if (statvfs(dir, &fs))
		return (struct session_space){.needed = needed, .error = errno};
	/* root may also use the reserved blocks: f_bfree */
	uint64_t blocks = geteuid() == 0 ? fs.f_bfree : fs.f_bavail;
	return (struct session_space){.free = blocks * fs.f_frsize, .needed = needed};
}

struct session_space session_space_shared_memory(uint64_t *subbuf)
{
	struct session_space r = look("/dev/shm", 0);
	uint64_t size = DOZE_CHANNEL_SUBBUF_SIZE;
	if (!r.error)
		size = doze_channel_subbuf_size((unsigned)cpus(), r.free);
	if (subbuf)
		*subbuf = size;
	r.needed = size * DOZE_CHANNEL_SUBBUF_COUNT * cpus();
	return r;
}

struct session_space session_space_disk(const char *dir)
{
	return look(dir, SESSION_DISK_LEAST);
}

bool session_space_lacks(struct session_space r)
{
	return !r.error && r.free < r.needed;
}

/* ---- How far back the relay of a live session keeps the trace on disk ---- */

enum { BY_SIZE_FILES = 4, BY_TIME_FILES = 1 << 16, OPEN_DIRS = 8 };
#define BY_TIME_SIZE (UINT64_C(1) << 20)
#define LOW_BYTES    (UINT64_C(256) << 20)
#define LOW_SHARE    20

struct session_files session_keep_files(const struct doze_session_keep *k, const char *dir,
					uint64_t subbuf)
{
	if (k->ns)
		return (struct session_files){subbuf > BY_TIME_SIZE ? subbuf : BY_TIME_SIZE,
					      BY_TIME_FILES};
	/* There must be a limit: a live session can run for days at 60 MB per second (observed).
	 * With the limit, a viewer that cannot keep up loses the oldest events and reports the
	 * loss, instead of falling further and further behind. */
	uint64_t quarter = session_space_disk(dir).free / 4;
	uint64_t all = quarter < LIVE_BYTES ? quarter : LIVE_BYTES;
	uint64_t one = (k->bytes ? k->bytes : all) / (cpus() * BY_SIZE_FILES);
	return (struct session_files){one > LIVE_FILE_MIN ? one : LIVE_FILE_MIN, BY_SIZE_FILES};
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
	struct old_file *grown = doze_grow(found, &room, n_found, sizeof *grown);
	if (!grown)
		return 1; /* stops nftw; the next call of doze_session_forget tries again */
	found = grown;
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
