/*
 * SPDX-License-Identifier: MIT
 *
 * live.h - the connection to a live session (doze_live_sessions is in reader.h).
 */
#ifndef DOZE_VIZ_READER_LIVE_H
#define DOZE_VIZ_READER_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "relay.h"

/*
 * ---- A proxy between Babeltrace and the relay that forwards metadata only when
 * Babeltrace can use it.
 *
 * Why: when a program registers, the session daemon writes the program's metadata in two pieces:
 * first the trace and the clock, then, once the program has answered, the stream's layout. A viewer
 * that asks in between gets only the first piece. Babeltrace 2.0.4 then derives its clock from the
 * stream classes known at that moment, of which there are none, and keeps that decision. When the
 * relay later reports the stream as inactive, an assertion fails (emit_inactivity_message). An
 * empty piece (status OK, length 0) makes Babeltrace fail with "Erroneous response length". On a
 * loaded machine, both failures happen shortly after a program has registered. So does a third one:
 * the relay answers with the packets that it has received so far, the last of which may end inside
 * a declaration, and Babeltrace stops with "Error updating trace metadata" when "nothing new yet"
 * follows. (Interleaving: the consumer daemon sends two of five packets; the viewer asks twice; the
 * consumer daemon sends the others.)
 *
 * How: a thread forwards LTTng's live protocol unchanged, except for the answers to GET_METADATA.
 * It holds back a first piece without any stream, and any piece that ends inside a declaration
 * (answering "nothing new yet", so that Babeltrace asks again), and prepends it to the next one. It
 * turns an empty piece into "nothing new".
 */

struct doze_live_proxy;

/** Connects to the relay and starts the thread, which accepts one connection on 127.0.0.1:*port.
 * Returns a proxy owned by the caller, or null with one line in err if the relay cannot be reached
 * or resources are exhausted. Blocks for a few seconds at most. Any thread. */
struct doze_live_proxy *doze_live_proxy_start(const struct doze_live_url *, uint16_t *port,
					      char *err, size_t err_size);
/** Makes the thread close both connections soon, which ends a blocked read in Babeltrace. Any
 * thread, any number of times, even from a signal handler, but not once doze_live_proxy_stop has
 * begun. Interrupting Babeltrace by a signal is not an option: if version 2.0.4 is interrupted
 * while it waits for the answer to GET_METADATA, lttng_live_metadata_update does not handle that
 * status and aborts the process. */
void doze_live_proxy_hang_up(struct doze_live_proxy *);
/** Closes the connections, stops the thread and frees the proxy. Does not wait for the relay. Null
 * is allowed. */
void doze_live_proxy_stop(struct doze_live_proxy *);

/** Returns whether the session of a live URL exists and has no viewer. If not, writes one line to
 * err. */
bool doze_live_check(const char *url, char *err, size_t err_size);

#endif
