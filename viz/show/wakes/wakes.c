/*
 * SPDX-License-Identifier: MIT
 *
 * wakes.c - see wakes.h. Messages are queued in output order. A verdict follows the message that
 * decided it and has the same time.
 */
#include "wakes.h"

#include <stdlib.h>
#include <string.h>

#include "../../trace/decode.h"
#include "verdict.h"

struct filter {
	bt_self_message_iterator *self; /* not owned */
	bt_self_component *component;   /* not owned */
	bt_message_iterator *upstream;  /* owned */
	struct doze_decoder *decoder;   /* owned */
	struct doze_model *model;       /* owned */
	struct verdict_stream verdicts;
	int64_t now;              /* latest time of all messages so far, ns */
	const bt_message **queue; /* owned, and so are the references in [head, tail) */
	size_t head, tail, capacity;
	bool began, ended, failed;
};

bt_component_class_initialize_method_status
doze_plugin_wakes_initialize(bt_self_component_filter *self,
			     bt_self_component_filter_configuration *config, const bt_value *params,
			     void *data)
{
	(void)config;
	(void)params;
	(void)data;
	if (bt_self_component_filter_add_input_port(self, "in", NULL, NULL) !=
		BT_SELF_COMPONENT_ADD_PORT_STATUS_OK ||
	    bt_self_component_filter_add_output_port(self, "out", NULL, NULL) !=
		BT_SELF_COMPONENT_ADD_PORT_STATUS_OK)
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void doze_plugin_wakes_finalize(bt_self_component_filter *self)
{
	(void)self;
}

/* Queues a message. Takes ownership of the reference. If the message is null or memory runs out,
 * sets `failed`. */
static void push(struct filter *f, const bt_message *m)
{
	if (m && f->tail == f->capacity) {
		size_t capacity = f->capacity ? f->capacity * 2 : 64;
		const bt_message **q = realloc(f->queue, capacity * sizeof(const bt_message *));

		if (q) {
			f->queue = q;
			f->capacity = capacity;
		}
	}
	if (!m || f->tail == f->capacity) {
		bt_message_put_ref(m);
		f->failed = true;
		return;
	}
	f->queue[f->tail++] = m;
}

static void on_verdict(void *ctx, const struct doze_wake *w)
{
	struct filter *f = ctx;

	if (f->verdicts.packet)
		push(f, verdict_message(&f->verdicts, f->self, w, f->now));
}

static const struct doze_model_listener listener = {.on_verdict = on_verdict};

static void filter_free(struct filter *f)
{
	for (; f->head < f->tail; f->head++)
		bt_message_put_ref(f->queue[f->head]);
	free(f->queue);
	bt_message_iterator_put_ref(f->upstream);
	doze_decoder_free(f->decoder);
	doze_model_free(f->model);
	verdict_stream_clear(&f->verdicts);
	free(f);
}

bt_message_iterator_class_initialize_method_status
doze_plugin_wakes_iterator_initialize(bt_self_message_iterator *self,
				      bt_self_message_iterator_configuration *config,
				      bt_self_component_port_output *port)
{
	struct filter *f = calloc(1, sizeof(*f));
	bt_self_component *component = bt_self_message_iterator_borrow_component(self);
	bt_self_component_port_input *in;

	(void)config;
	(void)port;
	if (!f)
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	f->self = self;
	f->component = component;
	f->decoder = doze_decoder_new();
	f->model = doze_model_new(&listener, f);
	/* The cast is valid because this iterator's component is a filter. */
	in = bt_self_component_filter_borrow_input_port_by_index(
	    (bt_self_component_filter *)component, 0);
	if (f->decoder && f->model &&
	    bt_message_iterator_create_from_message_iterator(self, in, &f->upstream) ==
		BT_MESSAGE_ITERATOR_CREATE_FROM_MESSAGE_ITERATOR_STATUS_OK) {
		bt_self_message_iterator_set_data(self, f);
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
	}
	filter_free(f);
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
}

void doze_plugin_wakes_iterator_finalize(bt_self_message_iterator *self)
{
	filter_free(bt_self_message_iterator_get_data(self));
}

static const bt_clock_snapshot *time_of(const bt_message *m)
{
	const bt_stream_class *sc;

	if (bt_message_get_type(m) == BT_MESSAGE_TYPE_EVENT)
		return bt_message_event_borrow_stream_class_default_clock_class_const(m)
			   ? bt_message_event_borrow_default_clock_snapshot_const(m)
			   : NULL;
	if (bt_message_get_type(m) != BT_MESSAGE_TYPE_PACKET_END)
		return NULL;
	sc = bt_stream_borrow_class_const(
	    bt_packet_borrow_stream_const(bt_message_packet_end_borrow_packet_const(m)));
	return bt_stream_class_packets_have_end_default_clock_snapshot(sc)
		   ? bt_message_packet_end_borrow_default_clock_snapshot_const(m)
		   : NULL;
}

/* Advances `now` to the message's time, but never backwards: a verdict must not precede earlier
 * messages. The first message with a time also starts the stream of verdicts, whose clock is
 * derived from the message's clock. */
static void note_time(struct filter *f, const bt_message *m)
{
	const bt_clock_snapshot *cs = time_of(m);
	int64_t ns;

	if (!cs || bt_clock_snapshot_get_ns_from_origin(cs, &ns) !=
		       BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK)
		return;
	f->now = f->began && ns < f->now ? f->now : ns;
	if (f->began)
		return;
	f->began = true;
	if (!verdict_stream_make(&f->verdicts, f->component,
				 bt_clock_snapshot_borrow_clock_class_const(cs))) {
		f->failed = true;
		return;
	}
	push(f, bt_message_stream_beginning_create(f->self, f->verdicts.stream));
	push(f, verdict_packet_begin(&f->verdicts, f->self, f->now));
}

/* Forwards a message, followed by the verdicts that the model reaches because of it. The caller
 * keeps its reference. */
static void take_message(struct filter *f, const bt_message *m)
{
	struct doze_event e;
	struct doze_loss l;
	enum doze_decoded what = doze_decode(f->decoder, m, &e, &l);

	note_time(f, m);
	bt_message_get_ref(m);
	push(f, m);
	if (what == DOZE_DECODED_EVENT)
		doze_model_feed(f->model, &e);
	else if (what == DOZE_DECODED_LOSS)
		doze_model_discarded(f->model, l.from, l.to, l.count);
	else if (what == DOZE_DECODED_NEWER || what == DOZE_DECODED_LACKS ||
		 what == DOZE_DECODED_MEMORY)
		f->failed = true;
}

static void end(struct filter *f)
{
	f->ended = true;
	doze_model_finish(f->model, doze_model_totals(f->model)->last_ts);
	if (!f->verdicts.packet)
		return;
	push(f, verdict_packet_end(&f->verdicts, f->self, f->now));
	push(f, bt_message_stream_end_create(f->self, f->verdicts.stream));
}

static bt_message_iterator_next_status refill(struct filter *f)
{
	bt_message_array_const messages;
	uint64_t count;
	bt_message_iterator_next_status st =
	    bt_message_iterator_next(f->upstream, &messages, &count);

	f->head = f->tail = 0;
	if (st == BT_MESSAGE_ITERATOR_NEXT_STATUS_END) {
		end(f);
		return BT_MESSAGE_ITERATOR_NEXT_STATUS_OK;
	}
	if (st != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		return st;
	for (uint64_t i = 0; i < count; i++) {
		take_message(f, messages[i]);
		bt_message_put_ref(messages[i]);
	}
	if (!f->failed)
		return BT_MESSAGE_ITERATOR_NEXT_STATUS_OK;
	(void)bt_current_thread_error_append_cause_from_message_iterator(
	    f->self, __FILE__, __LINE__,
	    "out of memory, or the trace is newer than this plug-in: update doze");
	return BT_MESSAGE_ITERATOR_NEXT_STATUS_ERROR;
}

bt_message_iterator_class_next_method_status doze_plugin_wakes_next(bt_self_message_iterator *self,
								    bt_message_array_const messages,
								    uint64_t capacity,
								    uint64_t *count)
{
	struct filter *f = bt_self_message_iterator_get_data(self);
	bt_message_iterator_next_status st = BT_MESSAGE_ITERATOR_NEXT_STATUS_OK;

	while (f->head == f->tail && !f->ended && st == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		st = refill(f);
	/* Both enums use the same values. */
	if (st != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		return (bt_message_iterator_class_next_method_status)st;
	for (*count = 0; *count < capacity && f->head < f->tail;)
		messages[(*count)++] = f->queue[f->head++];
	return *count > 0 ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK
			  : BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
}
