/*
 * SPDX-License-Identifier: MIT
 *
 * merge.h - merges the messages of several iterators by time.
 *
 * It does what filter.utils.muxer does but at a lower cost per message: the filter examines every
 * stream for each message and passes batches through one more iterator, which took as long as
 * decoding. Equal timestamps keep the order of the iterators, so that reading a trace twice gives
 * the same result.
 */
#ifndef DOZE_VIZ_READER_MERGE_H
#define DOZE_VIZ_READER_MERGE_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

struct doze_merge;

/** Takes ownership of the iterators (count > 0). Returns a merger owned by the caller. If out of
 * memory, releases the iterators and returns null. */
struct doze_merge *doze_merge_new(bt_message_iterator **iterators, size_t count);

/** Passes about one batch of messages to `take`, one by one, borrowed for the duration of the call.
 * `take` returns false to stop. Returns OK, END (also after a stop), AGAIN, or an error status with
 * its causes on the thread. */
bt_component_class_sink_consume_method_status
doze_merge_step(struct doze_merge *, bool (*take)(void *ctx, const bt_message *), void *ctx);

/** Frees the merger. Null is allowed. */
void doze_merge_free(struct doze_merge *);

#endif
