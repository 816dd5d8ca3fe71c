/*
 * SPDX-License-Identifier: MIT
 *
 * bytes.h - a growing string of bytes, numbers in LEB128 (7 bits a byte, low first, high bit = more
 * follows), and base64: how the lanes travel inside the page.
 */
#ifndef DOZE_REPORT_BYTES_H
#define DOZE_REPORT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** Zero it to begin. `failed`: memory ran out, what came after is missing. */
struct bytes {
	uint8_t *data; /* owned */
	size_t size, room;
	bool failed;
};

void report_bytes_free(struct bytes *);
void report_bytes_add(struct bytes *, uint8_t);
/** Unsigned LEB128. */
void report_bytes_add_number(struct bytes *, uint64_t);
/** A difference that may be negative: zigzag, then LEB128. */
void report_bytes_add_signed(struct bytes *, int64_t);
/** All of it as base64, without line breaks. */
void report_bytes_print_base64(const struct bytes *, FILE *);

#endif
