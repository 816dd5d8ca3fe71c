/*
 * SPDX-License-Identifier: MIT
 *
 * packets.h - checks the lengths of all packets of a trace before Babeltrace does. A length of zero
 * would make Babeltrace loop forever; with other wrong lengths, it fails without reporting where.
 */
#ifndef DOZE_VIZ_READER_PACKETS_H
#define DOZE_VIZ_READER_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct doze_layout;

enum doze_packets {
	DOZE_PACKETS_SOUND,
	DOZE_PACKETS_DAMAGED,
	/* The metadata describes the packets in a way that layout.h does not support. */
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

/** Reads the header of the packet that begins at byte `at` of an open stream file with `size`
 * bytes. Returns whether a complete, undamaged packet is there. */
bool doze_packet_read(int fd, const struct doze_layout *, uint64_t at, uint64_t size,
		      struct doze_packet *);

/** Returns the number of packets in an open stream file with `size` bytes, or -1 if it is
 * damaged. */
int64_t doze_packets_count(int fd, const struct doze_layout *, uint64_t size);

#endif
