/*
 * SPDX-License-Identifier: MIT
 *
 * decode.c - see decode.h. This is the reader's hot path: each event takes one lookup of its plan,
 * one of its stream, and one load and one store per field. No names are compared.
 */
#include "decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "plan.h"
#include "utf8.h"

/*
 * ---- The traced host of a bt_stream and the CPU of its current packet. A trace has one stream per
 * CPU and channel, so a one-entry cache and a linear search are enough.
 */

struct doze_stream {
	const bt_stream *stream; /* owned reference */
	uint32_t host;
	int32_t cpu; /* CPU of the current packet; -1: unknown */
};

/* Streams and hosts seen so far. Initialise with zeros. */
struct doze_streams {
	struct doze_stream **list; /* owned */
	size_t count, room;
	struct doze_stream *last; /* not owned; the result of the last look-up */
	char **hosts;             /* owned; indexed by number */
	size_t host_room;
	uint32_t host_count;
};

/* Returns the number of a host. Hosts are identified by name: the same name in two traces means the
 * same host. */
static uint32_t host_number(struct doze_streams *ss, const char *name)
{
	char **hosts;

	for (uint32_t i = 0; i < ss->host_count; i++)
		if (strcmp(ss->hosts[i], name) == 0)
			return i;
	hosts = doze_grow(ss->hosts, &ss->host_room, ss->host_count, sizeof *hosts);
	if (!hosts)
		return 0;
	ss->hosts = hosts;
	hosts[ss->host_count] = strdup(name);
	return hosts[ss->host_count] ? ss->host_count++ : 0;
}

static const char *stream_hostname(const bt_stream *stream)
{
	const bt_value *v = bt_trace_borrow_environment_entry_value_by_name_const(
	    bt_stream_borrow_trace_const(stream), "hostname");

	return v && bt_value_is_string(v) ? bt_value_string_get(v) : "?";
}

static struct doze_stream *stream_add(struct doze_streams *ss, const bt_stream *stream)
{
	struct doze_stream **list = doze_grow(ss->list, &ss->room, ss->count, sizeof *list);
	struct doze_stream *s = list ? malloc(sizeof(*s)) : NULL;

	ss->list = list ? list : ss->list;
	if (!s)
		return NULL;
	*s = (struct doze_stream){stream, host_number(ss, stream_hostname(stream)), -1};
	bt_stream_get_ref(stream);
	ss->list[ss->count++] = s;
	return s;
}

/* Returns the record of a stream, or null if out of memory. Creates it if necessary. */
static struct doze_stream *doze_stream_look_up(struct doze_streams *ss, const bt_stream *stream)
{
	for (size_t i = 0; i < ss->count; i++)
		if (ss->list[i]->stream == stream)
			return ss->last = ss->list[i];
	return ss->last = stream_add(ss, stream);
}

static inline struct doze_stream *doze_stream_find(struct doze_streams *ss, const bt_stream *stream)
{
	return ss->last && ss->last->stream == stream ? ss->last : doze_stream_look_up(ss, stream);
}

static void stream_free(struct doze_stream *s)
{
	bt_stream_put_ref(s->stream);
	free(s);
}

/* Frees the record of a stream that has ended: records must not accumulate in a long live
 * session. */
static void doze_stream_end(struct doze_streams *ss, const bt_stream *stream)
{
	for (size_t i = 0; i < ss->count; i++) {
		if (ss->list[i]->stream != stream)
			continue;
		stream_free(ss->list[i]);
		ss->list[i] = ss->list[--ss->count];
		ss->last = NULL;
		return;
	}
}

static void doze_streams_clear(struct doze_streams *ss)
{
	for (size_t i = 0; i < ss->count; i++)
		stream_free(ss->list[i]);
	for (uint32_t i = 0; i < ss->host_count; i++)
		free(ss->hosts[i]);
	free(ss->list);
	free(ss->hosts);
	*ss = (struct doze_streams){0};
}

