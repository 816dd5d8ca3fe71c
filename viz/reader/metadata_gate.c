/*
 * SPDX-License-Identifier: MIT
 *
 * metadata_gate.c - see metadata_gate.h.
 */
#include "metadata_gate.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

/* Metadata without a stream layout is never this long, so longer pieces are passed on unchanged. */
#define KEEP_MAX 65536

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

/* Returns whether the metadata held back contains a stream layout. A packet boundary may split
 * "stream {", so this also searches for "event {", which occurs several times. */
static bool describes_a_stream(const struct doze_metagate_stream *s)
{
	static const char stream[] = "stream {", event[] = "event {";

	return s->size > KEEP_MAX || (s->kept && (memmem(s->kept, s->size, stream, 8) ||
						  memmem(s->kept, s->size, event, 7)));
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

	if (!s)
		return false;
	if (!s->whole && !keep(s, piece, size))
		return false;
	/* If the session or the stream has ended, no more metadata will arrive. */
	over = g->open || be32toh(head->status) == DOZE_METADATA_ERROR;
	if (s->kept && (over || describes_a_stream(s)))
		hand_over(s, head, piece);
	else if (ok && (size == 0 || !s->whole))
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
