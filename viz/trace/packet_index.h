/*
 * SPDX-License-Identifier: MIT
 *
 * packet_index.h - the packets that a trace has on disk, and their times.
 *
 * The index has the position and the time of each packet (32 bytes), read from the packets'
 * headers; events are not read. A relay may be writing to the trace: an update reads the new
 * headers, and drops the packets of files that were deleted or replaced.
 *
 * Terms: a *stream* is what LTTng writes for one CPU. It is one file (doze_0), or a sequence of
 * files (doze_0_0, doze_0_1, …) when LTTng limits their size.
 */
#ifndef DOZE_VIZ_READER_PACKET_INDEX_H
#define DOZE_VIZ_READER_PACKET_INDEX_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout.h"
#include "packets.h"

/** A packet with its time in ns since the epoch. */
struct doze_indexed_packet {
	int64_t from, to;
	uint64_t at, size; /* position and size in the file, bytes */
};

/** A stream file. */
struct doze_indexed_file {
	char *name;     /* owned; name of the file in its folder */
	size_t folder;  /* index of the folder that contains the file */
	uint64_t inode; /* changes when another file with this name replaces the file */
	uint64_t scanned;
	struct doze_indexed_packet *packet; /* owned, in file order */
	size_t packets, room;
	bool seen; /* seen by the current update */
};

/** A folder with a metadata file. */
struct doze_indexed_folder {
	char *path; /* owned */
	struct doze_layout layout;
	int64_t offset;   /* offset of the trace's clock, ns since the epoch */
	uint64_t per_sec; /* cycles per second */
};

struct doze_packet_index {
	char *root; /* owned */
	struct doze_indexed_folder *folder;
	size_t folders;
	struct doze_indexed_file *file; /* sorted by folder and name */
	size_t files, room;
	size_t sorted;    /* number of files that the previous updates sorted */
	int64_t from, to; /* span of all packets; from > to: no packets */
};

/** Fills a zeroed index, or updates one; dir must be the same in all calls. Reads one header per
 * new packet. Returns 0, or -1 with one line in err, for example if the metadata has not been
 * written yet; the index then keeps its contents. One thread at a time. */
int doze_packet_index_update(struct doze_packet_index *, const char *dir, char *err,
			     size_t err_size);
void doze_packet_index_free(struct doze_packet_index *);

/** Returns the total size of the packets that overlap [from, to], in bytes. */
uint64_t doze_packet_index_bytes(const struct doze_packet_index *, int64_t from, int64_t to);

/** Writes the packets that overlap [from, to] (ns since the epoch) as a trace into the folder
 * `target`, which must exist and be empty. A stream in several files is joined into one file.
 * Packets whose file no longer exists are left out. Returns 0, or -1 with one line in err, for
 * example if the disk is full. */
int doze_excerpt(const struct doze_packet_index *, int64_t from, int64_t to, const char *target,
		 char *err, size_t err_size);

#endif
