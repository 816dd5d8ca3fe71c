/*
 * SPDX-License-Identifier: MIT
 *
 * verdict.h - the stream of verdict events: its metadata, and one message per verdict.
 */
#ifndef DOZE_VIZ_PLUGIN_VERDICT_H
#define DOZE_VIZ_PLUGIN_VERDICT_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

#include "../../model/model.h"

/* The stream has one packet, whose times the trace needs: source.ctf.fs of Babeltrace 2.1 aborts
 * when it reads a CTF 2 trace of sink.ctf.fs whose packets have none. */
struct verdict_stream {
	bt_stream *stream;     /* owned; null: not created yet */
	bt_packet *packet;     /* owned */
	bt_event_class *event; /* owned */
};

/** Creates the trace, stream and event class. Their clock has the same origin as the given one.
 * Returns false if out of memory. */
bool verdict_stream_make(struct verdict_stream *, bt_self_component *, const bt_clock_class *);
void verdict_stream_clear(struct verdict_stream *);
/** These return the first and the last messages around the verdicts, `ns` after the clock's origin,
 * or null if out of memory. */
const bt_message *verdict_packet_begin(const struct verdict_stream *, bt_self_message_iterator *,
				       int64_t ns);
const bt_message *verdict_packet_end(const struct verdict_stream *, bt_self_message_iterator *,
				     int64_t ns);
/** Returns a message with one verdict, `ns` after the clock's origin, or null if out of memory. */
const bt_message *verdict_message(const struct verdict_stream *, bt_self_message_iterator *,
				  const struct doze_wake *, int64_t ns);

#endif
