/*
 * SPDX-License-Identifier: MIT
 *
 * sink.c - see sink.h.
 */
#include "sink.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * ---- Merges the messages of several iterators by time.
 *
 * It does what filter.utils.muxer does but at a lower cost per message: the filter examines every
 * stream for each message and passes batches through one more iterator, which took as long as
 * decoding. Equal timestamps keep the order of the iterators, so that reading a trace twice gives
 * the same result.
 *
 * It is a binary heap of iterators, ordered by the timestamps of their next messages. The iterator
 * at the root is drained up to the timestamp of the runner-up, so that the heap is touched once per
 * change of stream, not once per message.
 */

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

/* Passes about one batch of messages to `take`, one by one, borrowed for the duration of the call.
 * `take` returns false to stop. Returns OK, END (also after a stop), AGAIN, or an error status with
 * its causes on the thread. */
static bt_component_class_sink_consume_method_status
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

static void doze_merge_clear(struct doze_merge *m)
{
	for (size_t i = 0; m->source && i < m->sources; i++) {
		struct source *s = &m->source[i];

		for (; s->at < s->count; s->at++)
			bt_message_put_ref(s->messages[s->at]);
		bt_message_iterator_put_ref(s->iterator);
	}
	free(m->source);
	free(m->heap);
	*m = (struct doze_merge){0};
}

/* Fills in an empty merger. Takes ownership of the iterators (count > 0). If out of memory,
 * releases them and returns false. */
static bool doze_merge_begin(struct doze_merge *m, bt_message_iterator **iterators, size_t count)
{
	m->source = calloc(count, sizeof(*m->source));
	m->heap = calloc(count, sizeof(struct source *));
	if (!m->source || !m->heap) {
		for (size_t i = 0; i < count; i++)
			bt_message_iterator_put_ref(iterators[i]);
		doze_merge_clear(m);
		return false;
	}
	m->sources = count;
	for (size_t i = 0; i < count; i++)
		m->source[i] =
		    (struct source){.iterator = iterators[i], .ts = INT64_MIN, .number = i};
	return true;
}

struct sink {
	const struct doze_sink_target *target; /* not owned */
	uint64_t ports;
	struct doze_merge merge; /* empty until graph_is_configured */
};

static bool add_ports(bt_self_component_sink *self, uint64_t ports)
{
	char name[32];

	for (uint64_t i = 0; i < ports; i++) {
		snprintf(name, sizeof(name), "in%u", (unsigned)i);
		if (bt_self_component_sink_add_input_port(self, name, NULL, NULL) !=
		    BT_SELF_COMPONENT_ADD_PORT_STATUS_OK)
			return false;
	}
	return true;
}

static bt_component_class_initialize_method_status
sink_initialize(bt_self_component_sink *self, bt_self_component_sink_configuration *config,
		const bt_value *params, void *init_data)
{
	struct sink *s = calloc(1, sizeof(*s));
	const struct sink *wish = init_data;

	(void)config;
	(void)params;
	if (!s)
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	*s = *wish;
	bt_self_component_set_data(bt_self_component_sink_as_self_component(self), s);
	if (add_ports(self, s->ports))
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
	free(s);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
}

static struct sink *sink_of(bt_self_component_sink *self)
{
	return bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
}

static void sink_finalize(bt_self_component_sink *self)
{
	struct sink *s = sink_of(self);

	doze_merge_clear(&s->merge);
	free(s);
}

/* Creates the iterators, which makes each source connect or open its files. The status values are
 * those of graph_is_configured. */
static int make_iterators(bt_self_component_sink *self, uint64_t ports, bt_message_iterator **out)
{
	for (uint64_t i = 0; i < ports; i++) {
		bt_message_iterator_create_from_sink_component_status st =
		    bt_message_iterator_create_from_sink_component(
			self, bt_self_component_sink_borrow_input_port_by_index(self, i), &out[i]);

		if (st == BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK)
			continue;
		while (i-- > 0)
			bt_message_iterator_put_ref(out[i]);
		return (int)st;
	}
	return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK;
}

static bt_component_class_sink_graph_is_configured_method_status
sink_graph_is_configured(bt_self_component_sink *self)
{
	struct sink *s = sink_of(self);
	bt_message_iterator **iterators = calloc(s->ports, sizeof(bt_message_iterator *));
	int st = BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_MEMORY_ERROR;

	if (iterators)
		st = make_iterators(self, s->ports, iterators);
	if (st == BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK &&
	    !doze_merge_begin(&s->merge, iterators, s->ports))
		st = BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_MEMORY_ERROR;
	free(iterators);
	return (bt_component_class_sink_graph_is_configured_method_status)st;
}

static bt_component_class_get_supported_mip_versions_method_status
sink_mip_versions(bt_self_component_class_sink *self, const bt_value *params, void *init_data,
		  bt_logging_level level, bt_integer_range_set_unsigned *versions)
{
	(void)self, (void)params, (void)init_data, (void)level;
	return (bt_component_class_get_supported_mip_versions_method_status)
	    bt_integer_range_set_unsigned_add_range(versions, 0, doze_mip_newest());
}

uint64_t doze_mip_newest(void)
{
	return bt_get_maximal_mip_version() < 1 ? 0 : 1;
}

static bt_component_class_sink_consume_method_status sink_consume(bt_self_component_sink *self)
{
	struct sink *s = sink_of(self);

	return doze_merge_step(&s->merge, s->target->message, s->target->ctx);
}

bt_component_class_sink *doze_sink_class(void)
{
	bt_component_class_sink *class = bt_component_class_sink_create("doze", sink_consume);

	if (!class)
		return NULL;
	bt_component_class_sink_set_get_supported_mip_versions_method(class, sink_mip_versions);
	bt_component_class_sink_set_initialize_method(class, sink_initialize);
	bt_component_class_sink_set_finalize_method(class, sink_finalize);
	bt_component_class_sink_set_graph_is_configured_method(class, sink_graph_is_configured);
	return class;
}

const bt_component_sink *doze_sink_add(bt_graph *graph, const bt_component_class_sink *class,
				       const struct doze_sink_target *target, uint64_t ports)
{
	const bt_component_sink *sink = NULL;
	struct sink wish = {.target = target, .ports = ports};

	(void)bt_graph_add_sink_component_with_initialize_method_data(
	    graph, class, "doze", NULL, &wish, BT_LOGGING_LEVEL_NONE, &sink);
	return sink;
}
