/*
 * SPDX-License-Identifier: MIT
 *
 * free_space.c - checks for enough memory for the buffers and enough disk space for the trace.
 */
#include "free_space.h"

#include <errno.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "../../tracepoints/channel.h"

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

uint64_t session_live_file_size(const char *dir, uint64_t keep, unsigned count)
{
	struct session_space r = session_space_disk(dir);
	uint64_t all = r.free / 4 < LIVE_BYTES ? r.free / 4 : LIVE_BYTES;
	uint64_t one = (keep ? keep : all) / (cpus() * count);
	return one > LIVE_FILE_MIN ? one : LIVE_FILE_MIN;
}

struct session_space session_space_disk(const char *dir)
{
	return look(dir, SESSION_DISK_LEAST);
}

bool session_space_lacks(struct session_space r)
{
	return !r.error && r.free < r.needed;
}
