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

/* Makes room for n more bytes. Returns false, with `failed` set, if out of memory. */
static bool room_for(struct bytes *b, size_t n)
{
	size_t capacity = b->capacity ? 2 * b->capacity : 4096;
	uint8_t *data;

	if (b->capacity - b->size >= n)
		return true;
	data = b->failed ? NULL : realloc(b->data, capacity);
	if (!data) {
		b->failed = true;
		return false;
	}
	b->data = data;
	b->capacity = capacity;
	return true;
}

void report_bytes_add(struct bytes *b, uint8_t byte)
{
	if (room_for(b, 1))
		b->data[b->size++] = byte;
}

void report_bytes_add_number(struct bytes *b, uint64_t n)
{
	enum { MOST = 10 }; /* bytes for 64 bits, of which each has 7 */
	uint8_t *at;

	if (!room_for(b, MOST))
		return;
	for (at = b->data + b->size; n >= 0x80; n >>= 7)
		*at++ = (uint8_t)(n & 0x7f) | 0x80;
	*at++ = (uint8_t)n;
	b->size = (size_t)(at - b->data);
}

void report_bytes_add_signed(struct bytes *b, int64_t n)
{
	report_bytes_add_number(b, n < 0 ? ((uint64_t) - (n + 1) << 1 | 1) : (uint64_t)n << 1);
}

/* Writes n bytes, of which only the last group may have fewer than three, as base64 digits.
 * Returns the number of digits. */
static size_t encode(char *out, const uint8_t *data, size_t n)
{
	static const char digit[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t at = 0, i = 0;

	for (; i + 3 <= n; i += 3) {
		uint32_t v = (uint32_t)data[i] << 16 | (uint32_t)data[i + 1] << 8 | data[i + 2];
		out[at++] = digit[v >> 18];
		out[at++] = digit[v >> 12 & 63];
		out[at++] = digit[v >> 6 & 63];
		out[at++] = digit[v & 63];
	}
	if (i < n) {
		bool two = n - i == 2;
		uint32_t v = (uint32_t)data[i] << 16;
		if (two)
			v |= (uint32_t)data[i + 1] << 8;
		out[at++] = digit[v >> 18];
		out[at++] = digit[v >> 12 & 63];
		out[at++] = two ? digit[v >> 6 & 63] : '=';
		out[at++] = '=';
	}
	return at;
}

void report_bytes_print_base64(const struct bytes *b, FILE *f)
{
	enum { PART = 3 * 1024 };
	char text[PART / 3 * 4];

	for (size_t i = 0; i < b->size; i += PART) {
		size_t n = b->size - i < PART ? b->size - i : PART;

		fwrite(text, 1, encode(text, b->data + i, n), f);
	}
}
