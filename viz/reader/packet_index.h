/*
 * SPDX-License-Identifier: MIT
 *
 * packet_index.h - the packets that a trace has on disk, and their times.
 *
 * The index has the place and the time of each packet, 40 bytes per packet, from the packets'
 * headers; events are not read. A relay may write to the trace meanwhile: an update reads the
 * headers that are new, and drops the packets of files that were deleted or replaced.
 *
 * Terms: a *stream* is what LTTng writes for one CPU. It is one file (doze_0), or several that
 * follow each other (doze_0_0, doze_0_1, …) when LTTng limits their size.
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
	uint64_t at, size; /* bytes in the file */
};

/** A stream file. */
struct doze_indexed_file {
	char *name;     /* owned: path of the file */
	size_t folder;  /* index of its folder */
	uint64_t inode; /* a file of this name with another inode replaced it */
	uint64_t scanned;
	struct doze_indexed_packet *packet; /* owned, in file order */
	size_t packets, room;
	bool seen; /* seen by the running update */
};

/** A folder with a metadata file. */
struct doze_indexed_folder {
	char *path; /* owned */
	struct doze_layout layout;
	int64_t offset;   /* of its clock, ns since the epoch */
	uint64_t per_sec; /* cycles */
};

struct doze_packet_index {
	char *root; /* owned */
	struct doze_indexed_folder *folder;
	size_t folders;
	struct doze_indexed_file *file; /* sorted by folder and name */
	size_t files;
	int64_t from, to; /* span of all packets; from > to: there are none */
};

/** Fills a zeroed index, or brings one up to date; dir is the same in all calls. Returns 0; or -1
 * with one line in err, for example if the metadata is not written yet; the index then has what it
 * had before. Main thread; reads one header for each new packet. */
int doze_packet_index_update(struct doze_packet_index *, const char *dir, char *err,
			     size_t err_size);
void doze_packet_index_free(struct doze_packet_index *);

/** Returns the bytes of the packets that overlap [from, to]. */
uint64_t doze_packet_index_bytes(const struct doze_packet_index *, int64_t from, int64_t to);

/** Writes the packets that overlap [from, to] (ns since the epoch) as a trace into the folder
 * `target`, which exists and is empty. Streams in several files become one file each. Packets whose
 * file is gone are left out. Returns 0; or -1 with one line in err, such as when the disk is full.
 */
int doze_excerpt(const struct doze_packet_index *, int64_t from, int64_t to, const char *target,
		 char *err, size_t err_size);

#endif
