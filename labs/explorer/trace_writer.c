/*
 * SPDX-License-Identifier: MIT
 *
 * trace_writer.c - see trace_writer.h. Connects a Babeltrace source, whose iterator calls a
 * callback, to sink.ctf.fs.
 */
#include "trace_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <babeltrace2/babeltrace.h>

#include "../../viz/trace/fields.h"

/* ---- metadata: one event class per kind ---- */

#define MAX_FIELDS 24

struct class
{
	bt_event_class *class;                           /* owned reference */
	const struct doze_field_spec *field[MAX_FIELDS]; /* for each member of the payload; null for
							    the extra field */
	unsigned fields;
};

struct classes {
	bt_trace *trace;               /* owned reference */
	bt_stream_class *stream_class; /* owned reference */
	struct class kind[DOZE_EV_COUNT];
};

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

static void add_field(struct class *c, bt_trace_class *tc, bt_field_class *payload,
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

static void add_extra(struct class *c, bt_trace_class *tc, bt_field_class *payload)
{
	bt_field_class *fc = bt_field_class_string_create(tc);

	(void)bt_field_class_structure_append_member(payload, "later", fc);
	bt_field_class_put_ref(fc);
	c->field[c->fields++] = NULL;
}

static void add_class(struct classes *m, bt_trace_class *tc, enum doze_event_kind kind,
		      const struct trace_writer_options *o)
{
	struct class *c = &m->kind[kind];
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

/* Creates the trace, the stream class and the event classes. Returns false if Babeltrace fails. */
static bool classes_init(struct classes *m, bt_self_component *self,
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

static void classes_fini(struct classes *m)
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

/* Fills in an event of the given kind. */
static void fill_event(const struct class *c, bt_event *event, const struct doze_event *e)
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

/* ---- the source of events, and the graph ---- */

#define MAX_CPUS 8

struct cpu {
	bt_stream *stream; /* owned; null until the stream begins */
	bt_packet *packet; /* owned; null if none is open */
	unsigned in_packet;
	int64_t last; /* timestamp of the last message */
};

struct maker {
	struct trace_writer_options options;
	trace_writer_next next;
	void *ctx;
	struct classes classes;
	struct cpu cpu[MAX_CPUS];
	const bt_message *queue[4 * MAX_CPUS];
	unsigned queued, taken;
	bool ended;
	int64_t now;                        /* timestamp of the last event */
	bt_self_message_iterator *iterator; /* not owned */
};

static void push(struct maker *m, const bt_message *msg)
{
	m->queue[m->queued++] = msg;
}

static void begin_stream(struct maker *m, struct cpu *c)
{
	c->stream = bt_stream_create(m->classes.stream_class, m->classes.trace);
	push(m, bt_message_stream_beginning_create(m->iterator, c->stream));
}

static void begin_packet(struct maker *m, struct cpu *c, int64_t ts)
{
	bt_field *cpu_id;

	c->packet = bt_packet_create(c->stream);
	cpu_id = bt_field_structure_borrow_member_field_by_index(
	    bt_packet_borrow_context_field(c->packet), 0);
	bt_field_integer_unsigned_set_value(cpu_id, (uint64_t)(c - m->cpu));
	push(m, bt_message_packet_beginning_create_with_default_clock_snapshot(
		    m->iterator, c->packet, (uint64_t)ts));
	c->in_packet = 0;
	c->last = ts;
}

static void end_packet(struct maker *m, struct cpu *c)
{
	if (!c->packet)
		return;
	/* Other CPUs may have written since this CPU did, and messages must be ordered by time. */
	c->last = m->now;
	push(m, bt_message_packet_end_create_with_default_clock_snapshot(m->iterator, c->packet,
									 (uint64_t)c->last));
	BT_PACKET_PUT_REF_AND_RESET(c->packet);
}

static void write_event(struct maker *m, struct cpu *c, const struct doze_event *e)
{
	const struct class *class = &m->classes.kind[e->kind];
	bt_message *msg;

	if (!c->packet)
		begin_packet(m, c, e->ts);
	msg = bt_message_event_create_with_packet_and_default_clock_snapshot(
	    m->iterator, class->class, c->packet, (uint64_t)e->ts);
	fill_event(class, bt_message_event_borrow_event(msg), e);
	push(m, msg);
	c->last = e->ts;
	if (++c->in_packet >= m->options.per_packet)
		end_packet(m, c);
}

/* Records lost events. A loss extends from the end of one packet to the end of the next; here the
 * next packet is empty. */
static void write_loss(struct maker *m, struct cpu *c, int64_t ts, uint64_t lost)
{
	bt_message *msg;

	if (!c->packet && c->in_packet == 0)
		begin_packet(m, c, ts);
	end_packet(m, c);
	msg = bt_message_discarded_events_create_with_default_clock_snapshots(
	    m->iterator, c->stream, (uint64_t)c->last, (uint64_t)ts);
	bt_message_discarded_events_set_count(msg, lost);
	push(m, msg);
	m->now = ts;
	begin_packet(m, c, ts);
	end_packet(m, c);
}

static void end_all(struct maker *m)
{
	for (int i = 0; i < MAX_CPUS; i++) {
		struct cpu *c = &m->cpu[i];

		if (!c->stream)
			continue;
		end_packet(m, c);
		push(m, bt_message_stream_end_create(m->iterator, c->stream));
		BT_STREAM_PUT_REF_AND_RESET(c->stream);
	}
	m->ended = true;
}

static void step(struct maker *m)
{
	struct doze_event e = doze_event_prototype(DOZE_EV_unknown);
	uint64_t lost = 0;
	enum trace_writer_step what = m->next(m->ctx, &e, &lost);
	struct cpu *c = &m->cpu[e.cpu < 0 ? 0 : e.cpu % MAX_CPUS];

	m->queued = m->taken = 0;
	if (what == TRACE_WRITER_EVENT)
		m->now = e.ts;
	if (what == TRACE_WRITER_END) {
		end_all(m);
		return;
	}
	if (!c->stream)
		begin_stream(m, c);
	if (what == TRACE_WRITER_LOSS)
		write_loss(m, c, e.ts, lost);
	else
		write_event(m, c, &e);
}

static bt_message_iterator_class_next_method_status next_messages(bt_self_message_iterator *self,
								  bt_message_array_const messages,
								  uint64_t capacity,
								  uint64_t *count)
{
	struct maker *m =
	    bt_self_component_get_data(bt_self_message_iterator_borrow_component(self));

	m->iterator = self;
	*count = 0;
	while (*count < capacity) {
		if (m->taken < m->queued)
			messages[(*count)++] = m->queue[m->taken++];
		else if (!m->ended)
			step(m);
		else
			break;
	}
	return *count > 0 ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK
			  : BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
}

static bt_component_class_initialize_method_status
initialize(bt_self_component_source *self, bt_self_component_source_configuration *config,
	   const bt_value *params, void *data)
{
	bt_self_component *me = bt_self_component_source_as_self_component(self);
	struct maker *m = data;

	(void)config;
	(void)params;
	bt_self_component_set_data(me, m);
	if (!classes_init(&m->classes, me, &m->options) ||
	    bt_self_component_source_add_output_port(self, "out", NULL, NULL) !=
		BT_SELF_COMPONENT_ADD_PORT_STATUS_OK)
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static void finalize(bt_self_component_source *self)
{
	struct maker *m =
	    bt_self_component_get_data(bt_self_component_source_as_self_component(self));

	classes_fini(&m->classes);
}

static const bt_component_source *add_source(bt_graph *graph, struct maker *m)
{
	bt_message_iterator_class *iterator = bt_message_iterator_class_create(next_messages);
	bt_component_class_source *class = bt_component_class_source_create("made", iterator);
	const bt_component_source *source = NULL;

	bt_component_class_source_set_initialize_method(class, initialize);
	bt_component_class_source_set_finalize_method(class, finalize);
	(void)bt_graph_add_source_component_with_initialize_method_data(
	    graph, class, "made", NULL, m, BT_LOGGING_LEVEL_WARNING, &source);
	bt_component_class_source_put_ref(class);
	bt_message_iterator_class_put_ref(iterator);
	return source;
}

/* Babeltrace writes CTF 2 by default since 2.1, which graphs of MIP version 0 cannot; its 2.0
 * writes only CTF 1.8, and refuses the parameter. */
static void choose_format(bt_value *params)
{
	if (bt_version_get_major() > 2 || bt_version_get_minor() >= 1)
		(void)bt_value_map_insert_string_entry(params, "ctf-version", "1");
}

static const bt_component_sink *add_sink(bt_graph *graph, const char *dir)
{
	const bt_plugin *plugin = NULL;
	const bt_component_class_sink *class = NULL;
	const bt_component_sink *sink = NULL;
	bt_value *params = bt_value_map_create();

	(void)bt_value_map_insert_string_entry(params, "path", dir);
	(void)bt_value_map_insert_bool_entry(params, "assume-single-trace", BT_TRUE);
	(void)bt_value_map_insert_bool_entry(params, "quiet", BT_TRUE);
	choose_format(params);
	(void)bt_plugin_find("ctf", BT_TRUE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &plugin);
	if (plugin)
		class = bt_plugin_borrow_sink_component_class_by_name_const(plugin, "fs");
	if (class)
		(void)bt_graph_add_sink_component(graph, class, "ctf", params,
						  BT_LOGGING_LEVEL_WARNING, &sink);
	bt_value_put_ref(params);
	bt_plugin_put_ref(plugin);
	return sink;
}

static bool run(bt_graph *graph, const bt_component_source *source, const bt_component_sink *sink)
{
	return source && sink &&
	       bt_graph_connect_ports(
		   graph, bt_component_source_borrow_output_port_by_index_const(source, 0),
		   bt_component_sink_borrow_input_port_by_index_const(sink, 0),
		   NULL) == BT_GRAPH_CONNECT_PORTS_STATUS_OK &&
	       bt_graph_run(graph) == BT_GRAPH_RUN_STATUS_OK;
}

int trace_writer_write(const char *dir, const struct trace_writer_options *o,
		       trace_writer_next next, void *ctx)
{
	struct maker *m = calloc(1, sizeof(*m));
	bt_graph *graph = bt_graph_create(0);
	const bt_component_source *source;
	bool ok;

	if (o)
		m->options = *o;
	if (m->options.per_packet == 0)
		m->options.per_packet = 1000;
	m->next = next;
	m->ctx = ctx;
	source = add_source(graph, m);
	ok = run(graph, source, add_sink(graph, dir));
	bt_graph_put_ref(graph);
	free(m);
	if (!ok)
		fprintf(stderr, "synthetic trace: Babeltrace cannot write %s\n", dir);
	return ok ? 0 : -1;
}

struct array {
	const struct doze_event *event;
	size_t count, at;
};

static enum trace_writer_step next_of_array(void *ctx, struct doze_event *event, uint64_t *lost)
{
	struct array *a = ctx;

	(void)lost;
	if (a->at == a->count)
		return TRACE_WRITER_END;
	*event = a->event[a->at++];
	return TRACE_WRITER_EVENT;
}

int trace_writer_write_array(const char *dir, const struct trace_writer_options *o,
			     const struct doze_event *events, size_t count)
{
	struct array a = {events, count, 0};

	return trace_writer_write(dir, o, next_of_array, &a);
}
