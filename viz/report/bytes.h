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

/** Initialise it with zeros. failed: memory ran out, so later bytes are missing. */
struct bytes {
	uint8_t *data; /* owned */
	size_t size, capacity;
	bool failed;
};

void report_bytes_free(struct bytes *);
void report_bytes_add(struct bytes *, uint8_t);
/** Appends a number in unsigned LEB128. */
void report_bytes_add_number(struct bytes *, uint64_t);
/** Appends a signed number in zigzag encoding and LEB128. */
void report_bytes_add_signed(struct bytes *, int64_t);
/** Writes the buffer in base64, without line breaks. */
void report_bytes_print_base64(const struct bytes *, FILE *);

#endif
