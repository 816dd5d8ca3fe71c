/*
 * SPDX-License-Identifier: MIT
 *
 * packets.h - the packets of a trace: finds them, and checks the lengths of all packets of a trace
 * before Babeltrace does. A length of zero would make Babeltrace loop forever; with other wrong
 * lengths, it fails without reporting where.
 */
#ifndef DOZE_VIZ_READER_PACKETS_H
#define DOZE_VIZ_READER_PACKETS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * ---- Finds where a packet stores its length.
 *
 * Understands just enough of TSDL (the language of CTF 1.8's metadata) to find `content_size` and
 * `packet_size` in packet.header and packet.context as LTTng and Babeltrace write them. Anything
 * written differently is left to Babeltrace: the layout is then unknown, which is not an error.
 */

struct doze_layout {
	uint32_t content_at, packet_at; /* byte offsets of two 64-bit numbers in the packet */
	uint32_t end;                   /* bytes to read from the packet to get both numbers */
	/* Byte offsets of two times in the packet, those of its first and of its last event (in
	 * cycles). 0: the packet does not contain the time, at least not before `end`. */
	uint32_t first_at, last_at;
};

/** Finds the layout in the text of a metadata file. Returns false if it is unknown. */
bool doze_layout_find(struct doze_layout *, const char *text);

enum doze_packets {
	DOZE_PACKETS_SOUND,
	DOZE_PACKETS_DAMAGED,
	/* The metadata describes the packets in a way that is not supported above. */
	DOZE_PACKETS_UNKNOWN,
};

/** Walks the packets of each stream file in dir, as described by the text of its metadata. If one
 * is damaged, writes a line with its file and byte to err. */
enum doze_packets doze_packets_check(const char *dir, const char *metadata, char *err,
				     size_t err_size);

/** One packet of a stream file. */
struct doze_packet {
	uint64_t at, size;    /* bytes */
	uint64_t first, last; /* times in cycles of the trace's clock; 0 and UINT64_MAX: unknown */
};

/** Returns the number of packets in an open stream file with `size` bytes, or -1 if it is
 * damaged. */
int64_t doze_packets_count(int fd, const struct doze_layout *, uint64_t size);

/*
 * ---- The packets that a trace has on disk, and their times.
 *
 * The index has the position and the time of each packet (32 bytes), read from the packets'
 * headers; events are not read. A relay may be writing to the trace: an update reads the new
 * headers, and drops the packets of files that were deleted or replaced.
 *
 * Terms: a *stream* is what LTTng writes for one CPU. It is one file (doze_0), or a sequence of
 * files (doze_0_0, doze_0_1, …) when LTTng limits their size.
 */

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
	size_t folders, folder_room;
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

/** Returns the total size of all packets in bytes, or 0 if there are none or their times are
 * unknown. */
uint64_t doze_packet_index_size(const struct doze_packet_index *);

/** Returns about how many bytes of packets a reader has read when it reaches the event at `ts` (ns
 * since the epoch): all packets that end before, and the part before `ts` of those that contain it,
 * as if their events were spread evenly. */
uint64_t doze_packet_index_done(const struct doze_packet_index *, int64_t ts);

/** Writes the packets that overlap [from, to] (ns since the epoch) as a trace into the folder
 * `target`, which must exist and be empty. A stream in several files is joined into one file.
 * Packets whose file no longer exists are left out. Returns 0, or -1 with one line in err, for
 * example if the disk is full. */
int doze_excerpt(const struct doze_packet_index *, int64_t from, int64_t to, const char *target,
		 char *err, size_t err_size);

#endif
