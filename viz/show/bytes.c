/*
 * SPDX-License-Identifier: MIT
 *
 * bytes.c - see bytes.h.
 */
#include "bytes.h"

#include <stdlib.h>
#include <string.h>

void report_bytes_free(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){0};
}

bool report_bytes_more(struct bytes *b, size_t n)
{
	size_t capacity = b->capacity ? 2 * b->capacity : 4096;
	uint8_t *data;

	while (capacity - b->size < n)
		capacity *= 2;
	data = b->failed ? NULL : realloc(b->data, capacity);
	if (!data) {
		b->failed = true;
		return false;
	}
	b->data = data;
	b->capacity = capacity;
	return true;
}

static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

enum { PAIRS = 1 << 12 };

/* Returns a table with the two base64 digits of each 12-bit number. Most of a page is base64, and
 * writing the digits in pairs takes half the time. */
static const char (*digit_pairs(void))[2]
{
	static char pair[PAIRS][2];

	for (unsigned i = 0; !pair[PAIRS - 1][1] && i < PAIRS; i++) {
		pair[i][0] = digit[i >> 6];
		pair[i][1] = digit[i & 63];
	}
	return pair;
}

/* Writes n bytes as base64 digits. Only at the end of the data may n be other than a multiple of 3,
 * because padding follows. Returns the end of the digits. */
static char *encode(char *out, const uint8_t *data, size_t n)
{
	const char(*pair)[2] = digit_pairs();
	size_t i = 0;

	for (; i + 3 <= n; i += 3, out += 4) {
		uint32_t v = (uint32_t)data[i] << 16 | (uint32_t)data[i + 1] << 8 | data[i + 2];
		memcpy(out, pair[v >> 12], 2);
		memcpy(out + 2, pair[v & (PAIRS - 1)], 2);
	}
	if (i < n) {
		bool two = n - i == 2;
		uint32_t v = (uint32_t)data[i] << 16;
		if (two)
			v |= (uint32_t)data[i + 1] << 8;
		*out++ = digit[v >> 18];
		*out++ = digit[v >> 12 & 63];
		*out++ = two ? digit[v >> 6 & 63] : '=';
		*out++ = '=';
	}
	return out;
}

void report_bytes_print_base64(const struct bytes *b, FILE *f)
{
	enum { PART = 3 * 16384 }; /* bytes of data whose digits are written at once: 64 KiB */
	char text[PART / 3 * 4];

	for (size_t i = 0; i < b->size; i += PART) {
		size_t n = b->size - i < PART ? b->size - i : PART;

		fwrite(text, 1, (size_t)(encode(text, b->data + i, n) - text), f);
	}
}
