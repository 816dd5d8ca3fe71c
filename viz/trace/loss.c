/*
 * SPDX-License-Identifier: MIT
 *
 * loss.c - see loss.h.
 */
#include "loss.h"

struct doze_loss doze_loss_of_events(const bt_message *msg, int64_t now)
{
	const bt_stream_class *sc =
	    bt_stream_borrow_class_const(bt_message_discarded_events_borrow_stream_const(msg));
	struct doze_loss loss = {now, now, 0};

	if (bt_stream_class_discarded_events_have_default_clock_snapshots(sc)) {
		loss.from = doze_snapshot_ns(
		    bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(msg),
		    now);
		loss.to = doze_snapshot_ns(
		    bt_message_discarded_events_borrow_end_default_clock_snapshot_const(msg), now);
	}
	(void)bt_message_discarded_events_get_count(msg, &loss.count);
	return loss;
}

struct doze_loss doze_loss_of_packets(const bt_message *msg, int64_t now)
{
	const bt_stream_class *sc =
	    bt_stream_borrow_class_const(bt_message_discarded_packets_borrow_stream_const(msg));
	struct doze_loss loss = {now, now, 0};

	if (bt_stream_class_discarded_packets_have_default_clock_snapshots(sc)) {
		loss.from = doze_snapshot_ns(
		    bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(msg),
		    now);
		loss.to = doze_snapshot_ns(
		    bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(msg), now);
	}
	return loss;
}
