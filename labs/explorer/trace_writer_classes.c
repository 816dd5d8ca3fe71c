/*
 * SPDX-License-Identifier: MIT
 *
 * trace_writer_classes.c - see trace_writer_classes.h.
 */
#include "trace_writer_classes.h"

#include <stdio.h>
#include <string.h>

static bool is_signed(const char *field)
{
	static const char *const list[] = {"worker", "idle",  "sleeping",
					   "target", "owner", "victim"};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		if (strcmp(list[i], field) == 0)
			return true;
	return false;
}

static bool carries_words(enum doze_event_kind kind)
{
	return kind == DOZE_EV_worker_state || kind == DOZE_EV_jec || kind == DOZE_EV_post ||
	       kind == DOZE_EV_wake || kind == DOZE_EV_sleep_abort;
}

static bt_field_class *enum_class(bt_trace_class *tc, enum doze_vocab vocab,
				  const struct trace_writer_options *o)
{
	bt_field_class *fc = bt_field_class_enumeration_unsigned_create(tc);
	const char *label;

	bt_field_class_integer_set_field_value_range(fc, 8);
	for (int v = 0; (label = doze_vocab_label(vocab, v)); v++) {
		bt_integer_range_set_unsigned *set = bt_integer_range_set_unsigned_create();

		if (o->strange && strcmp(o->strange, label) == 0)
			label = "telepathic";
		(void)bt_integer_range_set_unsigned_add_range(set, (uint64_t)v, (uint64_t)v);
		(void)bt_field_class_enumeration_unsigned_add_mapping(fc, label, set);
		bt_integer_range_set_unsigned_put_ref(set);
	}
	return fc;
}

static bt_field_class *integer_class(bt_trace_class *tc, bool with_sign, uint64_t bits)
{
	bt_field_class *fc = with_sign ? bt_field_class_integer_signed_create(tc)
				       : bt_field_class_integer_unsigned_create(tc);

	bt_field_class_integer_set_field_value_range(fc, bits);
	return fc;
}

static bt_field_class *field_class(bt_trace_class *tc, const struct doze_field_spec *f,
				   const struct trace_writer_options *o)
{
	switch (f->store) {
	case DOZE_STORE_string:
		return bt_field_class_string_create(tc);
	case DOZE_STORE_enum:
		return enum_class(tc, f->vocab, o);
	case DOZE_STORE_64:
		return integer_class(tc, false, 64);
	case DOZE_STORE_bool:
		return integer_class(tc, false, 8);
	default:
		return integer_class(tc, is_signed(f->name), 32);
	}
}

static void add_field(struct trace_writer_class *c, bt_trace_class *tc, bt_field_class *payload,
		      const struct doze_field_spec *f, const struct trace_writer_options *o)
{
	bt_field_class *fc;

	if (o->without && strcmp(o->without, f->name) == 0)
		return;
	/* A snapshot's field `new` is in both tables; add it once. */
	for (unsigned i = 0; i < c->fields; i++)
		if (strcmp(c->field[i]->name, f->name) == 0)
			return;
	fc = field_class(tc, f, o);
	(void)bt_field_class_structure_append_member(payload, f->name, fc);
	bt_field_class_put_ref(fc);
	c->field[c->fields++] = f;
}

static void add_extra(struct trace_writer_class *c, bt_trace_class *tc, bt_field_class *payload)
{
	bt_field_class *fc = bt_field_class_string_create(tc);

	(void)bt_field_class_structure_append_member(payload, "later", fc);
	bt_field_class_put_ref(fc);
	c->field[c->fields++] = NULL;
}

static void add_class(struct trace_writer_classes *m, bt_trace_class *tc, enum doze_event_kind kind,
		      const struct trace_writer_options *o)
{
	struct trace_writer_class *c = &m->kind[kind];
	const char *name = kind == DOZE_EV_unknown ? "telepathy" : doze_event_name(kind);
	bt_field_class *payload = bt_field_class_structure_create(tc);
	char full[64];

	c->class = bt_event_class_create(m->stream_class);
	snprintf(full, sizeof(full), "%s:%s", o->provider ? o->provider : "doze", name);
	(void)bt_event_class_set_name(c->class, full);
	for (const struct doze_field_spec *f = doze_common_fields; f->name; f++)
		if ((strcmp(f->name, "old") != 0 && strcmp(f->name, "new") != 0) ||
		    carries_words(kind))
			add_field(c, tc, payload, f, o);
	for (const struct doze_field_spec *f = doze_event_fields(kind); f->name; f++)
		add_field(c, tc, payload, f, o);
	if (o->extra)
		add_extra(c, tc, payload);
	(void)bt_event_class_set_payload_field_class(c->class, payload);
	bt_field_class_put_ref(payload);
}

