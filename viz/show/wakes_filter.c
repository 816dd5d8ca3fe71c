/*
 * SPDX-License-Identifier: MIT
 *
 * wakes_filter.c - see wakes_filter.h. Messages are queued in output order. A verdict follows the
 * message that decided it and has the same time.
 */
#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../model/model.h"
#include "../trace/decode.h"
#include "../trace/grow.h"
#include "wakes_filter.h"

/* ---- The stream of verdict events: its metadata, and one message per verdict ---- */

/* The stream has one packet, whose times the trace needs: source.ctf.fs of Babeltrace 2.1 aborts
 * when it reads a CTF 2 trace of sink.ctf.fs whose packets have none. */
struct verdict_stream {
	bt_stream *stream;     /* owned; null: not created yet */
	bt_packet *packet;     /* owned */
	bt_event_class *event; /* owned */
};

enum { VPID, POOL, TARGET, WAKER, WAKE_ID, DECISION_ID, CAUSE, VERDICT, TIMES };

/* Returns a clock class that counts nanoseconds from the origin of the traced clock. Both clocks
 * have the same origin (both count from the epoch, or both have the same UUID), so sinks and muxers
 * accept them together. Clock classes have a UUID only in version 0 of the message interchange
 * protocol; in version 1, LTTng's clocks count from the epoch. */
static bt_clock_class *clock_like(bt_self_component *self, const bt_clock_class *from)
{
	bt_clock_class *to = bt_clock_class_create(self);
	bt_uuid uuid = NULL;

	if (!to)
		return NULL;
	if (bt_self_component_get_graph_mip_version(self) == 0)
		uuid = bt_clock_class_get_uuid(from);
	bt_clock_class_set_origin_is_unix_epoch(to, bt_clock_class_origin_is_unix_epoch(from));
	if (uuid)
		bt_clock_class_set_uuid(to, uuid);
	(void)bt_clock_class_set_name(to, "doze_verdict");
	return to;
}

static bt_field_class *enumeration(bt_trace_class *tc, const char *(*label)(int), int count)
{
	bt_field_class *fc = bt_field_class_enumeration_unsigned_create(tc);

	bt_field_class_integer_set_field_value_range(fc, 8);
	for (int i = 0; i < count; i++) {
		bt_integer_range_set_unsigned *set = bt_integer_range_set_unsigned_create();

		(void)bt_integer_range_set_unsigned_add_range(set, (uint64_t)i, (uint64_t)i);
		(void)bt_field_class_enumeration_unsigned_add_mapping(fc, label(i), set);
		bt_integer_range_set_unsigned_put_ref(set);
	}
	return fc;
}

static const char *cause_label(int i)
{
	return doze_cause_name((enum doze_cause)i);
}

static const char *verdict_label(int i)
{
	return doze_verdict_name((enum doze_verdict)i);
}

static bt_field_class *with_range(bt_field_class *fc, uint64_t bits)
{
	bt_field_class_integer_set_field_value_range(fc, bits);
	return fc;
}

/* Appends a field. Takes ownership of the field class. */
static void append(bt_field_class *structure, const char *name, bt_field_class *fc)
{
	(void)bt_field_class_structure_append_member(structure, name, fc);
	bt_field_class_put_ref(fc);
}

/* Creates the payload class, with fields in the order of the enum above. */
static bt_field_class *payload(bt_trace_class *tc)
{
	static const char *const times[] = {"published", "notified", "awake", "first_job"};
	bt_field_class *p = bt_field_class_structure_create(tc);

	append(p, "vpid", with_range(bt_field_class_integer_signed_create(tc), 32));
	append(p, "pool", with_range(bt_field_class_integer_unsigned_create(tc), 32));
	append(p, "target", with_range(bt_field_class_integer_signed_create(tc), 32));
	append(p, "waker", with_range(bt_field_class_integer_signed_create(tc), 32));
	append(p, "wake_id", bt_field_class_integer_unsigned_create(tc));
	append(p, "decision_id", bt_field_class_integer_unsigned_create(tc));
	append(p, "cause", enumeration(tc, cause_label, DOZE_CAUSE_COUNT));
	append(p, "verdict", enumeration(tc, verdict_label, DOZE_VERDICT_COUNT));
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		append(p, times[i], bt_field_class_integer_signed_create(tc));
	return p;
}

