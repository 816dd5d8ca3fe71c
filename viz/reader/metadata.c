/*
 * SPDX-License-Identifier: MIT
 *
 * metadata.c - see metadata.h. The header of a metadata packet is that of CTF 1.8, section 7.1.
 */
#include "metadata.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

#define MAGIC       0x75d11d57u
#define HEADER_SIZE 37 /* magic, uuid, checksum, content and packet size, five flags of a byte */

static uint32_t word_at(const unsigned char *p, bool swapped)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return swapped ? __builtin_bswap32(v) : v;
}

/* The packets of the file, from a header that was read; null, or what is wrong. */
static const char *check_packets(FILE *f, const unsigned char *header, long size, long *at)
{
	bool swapped = word_at(header, false) != MAGIC;
	unsigned char h[HEADER_SIZE];
	uint32_t content, packet;

	while (*at < size) {
		if (fseek(f, *at, SEEK_SET) != 0 || fread(h, 1, sizeof(h), f) != sizeof(h))
			return "a packet header is cut off";
		if (word_at(h, swapped) != MAGIC)
			return "a packet has no header";
		content = word_at(h + 24, swapped) / 8;
		packet = word_at(h + 28, swapped) / 8;
		if (content < HEADER_SIZE || packet < content)
			return "the sizes of a packet cannot be";
		if ((long)content > size - *at)
			return "a packet is cut off";
		*at += (long)packet;
	}
	return NULL;
}

static const char *check_file(FILE *f, long *at)
{
	unsigned char h[HEADER_SIZE];
	size_t n = fread(h, 1, sizeof(h), f);
	long size;

	if (n == 0)
		return ferror(f) ? strerror(errno) : "it is empty";
	if (n < 4 || (word_at(h, false) != MAGIC && word_at(h, true) != MAGIC))
		return NULL; /* plain text: for Babeltrace's parser */
	if (fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0)
		return strerror(errno);
	return check_packets(f, h, size, at);
}

bool doze_metadata_check(const char *dir, char *err, size_t err_size)
{
	char path[PATH_MAX];
	const char *problem;
	long at = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/metadata", dir);
	f = fopen(path, "rb");
	problem = f ? check_file(f, &at) : strerror(errno);
	if (f)
		fclose(f);
	if (problem)
		doze_line(
		    err, err_size,
		    "cannot read the trace: %s: corrupted or truncated (byte %ld: %s): record "
		    "it again",
		    path, at, problem);
	return !problem;
}
