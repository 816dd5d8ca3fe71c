/*
 * SPDX-License-Identifier: MIT
 *
 * packets.h - looks at the lengths of all packets of a trace before Babeltrace does: on a length of
 * zero it would loop for ever, on others it gives up without naming the place.
 */
#ifndef DOZE_VIZ_READER_PACKETS_H
#define DOZE_VIZ_READER_PACKETS_H

#include <stddef.h>

enum doze_packets {
	DOZE_PACKETS_SOUND,
	DOZE_PACKETS_DAMAGED,
	DOZE_PACKETS_UNKNOWN, /* the metadata lay them out in a way that we do not read */
};

/** Walks the packets of each stream file in dir, as the text of its metadata lays them out.
 * Damaged: one line into err, with file and byte. */
enum doze_packets doze_packets_check(const char *dir, const char *metadata, char *err,
				     size_t err_size);

#endif
