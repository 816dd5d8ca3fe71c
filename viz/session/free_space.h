/*
 * SPDX-License-Identifier: MIT
 *
 * free_space.h - checks that there is memory for the buffers and disk space for the trace. LTTng
 * does not check: without shared memory, the program runs untraced, and on a full disk, the
 * consumer daemon hangs.
 */
#ifndef DOZE_VIZ_FREE_SPACE_H
#define DOZE_VIZ_FREE_SPACE_H

#include <stdbool.h>
#include <stdint.h>

/** Minimum free space, in bytes, that a trace needs to continue. A packet takes at least a page. */
#define SESSION_DISK_LEAST 4096u

struct session_space {
	uint64_t free, needed; /* bytes */
	int error;             /* an errno value if the sizes are unknown */
};

/** Compares the free space in /dev/shm with the size of a session's buffers, one ring buffer per
 * possible CPU. If /dev/shm is small, the sub-buffers shrink; *subbuf (may be null) receives their
 * size. */
struct session_space session_space_shared_memory(uint64_t *subbuf);
/** Compares the free space in a folder's file system with SESSION_DISK_LEAST. */
struct session_space session_space_disk(const char *dir);
/** Returns the maximum size of one file if the relay keeps `count` files per CPU in this folder and
 * at most `keep` bytes in total. If keep is 0, the limit is 128 MiB, or a quarter of the free space
 * if that is less. A file always has room for a few packets, whatever the limit.
 *
 * There must be a limit: a live session can run for days at 60 MB per second (observed). With the
 * limit, a viewer that cannot keep up loses the oldest events and reports the loss, instead of
 * falling further and further behind. */
uint64_t session_live_file_size(const char *dir, uint64_t keep, unsigned count);
/** Returns whether the space is known to be too small. */
bool session_space_lacks(struct session_space);

#endif
