/*
 * SPDX-License-Identifier: MIT
 *
 * merge.c - see merge.h: a binary heap of iterators, ordered by the timestamps of their next
 * messages. The iterator at the root is drained up to the timestamp of the runner-up, so that the
 * heap is touched once per change of stream, not once per message.
 */
#include "merge.h"

#include <stdlib.h>

struct source {
	bt_message_iterator *iterator;   /* owned; null: finished */
	bt_message_array_const messages; /* array owned by the iterator; the merger owns the
					  * messages in [at..count) */
	uint64_t at, count;
	int64_t ts; /* time of messages[at] */
	size_t number;
};

struct doze_merge {
	struct source *source;
	struct source **heap; /* the sources that are not finished */
	size_t sources, live, filled;
};

static bool snapshot_ts(const bt_clock_snapshot *cs, int64_t *ts)
{
	return cs && bt_clock_snapshot_get_ns_from_origin(cs, ts) ==
			 BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK;
}

static const bt_clock_snapshot *packet_begin(const bt_message *m)
{
	const bt_packet *p = bt_message_packet_beginning_borrow_packet_const(m);
	const bt_stream_class *sc = bt_stream_borrow_class_const(bt_packet_borrow_stream_const(p));

	return bt_stream_class_packets_have_beginning_default_clock_snapshot(sc)
		   ? bt_message_packet_beginning_borrow_default_clock_snapshot_const(m)
		   : NULL;
}

static const bt_clock_snapshot *packet_end(const bt_message *m)
{
	const bt_packet *p = bt_message_packet_end_borrow_packet_const(m);
	const bt_stream_class *sc = bt_stream_borrow_class_const(bt_packet_borrow_stream_const(p));

	return bt_stream_class_packets_have_end_default_clock_snapshot(sc)
		   ? bt_message_packet_end_borrow_default_clock_snapshot_const(m)
		   : NULL;
}

static const bt_clock_snapshot *lost_events(const bt_message *m)
{
	const bt_stream_class *sc =
	    bt_stream_borrow_class_const(bt_message_discarded_events_borrow_stream_const(m));

	return bt_stream_class_discarded_events_have_default_clock_snapshots(sc)
		   ? bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(m)
		   : NULL;
}

static const bt_clock_snapshot *lost_packets(const bt_message *m)
{
	const bt_stream_class *sc =
	    bt_stream_borrow_class_const(bt_message_discarded_packets_borrow_stream_const(m));

	return bt_stream_class_discarded_packets_have_default_clock_snapshots(sc)
		   ? bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(m)
		   : NULL;
}

static const bt_clock_snapshot *event_time(const bt_message *m)
{
	return bt_message_event_borrow_stream_class_default_clock_class_const(m)
		   ? bt_message_event_borrow_default_clock_snapshot_const(m)
		   : NULL;
}

/* Determines the time of the source's next message. A message without a time gets the time of its
 * predecessor. */
static void source_time(struct source *s)
{
	const bt_message *m = s->messages[s->at];
	const bt_clock_snapshot *cs = NULL;
	int64_t ts;

	switch (bt_message_get_type(m)) {
	case BT_MESSAGE_TYPE_EVENT:
		cs = event_time(m);
		break;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		cs = packet_begin(m);
		break;
	case BT_MESSAGE_TYPE_PACKET_END:
		cs = packet_end(m);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		cs = lost_events(m);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		cs = lost_packets(m);
		break;
	case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
		cs = bt_message_message_iterator_inactivity_borrow_clock_snapshot_const(m);
		break;
	default:
		break;
	}
	if (snapshot_ts(cs, &ts))
		s->ts = ts;
}

static bool before(const struct source *a, const struct source *b)
{
	return a->ts < b->ts || (a->ts == b->ts && a->number < b->number);
}

static void sift_down(struct doze_merge *m, size_t i)
{
	for (;;) {
		size_t child = 2 * i + 1, least = i;
		struct source *s = m->heap[i];

		if (child < m->live && before(m->heap[child], m->heap[least]))
			least = child;
		if (child + 1 < m->live && before(m->heap[child + 1], m->heap[least]))
			least = child + 1;
		if (least == i)
			return;
		m->heap[i] = m->heap[least];
		m->heap[least] = s;
		i = least;
	}
}