/* ---- The decoder ---- */

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

/* An event has at most three strings in its payload and one in its context. LTTng limits their
 * lengths only by the sub-buffer's size, but strings that need cleaning may be truncated. */
enum { MAX_TEXTS = 4, TEXT_SIZE = 512 };

struct doze_decoder {
	struct doze_plans plans;
	struct doze_streams streams;
	struct doze_decode_counts counts;
	int64_t now; /* the latest timestamp of any message; 0 before the first */
	/* Of all fields missing so far, the one with the lowest `since`, and an event that lacks
	 * it. */
	const struct doze_field_spec *lacks; /* null: no field is missing */
	enum doze_event_kind lacks_in;
	uint32_t minor; /* the highest minor version seen in a pool_start; 0 before the first */
	struct doze_binary binary;
	char sentence[160];
	char text[MAX_TEXTS][TEXT_SIZE]; /* sanitized copies of strings of the current event */
	unsigned texts;
};

struct doze_decoder *doze_decoder_new(void)
{
	return calloc(1, sizeof(struct doze_decoder));
}

void doze_decoder_free(struct doze_decoder *d)
{
	if (!d)
		return;
	doze_plans_clear(&d->plans);
	doze_streams_clear(&d->streams);
	free(d);
}

static uint64_t load_number(const bt_field *f, uint8_t load)
{
	switch (load) {
	case DOZE_LOAD_unsigned:
		return bt_field_integer_unsigned_get_value(f);
	case DOZE_LOAD_signed:
		return (uint64_t)bt_field_integer_signed_get_value(f);
	default:
		return (uint64_t)bt_field_bool_get_value(f);
	}
}

static void store_enum(struct doze_decoder *d, struct doze_event *e, void *at, uint64_t value,
		       const struct doze_enum_map *map)
{
	int known = value < map->count ? map->table[value] : -1;
	/* Each vocabulary has its own enum type; all these types have the size of an int. */
	unsigned v = known < 0 ? 0 : (unsigned)known;

	if (known < 0) {
		e->unknown_label = true;
		d->counts.unknown_labels++;
	}
	memcpy(at, &v, sizeof(v));
}

_Static_assert(sizeof(enum doze_state) == sizeof(unsigned), "enums are stored as unsigned");

static void store_number(void *at, uint64_t v, uint8_t store)
{
	uint32_t v32 = (uint32_t)v;

	switch (store) {
	case DOZE_STORE_u8:
		*(uint8_t *)at = (uint8_t)v;
		break;
	case DOZE_STORE_32:
		memcpy(at, &v32, sizeof(v32));
		break;
	case DOZE_STORE_bool:
		*(bool *)at = v != 0;
		break;
	default:
		memcpy(at, &v, sizeof(v));
	}
}

/* Returns the field's text, cleaned. Babeltrace reuses fields, and up to at least 2.0.4 only the
 * length of an empty string is right: its value is still the text of an earlier event. */
static const char *string_of(struct doze_decoder *d, const bt_field *f)
{
	const char *text = bt_field_string_get_length(f) ? bt_field_string_get_value(f) : "";
	char *copy = d->text[d->texts % MAX_TEXTS];

	if (doze_text_is_clean(text))
		return text;
	doze_text_clean(copy, TEXT_SIZE, text);
	d->texts++;
	return copy;
}

static const bt_field *field_of(const bt_field *payload, const struct doze_plan_step *s)
{
	return bt_field_structure_borrow_member_field_by_index_const(payload, s->member);
}

static void run_step(struct doze_decoder *d, const struct doze_plan_step *s,
		     const bt_field *payload, struct doze_event *e)
{
	const bt_field *f = field_of(payload, s);
	void *at = (char *)e + s->offset;

	if (s->store == DOZE_STORE_string) {
		const char *text = string_of(d, f);

		memcpy(at, &text, sizeof(text));
	} else if (s->store == DOZE_STORE_enum) {
		store_enum(d, e, at, load_number(f, s->load), &s->map);
	} else {
		store_number(at, load_number(f, s->load), s->store);
	}
}

