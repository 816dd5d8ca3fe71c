/*
 * SPDX-License-Identifier: MIT
 *
 * layout.h - finds where a packet stores its length.
 *
 * Understands just enough of TSDL (the language of CTF 1.8's metadata) to find `content_size` and
 * `packet_size` in packet.header and packet.context as LTTng and Babeltrace write them. Anything
 * written differently is left to Babeltrace: the layout is then unknown, which is not an error.
 */
#ifndef DOZE_VIZ_READER_LAYOUT_H
#define DOZE_VIZ_READER_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

struct doze_layout {
	uint32_t content_at, packet_at; /* byte offsets of two 64-bit numbers in the packet */
	uint32_t end;                   /* bytes to read from the packet to get both numbers */
	/* Byte offsets of two times in the packet, those of its first and of its last event (in
	 * cycles). 0: the packet does not contain the time, at least not before `end`. */
	uint32_t first_at, last_at;
};

/** Finds the layout in the text of a metadata file. Returns false if it is unknown. */
bool doze_layout_find(struct doze_layout *, const char *text);

#endif