/* Takes ownership of the field class. */
static void append(bt_field_class *structure, const char *name, bt_field_class *fc)
{
	(void)bt_field_class_structure_append_member(structure, name, fc);
	bt_field_class_put_ref(fc);
}

static void set_context(bt_trace_class *tc, bt_stream_class *sc)
{
	bt_field_class *common = bt_field_class_structure_create(tc);
	bt_field_class *packet = bt_field_class_structure_create(tc);

	append(common, "vpid", integer_class(tc, true, 32));
	append(common, "vtid", integer_class(tc, true, 32));
	append(packet, "cpu_id", integer_class(tc, false, 32));
	(void)bt_stream_class_set_event_common_context_field_class(sc, common);
	(void)bt_stream_class_set_packet_context_field_class(sc, packet);
	bt_field_class_put_ref(common);
	bt_field_class_put_ref(packet);
}

static void set_stream_class(bt_self_component *self, bt_trace_class *tc, bt_stream_class *sc)
{
	bt_clock_class *clock = bt_clock_class_create(self);

	(void)bt_stream_class_set_default_clock_class(sc, clock);
	bt_clock_class_put_ref(clock);
	bt_stream_class_set_supports_packets(sc, BT_TRUE, BT_TRUE, BT_TRUE);
	bt_stream_class_set_supports_discarded_events(sc, BT_TRUE, BT_TRUE);
	set_context(tc, sc);
}

bool trace_writer_classes_init(struct trace_writer_classes *m, bt_self_component *self,
			       const struct trace_writer_options *o)
{
	bt_trace_class *tc = bt_trace_class_create(self);

	memset(m, 0, sizeof(*m));
	if (!tc)
		return false;
	m->stream_class = bt_stream_class_create(tc);
	set_stream_class(self, tc, m->stream_class);
	for (int k = 0; k < DOZE_EV_COUNT; k++)
		add_class(m, tc, (enum doze_event_kind)k, o);
	m->trace = bt_trace_create(tc);
	(void)bt_trace_set_environment_entry_string(m->trace, "hostname",
						    o->hostname ? o->hostname : "made");
	bt_trace_class_put_ref(tc);
	return m->trace != NULL;
}

void trace_writer_classes_fini(struct trace_writer_classes *m)
{
	for (int k = 0; k < DOZE_EV_COUNT; k++)
		bt_event_class_put_ref(m->kind[k].class);
	bt_stream_class_put_ref(m->stream_class);
	bt_trace_put_ref(m->trace);
}

static uint64_t value_at(const struct doze_field_spec *f, const char *at)
{
	uint32_t v32;
	uint64_t v64;

	if (f->store == DOZE_STORE_64) {
		memcpy(&v64, at, sizeof(v64));
		return v64;
	}
	if (f->store == DOZE_STORE_u8 || f->store == DOZE_STORE_bool)
		return *(const uint8_t *)at;
	memcpy(&v32, at, sizeof(v32));
	return v32;
}

static void fill_field(const struct doze_field_spec *f, bt_field *field, const struct doze_event *e)
{
	const char *at = f ? (const char *)e + f->offset : NULL;
	const char *text = "of the future";

	if (!f || f->store == DOZE_STORE_string) {
		if (f)
			memcpy(&text, at, sizeof(text));
		(void)bt_field_string_set_value(field, text ? text : "");
	} else if (f->store != DOZE_STORE_64 && is_signed(f->name)) {
		bt_field_integer_signed_set_value(field, (int32_t)value_at(f, at));
	} else {
		bt_field_integer_unsigned_set_value(field, value_at(f, at));
	}
}

void trace_writer_fill(const struct trace_writer_class *c, bt_event *event,
		       const struct doze_event *e)
{
	bt_field *common = bt_event_borrow_common_context_field(event);
	bt_field *payload = bt_event_borrow_payload_field(event);

	bt_field_integer_signed_set_value(
	    bt_field_structure_borrow_member_field_by_index(common, 0), e->vpid);
	bt_field_integer_signed_set_value(
	    bt_field_structure_borrow_member_field_by_index(common, 1), e->vtid);
	for (unsigned i = 0; i < c->fields; i++)
		fill_field(c->field[i], bt_field_structure_borrow_member_field_by_index(payload, i),
			   e);
}
