/*
 * SPDX-License-Identifier: MIT
 *
 * bytes.c - see bytes.h.
 */
#include "bytes.h"

#include <stdlib.h>

void report_bytes_free(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){0};
}

void report_bytes_add(struct bytes *b, uint8_t byte)
{
	if (b->size == b->capacity) {
		size_t capacity = b->capacity ? 2 * b->capacity : 4096;
		uint8_t *data = b->failed ? NULL : realloc(b->data, capacity);
		if (data == NULL) {
			b->failed = true;
			return;
		}
		b->data = data;
		b->capacity = capacity;
	}
	b->data[b->size++] = byte;
}

void report_bytes_add_number(struct bytes *b, uint64_t n)
{
	while (n >= 0x80) {
		report_bytes_add(b, (uint8_t)(n & 0x7f) | 0x80);
		n >>= 7;
	}
	report_bytes_add(b, (uint8_t)n);
}

void report_bytes_add_signed(struct bytes *b, int64_t n)
{
	report_bytes_add_number(b, n < 0 ? ((uint64_t) - (n + 1) << 1 | 1) : (uint64_t)n << 1);
}

void report_bytes_print_base64(const struct bytes *b, FILE *f)
{
	static const char digit[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < b->size; i += 3) {
		size_t left = b->size - i;
		uint32_t v = (uint32_t)b->data[i] << 16;
		if (left > 1)
			v |= (uint32_t)b->data[i + 1] << 8;
		if (left > 2)
			v |= b->data[i + 2];
		putc(digit[v >> 18], f);
		putc(digit[v >> 12 & 63], f);
		putc(left > 1 ? digit[v >> 6 & 63] : '=', f);
		putc(left > 2 ? digit[v & 63] : '=', f);
	}
}