/* Creates the trace, stream and event class. Their clock has the same origin as the given one.
 * Returns false if out of memory. */
static bool verdict_stream_make(struct verdict_stream *v, bt_self_component *self,
				const bt_clock_class *clock)
{
	bt_trace_class *tc = bt_trace_class_create(self);
	bt_stream_class *sc = tc ? bt_stream_class_create(tc) : NULL;
	bt_clock_class *copy = sc ? clock_like(self, clock) : NULL;
	bt_trace *trace = copy ? bt_trace_create(tc) : NULL;
	bt_field_class *p;

	if (trace) {
		(void)bt_trace_set_name(trace, "doze_verdict");
		(void)bt_stream_class_set_default_clock_class(sc, copy);
		bt_stream_class_set_supports_packets(sc, BT_TRUE, BT_TRUE, BT_TRUE);
		v->event = bt_event_class_create(sc);
		p = payload(tc);
		(void)bt_event_class_set_name(v->event, "doze_verdict:wake");
		(void)bt_event_class_set_payload_field_class(v->event, p);
		bt_field_class_put_ref(p);
		v->stream = bt_stream_create(sc, trace);
		v->packet = v->stream ? bt_packet_create(v->stream) : NULL;
	}
	bt_trace_put_ref(trace);
	bt_clock_class_put_ref(copy);
	bt_stream_class_put_ref(sc);
	bt_trace_class_put_ref(tc);
	return v->packet != NULL;
}

static void verdict_stream_clear(struct verdict_stream *v)
{
	BT_EVENT_CLASS_PUT_REF_AND_RESET(v->event);
	BT_PACKET_PUT_REF_AND_RESET(v->packet);
	BT_STREAM_PUT_REF_AND_RESET(v->stream);
}

static void set_signed(bt_field *payload_field, uint64_t i, int64_t value)
{
	bt_field_integer_signed_set_value(
	    bt_field_structure_borrow_member_field_by_index(payload_field, i), value);
}

static void set_unsigned(bt_field *payload_field, uint64_t i, uint64_t value)
{
	bt_field_integer_unsigned_set_value(
	    bt_field_structure_borrow_member_field_by_index(payload_field, i), value);
}

static uint64_t clock_value(int64_t ns)
{
	return ns < 0 ? 0 : (uint64_t)ns;
}

/* Returns a message with one verdict, `ns` after the clock's origin, or null if out of memory. */
static const bt_message *verdict_message(const struct verdict_stream *v,
					 bt_self_message_iterator *self, const struct doze_wake *w,
					 int64_t ns)
{
	bt_message *m = bt_message_event_create_with_packet_and_default_clock_snapshot(
	    self, v->event, v->packet, clock_value(ns));
	bt_field *p;

	if (!m)
		return NULL;
	p = bt_event_borrow_payload_field(bt_message_event_borrow_event(m));
	set_signed(p, VPID, w->target.vpid);
	set_unsigned(p, POOL, w->target.pool);
	set_signed(p, TARGET, w->target.index);
	set_signed(p, WAKER, w->waker);
	set_unsigned(p, WAKE_ID, w->wake_id);
	set_unsigned(p, DECISION_ID, w->decision_id);
	set_unsigned(p, CAUSE, w->cause);
	set_unsigned(p, VERDICT, w->verdict);
	set_signed(p, TIMES, w->published);
	set_signed(p, TIMES + 1, w->notified);
	set_signed(p, TIMES + 2, w->awake);
	set_signed(p, TIMES + 3, w->first_job);
	return m;
}

/* ---- The filter ---- */

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
	const bt_message **queue =
	    m ? doze_grow(f->queue, &f->capacity, f->tail, sizeof(const bt_message *)) : NULL;

	if (!queue) {
		bt_message_put_ref(m);
		f->failed = true;
		return;
	}
	f->queue = queue;
	queue[f->tail++] = m;
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
	push(f, bt_message_packet_beginning_create_with_default_clock_snapshot(
		    f->self, f->verdicts.packet, clock_value(f->now)));
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
	push(f, bt_message_packet_end_create_with_default_clock_snapshot(
		    f->self, f->verdicts.packet, clock_value(f->now)));
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
