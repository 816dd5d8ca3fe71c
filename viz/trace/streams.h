/*
 * SPDX-License-Identifier: MIT
 *
 * streams.h - the traced host of a bt_stream and the CPU of its current packet.
 */
#ifndef DOZE_VIZ_READER_STREAMS_H
#define DOZE_VIZ_READER_STREAMS_H

#include <babeltrace2/babeltrace.h>
#include <stdint.h>

struct doze_stream {
	const bt_stream *stream; /* owned reference */
	uint32_t host;
	int32_t cpu; /* CPU of the current packet; -1: unknown */
};

/** Streams and hosts seen so far. Initialise with zeros. */
struct doze_streams {
	struct doze_stream **list; /* owned */
	size_t count, room;
	struct doze_stream *last; /* not owned; the result of the last look-up */
	char **hosts;             /* owned; indexed by number */
	uint32_t host_count;
};

/** Returns the record of a stream, or null if out of memory. Creates it if necessary. */
struct doze_stream *doze_stream_look_up(struct doze_streams *, const bt_stream *);
static inline struct doze_stream *doze_stream_find(struct doze_streams *ss, const bt_stream *stream)
{
	return ss->last && ss->last->stream == stream ? ss->last : doze_stream_look_up(ss, stream);
}

/** Records the CPU of a packet at its beginning. */
void doze_stream_packet(struct doze_stream *, const bt_packet *);
/** Frees the record of a stream that has ended: records must not accumulate in a long live
 * session. */
void doze_stream_end(struct doze_streams *, const bt_stream *);
void doze_streams_clear(struct doze_streams *);

#endif