/* Fetches the next batch of the source. */
static bt_message_iterator_next_status source_fill(struct source *s)
{
	bt_message_iterator_next_status st =
	    bt_message_iterator_next(s->iterator, &s->messages, &s->count);

	s->at = 0;
	if (st == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		source_time(s);
	else
		s->count = 0;
	if (st == BT_MESSAGE_ITERATOR_NEXT_STATUS_END)
		BT_MESSAGE_ITERATOR_PUT_REF_AND_RESET(s->iterator);
	return st;
}

/* Fetches the first batch of each source, then builds the heap. */
static bt_message_iterator_next_status merge_fill(struct doze_merge *m)
{
	for (; m->filled < m->sources; m->filled++) {
		struct source *s = &m->source[m->filled];
		bt_message_iterator_next_status st = source_fill(s);

		if (st == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
			m->heap[m->live++] = s;
		else if (st != BT_MESSAGE_ITERATOR_NEXT_STATUS_END)
			return st;
	}
	for (size_t i = m->live / 2; i-- > 0;)
		sift_down(m, i);
	return BT_MESSAGE_ITERATOR_NEXT_STATUS_OK;
}

/* Returns the source that would be next without the root, or null if there is none. */
static const struct source *runner_up(const struct doze_merge *m)
{
	if (m->live < 2)
		return NULL;
	if (m->live == 2 || before(m->heap[1], m->heap[2]))
		return m->heap[1];
	return m->heap[2];
}

/* Passes on messages of the root until another source is due or the batch is used up. */
static bool root_drain(struct doze_merge *m, bool (*take)(void *, const bt_message *), void *ctx)
{
	struct source *s = m->heap[0];
	const struct source *next = runner_up(m);

	while (s->at < s->count && !(next && before(next, s))) {
		const bt_message *msg = s->messages[s->at++];
		bool go_on = take(ctx, msg);

		bt_message_put_ref(msg);
		if (!go_on)
			return false;
		if (s->at < s->count)
			source_time(s);
	}
	return true;
}

bt_component_class_sink_consume_method_status
doze_merge_step(struct doze_merge *m, bool (*take)(void *, const bt_message *), void *ctx)
{
	/* The enums of both methods have the same values. */
	bt_message_iterator_next_status st = BT_MESSAGE_ITERATOR_NEXT_STATUS_OK;

	if (m->filled < m->sources)
		st = merge_fill(m);
	while (st == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK) {
		struct source *s = m->live > 0 ? m->heap[0] : NULL;

		if (!s)
			return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END;
		if (s->at < s->count) {
			if (!root_drain(m, take, ctx))
				return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END;
			sift_down(m, 0);
			continue;
		}
		st = source_fill(s);
		if (st == BT_MESSAGE_ITERATOR_NEXT_STATUS_END)
			m->heap[0] = m->heap[--m->live];
		if (m->live > 0 && st != BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN)
			sift_down(m, 0);
		if (st >= BT_MESSAGE_ITERATOR_NEXT_STATUS_OK &&
		    st != BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN)
			return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
	}
	return (bt_component_class_sink_consume_method_status)st;
}

struct doze_merge *doze_merge_new(bt_message_iterator **iterators, size_t count)
{
	struct doze_merge *m = calloc(1, sizeof(*m));

	if (m) {
		m->source = calloc(count, sizeof(*m->source));
		m->heap = calloc(count, sizeof(struct source *));
	}
	if (!m || !m->source || !m->heap) {
		for (size_t i = 0; i < count; i++)
			bt_message_iterator_put_ref(iterators[i]);
		doze_merge_free(m);
		return NULL;
	}
	m->sources = count;
	for (size_t i = 0; i < count; i++)
		m->source[i] =
		    (struct source){.iterator = iterators[i], .ts = INT64_MIN, .number = i};
	return m;
}

void doze_merge_free(struct doze_merge *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->sources; i++) {
		struct source *s = &m->source[i];

		for (; s->at < s->count; s->at++)
			bt_message_put_ref(s->messages[s->at]);
		bt_message_iterator_put_ref(s->iterator);
	}
	free(m->source);
	free(m->heap);
	free(m);
}
