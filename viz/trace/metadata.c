/*
 * SPDX-License-Identifier: MIT
 *
 * metadata.c - see metadata.h. CTF 1.8, section 7.1, specifies the header of a metadata packet.
 */
#include "metadata.h"

#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error_line.h"

#define MAGIC       0x75d11d57u
#define HEADER_SIZE 37 /* magic, uuid, checksum, content and packet size, five one-byte flags */
#define MAX_SIZE    (64u << 20)

static uint32_t word_at(const char *p, bool swapped)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return swapped ? __builtin_bswap32(v) : v;
}

/* Removes the headers of packets in place, if data begins with one, and sets *size to the length
 * of the text. Returns null, or a description of the error at byte *at, which counts from its value
 * at the call (0). Any thread. */
static const char *doze_metadata_unpack(char *data, size_t *size, size_t *at)
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

/* ---- Decides which pieces of live metadata may pass to Babeltrace, and when ---- */

/* No metadata is this long; longer metadata is passed on unchanged. */
#define KEEP_MAX (16 << 20)

/* State of the search for the end of a declaration of CTF 1.8, or of a fragment (JSON) of CTF 2.
 * Both languages use the same braces and strings; comments are only in the first. */
struct scan {
	int depth; /* number of open braces */
	bool quoted, escaped, comment;
	char before, last; /* last: the last character that is no blank */
};

static struct doze_metagate_stream *find(struct doze_metagate *g, uint64_t id)
{
	struct doze_metagate_stream *more;

	for (size_t i = 0; i < g->count; i++)
		if (g->streams[i].id == id)
			return &g->streams[i];
	more = realloc(g->streams, (g->count + 1) * sizeof(*more));
	if (!more)
		return NULL;
	g->streams = more;
	more[g->count] = (struct doze_metagate_stream){.id = id};
	return &more[g->count++];
}

/* Appends a piece to the metadata that is held back. */
static bool keep(struct doze_metagate_stream *s, void **piece, size_t size)
{
	char *all;

	if (size == 0)
		return true;
	all = realloc(s->kept, s->size + size);
	if (!all)
		return false;
	memcpy(all + s->size, *piece, size);
	s->kept = all;
	s->size += size;
	free(*piece);
	*piece = NULL;
	return true;
}

static void scan_code(struct scan *s, char c)
{
	s->depth += (c == '{') - (c == '}');
	s->quoted = c == '"';
	s->comment = s->before == '/' && c == '*';
	if (s->comment)
		s->before = '\0';
	else if (!isspace((unsigned char)c) && c != '/')
		s->last = c;
}

static void scan(struct scan *s, char c)
{
	char before = s->before;

	s->before = c;
	if (s->comment) {
		s->comment = before != '*' || c != '/';
	} else if (s->quoted) {
		s->quoted = s->escaped || c != '"';
		s->escaped = !s->escaped && c == '\\';
	} else {
		s->before = before;
		scan_code(s, c);
		s->before = c;
	}
}

/* Returns whether the metadata held back ends between two declarations or fragments. The relay
 * answers with the packets that it has so far, and a declaration may go on in the next one. */
static bool is_complete(const struct doze_metagate_stream *s)
{
	struct scan state = {0};
	size_t size = s->size, at = 0;
	char *text;
	bool json, whole;

	if (size > KEEP_MAX || !(text = malloc(size)))
		return true;
	memcpy(text, s->kept, size);
	whole = doze_metadata_unpack(text, &size, &at) == NULL;
	for (size_t i = 0; whole && i < size; i++)
		scan(&state, text[i]);
	json = size > 0 && text[0] == '\x1e';
	free(text);
	return whole && state.depth == 0 && !state.quoted && !state.comment &&
	       state.last == (json ? '}' : ';');
}

/* Returns whether the metadata held back contains a stream layout, in CTF 1.8 or CTF 2. A packet
 * boundary may split the word, so this also searches for the beginning of an event's layout, which
 * occurs several times. */
static bool describes_a_stream(const struct doze_metagate_stream *s)
{
	static const char *const words[] = {"stream {", "event {", "data-stream-class",
					    "event-record-class"};

	if (s->size > KEEP_MAX)
		return true;
	for (size_t i = 0; s->kept && i < sizeof words / sizeof *words; i++)
		if (memmem(s->kept, s->size, words[i], strlen(words[i])))
			return true;
	return false;
}

static void say(struct doze_metagate_head *head, uint32_t status, size_t size)
{
	head->status = htobe32(status);
	head->size = htobe64(size);
}

static void hand_over(struct doze_metagate_stream *s, struct doze_metagate_head *head, void **piece)
{
	say(head, DOZE_METADATA_OK, s->size);
	*piece = s->kept;
	s->whole = true;
	s->kept = NULL;
	s->size = 0;
}

bool doze_metagate_pass(struct doze_metagate *g, uint64_t id, struct doze_metagate_head *head,
			void **piece)
{
	struct doze_metagate_stream *s = find(g, id);
	bool ok = be32toh(head->status) == DOZE_METADATA_OK;
	size_t size = ok ? be64toh(head->size) : 0;
	bool over;

	if (!s || !keep(s, piece, size))
		return false;
	/* If the session or the stream has ended, no more metadata will arrive. */
	over = g->open || be32toh(head->status) == DOZE_METADATA_ERROR;
	if (s->kept && (over || ((s->whole || describes_a_stream(s)) && is_complete(s))))
		hand_over(s, head, piece);
	else if (ok)
		say(head, DOZE_METADATA_NOTHING_NEW, 0);
	return true;
}

void doze_metagate_clear(struct doze_metagate *g)
{
	for (size_t i = 0; i < g->count; i++)
		free(g->streams[i].kept);
	free(g->streams);
	*g = (struct doze_metagate){0};
}