static void run_steps(struct doze_decoder *d, const struct doze_plan *p, const bt_field *payload,
		      struct doze_event *e)
{
	const struct doze_plan_step *s = p->step;

	for (; s < p->run_end[DOZE_RUN_unsigned_32]; s++)
		store_number((char *)e + s->offset,
			     bt_field_integer_unsigned_get_value(field_of(payload, s)),
			     DOZE_STORE_32);
	for (; s < p->run_end[DOZE_RUN_signed_32]; s++)
		store_number((char *)e + s->offset,
			     (uint64_t)bt_field_integer_signed_get_value(field_of(payload, s)),
			     DOZE_STORE_32);
	for (; s < p->run_end[DOZE_RUN_64]; s++)
		store_number((char *)e + s->offset,
			     bt_field_integer_unsigned_get_value(field_of(payload, s)),
			     DOZE_STORE_64);
	for (; s < p->run_end[DOZE_RUN_enum]; s++)
		store_enum(d, e, (char *)e + s->offset,
			   bt_field_integer_unsigned_get_value(field_of(payload, s)), &s->map);
	for (; s < p->run_end[DOZE_RUN_other]; s++)
		run_step(d, s, payload, e);
}

static void run_context(const struct doze_plan *p, const bt_event *event, struct doze_event *e)
{
	const bt_field *c = bt_event_borrow_common_context_field_const(event);

	if (p->vpid_member >= 0)
		e->vpid = (int32_t)bt_field_integer_signed_get_value(
		    bt_field_structure_borrow_member_field_by_index_const(
			c, (uint64_t)p->vpid_member));
	if (p->vtid_member >= 0)
		e->vtid = (int32_t)bt_field_integer_signed_get_value(
		    bt_field_structure_borrow_member_field_by_index_const(
			c, (uint64_t)p->vtid_member));
}

/* Workers are identified by their index, so only the names of outside threads need to be read. */
static void read_name(struct doze_decoder *d, const struct doze_plan *p, const bt_event *event,
		      struct doze_event *e)
{
	const bt_field *c = bt_event_borrow_common_context_field_const(event);

	e->procname = string_of(
	    d, bt_field_structure_borrow_member_field_by_index_const(c, (uint64_t)p->name_member));
}

static bool from_newer_schema(const struct doze_event *e)
{
	return e->kind == DOZE_EV_pool_start && e->u.pool_start.schema_major > DOZE_SCHEMA_MAJOR;
}

/* Returns whether the trace lacks a field that its schema requires. The schema's version is unknown
 * until the first pool_start, which may follow events that lack the field. */
static bool lacks_field(struct doze_decoder *d, const struct doze_plan *p,
			const struct doze_event *e)
{
	if (e->kind == DOZE_EV_pool_start && e->u.pool_start.schema_minor > d->minor)
		d->minor = e->u.pool_start.schema_minor;
	if (p->lacks && (!d->lacks || p->lacks->since < d->lacks->since)) {
		d->lacks = p->lacks;
		d->lacks_in = e->kind;
	}
	return d->lacks && d->lacks->since <= d->minor;
}

const char *doze_decoder_lacks(struct doze_decoder *d)
{
	snprintf(d->sentence, sizeof d->sentence,
		 "doze:%s has no field %s, or the field has the wrong type, but schema %d.%u "
		 "requires it",
		 doze_event_name(d->lacks_in), d->lacks ? d->lacks->name : "?", DOZE_SCHEMA_MAJOR,
		 d->lacks ? d->lacks->since : 0U);
	return d->sentence;
}

static void count_event(struct doze_decoder *d, const struct doze_event *e,
			const bt_event_class *class)
{
	d->counts.events++;
	if (e->kind != DOZE_EV_unknown)
		return;
	d->counts.unknown_events++;
	if (!*d->counts.unknown)
		doze_text_clean(d->counts.unknown, sizeof d->counts.unknown,
				bt_event_class_get_name(class));
}

