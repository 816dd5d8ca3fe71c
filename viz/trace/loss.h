/*
 * SPDX-License-Identifier: MIT
 *
 * loss.h - decodes the times of messages, and messages about lost events.
 */
#ifndef DOZE_VIZ_READER_LOSS_H
#define DOZE_VIZ_READER_LOSS_H

#include "decode.h"

/* Returns the time of a clock snapshot, or `otherwise` if the snapshot has none. A damaged clock
 * can have any value, so times are clamped to [0, DOZE_TS_MAX]: differences of times then cannot
 * overflow. */
static inline int64_t doze_snapshot_ns(const bt_clock_snapshot *cs, int64_t otherwise)
{
	int64_t ns;

	if (!cs || bt_clock_snapshot_get_ns_from_origin(cs, &ns) !=
		       BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK)
		return otherwise;
	return ns < 0 ? 0 : ns > DOZE_TS_MAX ? DOZE_TS_MAX : ns;
}

/** Decodes a message about discarded events. now: the time of the loss, ns, for a message without a
 * time. */
struct doze_loss doze_loss_of_events(const bt_message *, int64_t now);
/** Like doze_loss_of_events, for a message about discarded packets. The count is 0, because the
 * number of lost events is unknown. */
struct doze_loss doze_loss_of_packets(const bt_message *, int64_t now);

#endif
