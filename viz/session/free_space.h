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
/** Returns whether the space is known to be too small. */
bool session_space_lacks(struct session_space);

/*
 * ---- How far back the relay of a live session keeps the trace on disk.
 *
 * LTTng can limit the size: it writes each CPU's stream into a few files and overwrites the oldest.
 * It cannot limit the time, so doze lets it write many small files, and deletes the old ones
 * (doze_session_forget).
 */

struct doze_session;

/** How much a live session keeps. If all members are 0: 128 MiB, or a quarter of the free space if
 * that is less. */
struct doze_session_keep {
	uint64_t bytes; /* total for all CPUs; at least a few MiB per CPU are kept */
	int64_t ns; /* how far back in time; INT64_MAX: keep everything while the disk has space */
};

/** Size and number of a session's files per CPU. dir: the relay's folder. */
struct session_files {
	uint64_t size, count;
};
struct session_files session_keep_files(const struct doze_session_keep *, const char *dir,
					uint64_t subbuf);

/** Deletes the relay's files that were completed more than `ns` ago. If less than 256 MiB and less
 * than a twentieth of the disk are free, also deletes the oldest remaining files. Never deletes the
 * newest file of a stream, to which the relay is writing. Returns the number of deleted files.
 * Takes about a millisecond; call it once a second. */
unsigned doze_session_forget(const char *relayed, int64_t ns);

#endif
