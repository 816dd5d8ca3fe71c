/*
 * SPDX-License-Identifier: MIT
 *
 * room.c - is there room for the buffers, and for the trace?
 */
#include "room.h"

#include <errno.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "../../tracepoints/channel.h"

static struct room look(const char *dir, uint64_t needed)
{
	struct statvfs fs;
	if (statvfs(dir, &fs))
		return (struct room){.needed = needed, .error = errno};
	/* root may use what is reserved: f_bfree */
	uint64_t blocks = geteuid() == 0 ? fs.f_bfree : fs.f_bavail;
	return (struct room){.free = blocks * fs.f_frsize, .needed = needed};
}

struct room room_shared_memory(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	return look("/dev/shm", (uint64_t)DOZE_CHANNEL_SUBBUF_SIZE * DOZE_CHANNEL_SUBBUF_COUNT *
				    (uint64_t)(cpus > 0 ? cpus : 1));
}

struct room room_disk(const char *dir)
{
	return look(dir, ROOM_DISK_LEAST);
}

bool room_lacks(struct room r)
{
	return !r.error && r.free < r.needed;
}