static const bt_field *member(const bt_field *structure, int32_t index)
{
	return index < 0 ? NULL
			 : bt_field_structure_borrow_member_field_by_index_const(structure,
										 (uint64_t)index);
}

static void decode_build_id(struct doze_binary *b, const bt_field *id)
{
	uint64_t n = bt_field_array_get_length(id);

	for (uint64_t i = 0; i < n && i < DOZE_BUILD_ID; i++) {
		const bt_field *f = bt_field_array_borrow_element_field_by_index_const(id, i);

		if (bt_field_get_class_type(f) != BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)
			return;
		b->id[b->id_length++] = (uint8_t)bt_field_integer_unsigned_get_value(f);
	}
}

static enum doze_decoded decode_binary(struct doze_decoder *d, const struct doze_plan *p,
				       const struct doze_stream *s, const bt_event *event)
{
	const bt_field *payload = bt_event_borrow_payload_field_const(event);
	const bt_field *size = member(payload, p->size), *path = member(payload, p->path);
	struct doze_event context = {.vpid = -1};

	run_context(p, event, &context);
	d->binary = (struct doze_binary){
	    .host = s->host,
	    .vpid = context.vpid,
	    .base = bt_field_integer_unsigned_get_value(member(payload, p->base)),
	    .size = size ? bt_field_integer_unsigned_get_value(size) : 0,
	    .path = path ? string_of(d, path) : NULL,
	};
	if (p->id >= 0)
		decode_build_id(&d->binary, member(payload, p->id));
	return DOZE_DECODED_BINARY;
}

static enum doze_decoded decode_event(struct doze_decoder *d, const bt_message *msg,
				      struct doze_event *e)
{
	const bt_event *event = bt_message_event_borrow_event_const(msg);
	const struct doze_plan *p = doze_plan_find(&d->plans, bt_event_borrow_class_const(event));
	struct doze_stream *s =
	    p ? doze_stream_find(&d->streams, bt_event_borrow_stream_const(event)) : NULL;

	if (!s)
		return DOZE_DECODED_MEMORY;
	if (p->has_clock)
		d->now = doze_snapshot_ns(bt_message_event_borrow_default_clock_snapshot_const(msg),
					  d->now);
	if (p->foreign) {
		d->counts.foreign++;
		return p->binary ? decode_binary(d, p, s, event) : DOZE_DECODED_NOTHING;
	}
	*e = p->prototype;
	e->ts = p->has_clock ? d->now : 0;
	e->cpu = s->cpu;
	e->host = s->host;
	run_context(p, event, e);
	if (p->steps)
		run_steps(d, p, bt_event_borrow_payload_field_const(event), e);
	if (e->worker < 0 && p->name_member >= 0)
		read_name(d, p, event, e);
	count_event(d, e, p->class);
	if (from_newer_schema(e))
		return DOZE_DECODED_NEWER;
	return lacks_field(d, p, e) ? DOZE_DECODED_LACKS : DOZE_DECODED_EVENT;
}

/* Records the CPU of a packet at its beginning. */
static enum doze_decoded decode_packet(struct doze_decoder *d, const bt_message *msg)
{
	const bt_packet *packet = bt_message_packet_beginning_borrow_packet_const(msg);
	const bt_field *context = bt_packet_borrow_context_field_const(packet), *cpu = NULL;
	struct doze_stream *s =
	    doze_stream_find(&d->streams, bt_packet_borrow_stream_const(packet));

	if (!s)
		return DOZE_DECODED_MEMORY;
	if (context)
		cpu = bt_field_structure_borrow_member_field_by_name_const(context, "cpu_id");
	s->cpu = -1;
	if (cpu && bt_field_get_class_type(cpu) == BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)
		s->cpu = (int32_t)bt_field_integer_unsigned_get_value(cpu);
	return DOZE_DECODED_NOTHING;
}

