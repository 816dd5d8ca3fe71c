/*
 * SPDX-License-Identifier: MIT
 *
 * between.h - stands between Babeltrace and the relay, and hands metadata on only when Babeltrace
 * can use it.
 *
 * Why: when a program registers, the session daemon writes its metadata in two pieces: trace and
 * clock first, the stream's layout when the program has answered. A viewer that asks in between
 * gets the first piece only. Babeltrace 2.0.4 takes a clock from the stream classes that it has at
 * that moment, once and for all: none; when the relay then says that the stream is inactive, an
 * assertion ends the reading (emit_inactivity_message). An empty piece (status OK, length 0) ends
 * it with "Erroneous response length", too. On a loaded machine both happen in the first moments.
 *
 * What: a thread that passes LTTng's live protocol on as it is, but for the answers to
 * GET_METADATA: a first piece without any stream is kept back ("nothing new yet"; Babeltrace asks
 * again) and joined to the next one; an empty one becomes "nothing new".
 */
#ifndef DOZE_VIZ_READER_BETWEEN_H
#define DOZE_VIZ_READER_BETWEEN_H

#include <stddef.h>
#include <stdint.h>

#include "url.h"

struct doze_between;

/** Connects to the relay and starts the thread, which takes one connection on 127.0.0.1:*port.
 * Owned by the caller. Null and one line in err when the relay cannot be reached, or without
 * resources. Blocks for some seconds at most. Any thread. */
struct doze_between *doze_between_start(const struct doze_live_url *, uint16_t *port, char *err,
					size_t err_size);
/** Closes the connections, ends the thread and frees. Does not wait for the relay. Null: nothing.
 */
void doze_between_stop(struct doze_between *);

#endif
