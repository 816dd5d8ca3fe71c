/*
 * SPDX-License-Identifier: MIT
 *
 * metadata.c - see metadata.h. CTF 1.8, section 7.1, specifies the header of a metadata packet.
 */
#include "metadata.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

#define MAGIC       0x75d11d57u
#define HEADER_SIZE 37 /* magic, uuid, checksum, content and packet size, five one-byte flags */
#define MAX_SIZE    (64u << 20)

static uint32_t word_at(const char *p, bool swapped)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return swapped ? __builtin_bswap32(v) : v;
}

const char *doze_metadata_unpack(char *data, size_t *size, size_t *at)
{
	bool swapped;
	size_t text = 0;

	if (*size < 4 || (word_at(data, false) != MAGIC && word_at(data, true) != MAGIC))
		return NULL;
	swapped = word_at(data, false) != MAGIC;
	while (*at < *size) {
		const char *h = data + *at;
		uint32_t content, packet;

		if (*size - *at < HEADER_SIZE)
			return "a packet header is truncated";
		if (word_at(h, swapped) != MAGIC)
			return "a packet has no header";
		content = word_at(h + 24, swapped) / 8;
		packet = word_at(h + 28, swapped) / 8;
		if (content < HEADER_SIZE || packet < content)
			return "a packet has invalid sizes";
		if (content > *size - *at)
			return "a packet is truncated";
		memmove(data + text, h + HEADER_SIZE, content - HEADER_SIZE);
		text += content - HEADER_SIZE;
		*at += packet;
	}
	*size = text;
	return NULL;
}

/* Returns the contents of the file with a terminating zero, or null with a description of the error
 * in *problem. */
static char *read_all(FILE *f, size_t *size, const char **problem)
{
	char *data = NULL, *more;
	size_t room = 0;

	for (*size = 0;;) {
		room = room ? room * 2 : 1u << 16;
		more = room <= MAX_SIZE ? realloc(data, room + 1) : NULL;
		if (!more)
			break;
		data = more;
		*size += fread(data + *size, 1, room - *size, f);
		if (*size < room) {
			data[*size] = '\0';
			*problem = ferror(f) ? strerror(errno) : *size ? NULL : "the file is empty";
			return data;
		}
	}
	*problem = room > MAX_SIZE ? "the file is too large" : "out of memory";
	return data;
}

static char *read_text(FILE *f, size_t *at, const char **problem)
{
	size_t size;
	char *data = read_all(f, &size, problem);

	if (*problem)
		return data;
	*problem = doze_metadata_unpack(data, &size, at);
	data[size] = '\0';
	return data;
}

char *doze_metadata_read(const char *dir, char *err, size_t err_size)
{
	char path[PATH_MAX];
	const char *problem = NULL;
	char *text = NULL;
	size_t at = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/metadata", dir);
	f = fopen(path, "rb");
	if (f) {
		text = read_text(f, &at, &problem);
		fclose(f);
	} else {
		problem = strerror(errno);
	}
	if (!problem)
		return text;
	free(text);
	doze_line(
	    err, err_size,
	    "cannot read the trace: %s: corrupted or truncated (byte %zu: %s): record it again",
	    path, at, problem);
	return NULL;
}

/* A declaration ends with a brace, in CTF 1.8 with a semicolon after it. */
bool doze_metadata_is_foreign(const char *text)
{
	size_t end = strlen(text);

	while (end > 0 && strchr(" \t\r\n", text[end - 1]))
		end--;
	return end > 0 && (text[end - 1] == '}' || text[end - 1] == ';') &&
	       !strstr(text, "doze:pool_start");
}
