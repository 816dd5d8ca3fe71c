/*
 * SPDX-License-Identifier: MIT
 *
 * verdict.c - see verdict.h.
 */
#include "verdict.h"

#include <stdlib.h>

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

bool verdict_stream_make(struct verdict_stream *v, bt_self_component *self,
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

void verdict_stream_clear(struct verdict_stream *v)
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

const bt_message *verdict_packet_begin(const struct verdict_stream *v,
				       bt_self_message_iterator *self, int64_t ns)
{
	return bt_message_packet_beginning_create_with_default_clock_snapshot(self, v->packet,
									      clock_value(ns));
}

const bt_message *verdict_packet_end(const struct verdict_stream *v, bt_self_message_iterator *self,
				     int64_t ns)
{
	return bt_message_packet_end_create_with_default_clock_snapshot(self, v->packet,
									clock_value(ns));
}

const bt_message *verdict_message(const struct verdict_stream *v, bt_self_message_iterator *self,
				  const struct doze_wake *w, int64_t ns)
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
