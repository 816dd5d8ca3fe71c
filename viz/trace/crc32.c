/*
 * SPDX-License-Identifier: MIT
 *
 * crc32.c - the algorithm "slicing by 8", whose eight tables process eight bytes in one step
 * (Kounavis and Berry, A systematic approach to building high performance software-based CRC
 * generators, 2005). One byte at a time, checking a recording would take longer than reading it.
 */
#include "crc32.h"

#include <stdbool.h>

#define POLYNOMIAL UINT32_C(0xedb88320) /* CRC-32's polynomial, with the lowest bit first */

static uint32_t table[8][256];

static void fill(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t c = i;

		for (int bit = 0; bit < 8; bit++)
			c = c & 1 ? c >> 1 ^ POLYNOMIAL : c >> 1;
		table[0][i] = c;
	}
	for (uint32_t i = 0; i < 256; i++)
		for (int k = 1; k < 8; k++)
			table[k][i] = table[k - 1][i] >> 8 ^ table[0][table[k - 1][i] & 0xff];
}

static uint32_t step_of_8(uint32_t crc, const unsigned char *p)
{
	crc ^= (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
	return table[7][crc & 0xff] ^ table[6][crc >> 8 & 0xff] ^ table[5][crc >> 16 & 0xff] ^
	       table[4][crc >> 24] ^ table[3][p[4]] ^ table[2][p[5]] ^ table[1][p[6]] ^
	       table[0][p[7]];
}

uint32_t doze_crc32(uint32_t crc, const void *bytes, size_t size)
{
	static bool filled;
	const unsigned char *p = bytes;

	if (!filled)
		fill();
	filled = true;
	crc = ~crc;
	for (; size >= 8; p += 8, size -= 8)
		crc = step_of_8(crc, p);
	while (size--)
		crc = crc >> 8 ^ table[0][(crc ^ *p++) & 0xff];
	return ~crc;
}
