/*
 * SPDX-License-Identifier: MIT
 *
 * merge.h - takes the messages of several iterators in the order of time.
 *
 * What filter.utils.muxer does, without its cost per message: that filter looks at every stream for
 * each message and hands batches on through one more iterator, which took as long as decoding.
 * Equal timestamps keep the order of the iterators, so that a trace always reads the same.
 */
#ifndef DOZE_VIZ_READER_MERGE_H
#define DOZE_VIZ_READER_MERGE_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

struct doze_merge;

/** Takes the iterators over (count > 0). Returns an owned merger; null, the iterators put, when
 * memory is short. */
struct doze_merge *doze_merge_new(bt_message_iterator **iterators, size_t count);

/** Hands about one batch of messages to `take`; the message is borrowed for the call. `take`
 * returns false to end it all. Returns OK, END (also after `take` said so), AGAIN, or an error's
 * status with its causes on the thread. */
bt_component_class_sink_consume_method_status
doze_merge_step(struct doze_merge *, bool (*take)(void *ctx, const bt_message *), void *ctx);

/** Null is fine. */
void doze_merge_free(struct doze_merge *);

#endif
