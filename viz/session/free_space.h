/*
 * SPDX-License-Identifier: MIT
 *
 * room.h - is there room for the buffers, and for the trace? LTTng does not say: without shared
 * memory the program runs untraced, on a full disk the consumer daemon gets stuck.
 */
#ifndef DOZE_VIZ_SESSION_ROOM_H
#define DOZE_VIZ_SESSION_ROOM_H

#include <stdbool.h>
#include <stdint.h>

/** A trace cannot go on with less, in bytes: a packet is at least a page. */
#define ROOM_DISK_LEAST 4096u

struct room {
	uint64_t free, needed; /* bytes */
	int error;             /* errno when it could not be found out */
};

/** /dev/shm, and what a session's buffers take: one ring buffer for each possible CPU. Where it is
 * small the sub-buffers are; their size is put into *subbuf (may be null). */
struct room room_shared_memory(uint64_t *subbuf);
/** The file system of a folder. needed: ROOM_DISK_LEAST. */
struct room room_disk(const char *dir);
/** Size of one of `count` files of one CPU, so that what a relay keeps in this folder stays within
 * 128 MiB and a quarter of the room. A live session can run for days, at 60 MB a second (seen); and
 * a viewer that cannot keep up with that loses the oldest, and is told, instead of falling behind
 * without end. */
uint64_t room_live_file(const char *dir, unsigned count);
/** True when it is known that there is not enough. */
bool room_lacks(struct room);

#endif
