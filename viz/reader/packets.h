/*
 * SPDX-License-Identifier: MIT
 *
 * packets.h - looks at the lengths of all packets of a trace before Babeltrace does: on a length of
 * zero it would loop for ever, on others it gives up without naming the place.
 */
#ifndef DOZE_VIZ_READER_PACKETS_H
#define DOZE_VIZ_READER_PACKETS_H

#include <stdbool.h>
#include <stddef.h>

/** Walks the packets of each stream file in dir, as the text of its metadata lays them out. False,
 * and one line into err with file and byte, when one is damaged or cut off. */
bool doze_packets_check(const char *dir, const char *metadata, char *err, size_t err_size);

#endif
