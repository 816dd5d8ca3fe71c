/*
 * SPDX-License-Identifier: MIT
 *
 * bytes.h - the encoding of the lanes in the page: a growing buffer of numbers in LEB128 (7 bits
 * per byte, lowest first; a set high bit means that more follow), printed in base64.
 */
#ifndef DOZE_REPORT_BYTES_H
#define DOZE_REPORT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** Initialise with zeros. failed: memory ran out, so later bytes are missing. */
struct bytes {
	uint8_t *data; /* owned */
	size_t size, capacity;
	bool failed;
};

/** The maximum size of an encoded number: 64 bits at 7 bits per byte. */
enum { REPORT_BYTES_NUMBER = 10 };

void report_bytes_free(struct bytes *);
/** Makes room for n more bytes. Returns false, with `failed` set, if out of memory. */
bool report_bytes_more(struct bytes *, size_t n);
static inline bool report_bytes_room(struct bytes *b, size_t n)
{
	return b->capacity - b->size >= n || report_bytes_more(b, n);
}

/* These functions append without checking for space: call report_bytes_room first. They are inline
 * because a page has a dozen numbers per wake. */

static inline void report_bytes_put(struct bytes *b, uint8_t byte)
{
	b->data[b->size++] = byte;
}

/** Appends a number in unsigned LEB128 encoding. */
static inline void report_bytes_put_number(struct bytes *b, uint64_t n)
{
	uint8_t *at = b->data + b->size;

	for (; n >= 0x80; n >>= 7)
		*at++ = (uint8_t)(n & 0x7f) | 0x80;
	*at++ = (uint8_t)n;
	b->size = (size_t)(at - b->data);
}

/** Appends a signed number in zigzag and LEB128 encoding. */
static inline void report_bytes_put_signed(struct bytes *b, int64_t n)
{
	report_bytes_put_number(b, (uint64_t)n << 1 ^ (n < 0 ? UINT64_MAX : 0));
}

/** Writes the buffer in base64, without line breaks. */
void report_bytes_print_base64(const struct bytes *, FILE *);

#endif