static enum doze_decoded decode_quiet(struct doze_decoder *d, const bt_message *msg,
				      struct doze_loss *loss)
{
	d->now = doze_snapshot_ns(
	    bt_message_message_iterator_inactivity_borrow_clock_snapshot_const(msg), d->now);
	*loss = (struct doze_loss){d->now, d->now, 0};
	return DOZE_DECODED_QUIET;
}

/* Returns whether the class of the stream declares doze events. */
static bool is_ours(const bt_stream *stream)
{
	const bt_stream_class *sc = bt_stream_borrow_class_const(stream);
	uint64_t n = bt_stream_class_get_event_class_count(sc);

	for (uint64_t i = 0; i < n; i++)
		if (doze_event_class_is_ours(
			bt_stream_class_borrow_event_class_by_index_const(sc, i)))
			return true;
	return false;
}

/* A doze trace in which nothing happened has no events, but it does declare them. */
static enum doze_decoded decode_stream(struct doze_decoder *d, const bt_message *msg)
{
	d->counts.announced =
	    d->counts.announced || is_ours(bt_message_stream_beginning_borrow_stream_const(msg));
	return DOZE_DECODED_NOTHING;
}

/* What other programs or the kernel lost, in traces beside ours, leaves doze's events complete. */
static enum doze_decoded decode_lost_events(const struct doze_decoder *d, const bt_message *msg,
					    struct doze_loss *loss)
{
	const bt_stream *stream = bt_message_discarded_events_borrow_stream_const(msg);

	if (!is_ours(stream))
		return DOZE_DECODED_NOTHING;
	*loss = (struct doze_loss){d->now, d->now, 0};
	if (bt_stream_class_discarded_events_have_default_clock_snapshots(
		bt_stream_borrow_class_const(stream))) {
		loss->from = doze_snapshot_ns(
		    bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(msg),
		    d->now);
		loss->to = doze_snapshot_ns(
		    bt_message_discarded_events_borrow_end_default_clock_snapshot_const(msg),
		    d->now);
	}
	(void)bt_message_discarded_events_get_count(msg, &loss->count);
	return DOZE_DECODED_LOSS;
}

/* How many events the lost packets contained is unknown, so the count is 0. */
static enum doze_decoded decode_lost_packets(const struct doze_decoder *d, const bt_message *msg,
					     struct doze_loss *loss)
{
	const bt_stream *stream = bt_message_discarded_packets_borrow_stream_const(msg);

	if (!is_ours(stream))
		return DOZE_DECODED_NOTHING;
	*loss = (struct doze_loss){d->now, d->now, 0};
	if (bt_stream_class_discarded_packets_have_default_clock_snapshots(
		bt_stream_borrow_class_const(stream))) {
		loss->from = doze_snapshot_ns(
		    bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(msg),
		    d->now);
		loss->to = doze_snapshot_ns(
		    bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(msg),
		    d->now);
	}
	return DOZE_DECODED_LOSS;
}

enum doze_decoded doze_decode(struct doze_decoder *d, const bt_message *msg, struct doze_event *e,
			      struct doze_loss *loss)
{
	switch (bt_message_get_type(msg)) {
	case BT_MESSAGE_TYPE_EVENT:
		return decode_event(d, msg, e);
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return decode_packet(d, msg);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return decode_lost_events(d, msg, loss);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return decode_lost_packets(d, msg, loss);
	case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
		return decode_quiet(d, msg, loss);
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		return decode_stream(d, msg);
	case BT_MESSAGE_TYPE_STREAM_END:
		doze_stream_end(&d->streams, bt_message_stream_end_borrow_stream_const(msg));
		return DOZE_DECODED_NOTHING;
	default:
		return DOZE_DECODED_NOTHING;
	}
}

const struct doze_decode_counts *doze_decoder_counts(const struct doze_decoder *d)
{
	return &d->counts;
}

const struct doze_binary *doze_decoder_binary(const struct doze_decoder *d)
{
	return &d->binary;
}
