/*
 * SPDX-License-Identifier: MIT
 *
 * streams.c - see streams.h. A trace has one stream per CPU and channel, so a one-entry cache and
 * a linear search are enough.
 */
#include "streams.h"

#include <stdlib.h>
#include <string.h>

/* Returns the number of a host. Hosts are identified by name: the same name in two traces means the
 * same host. */
static uint32_t host_number(struct doze_streams *ss, const char *name)
{
	char **hosts, *copy;

	for (uint32_t i = 0; i < ss->host_count; i++)
		if (strcmp(ss->hosts[i], name) == 0)
			return i;
	hosts = realloc(ss->hosts, (ss->host_count + 1) * sizeof(*hosts));
	if (!hosts)
		return 0;
	ss->hosts = hosts;
	copy = strdup(name);
	if (!copy)
		return 0;
	hosts[ss->host_count] = copy;
	return ss->host_count++;
}

static const char *stream_hostname(const bt_stream *stream)
{
	const bt_value *v = bt_trace_borrow_environment_entry_value_by_name_const(
	    bt_stream_borrow_trace_const(stream), "hostname");

	return v && bt_value_is_string(v) ? bt_value_string_get(v) : "?";
}

static struct doze_stream *stream_add(struct doze_streams *ss, const bt_stream *stream)
{
	struct doze_stream *s;

	if (ss->count == ss->room) {
		size_t room = ss->room ? ss->room * 2 : 16;
		struct doze_stream **list = realloc(ss->list, room * sizeof(struct doze_stream *));

		if (!list)
			return NULL;
		ss->list = list;
		ss->room = room;
	}
	s = malloc(sizeof(*s));
	if (!s)
		return NULL;
	*s = (struct doze_stream){stream, host_number(ss, stream_hostname(stream)), -1};
	bt_stream_get_ref(stream);
	ss->list[ss->count++] = s;
	return s;
}

struct doze_stream *doze_stream_look_up(struct doze_streams *ss, const bt_stream *stream)
{
	for (size_t i = 0; i < ss->count; i++)
		if (ss->list[i]->stream == stream)
			return ss->last = ss->list[i];
	return ss->last = stream_add(ss, stream);
}

void doze_stream_packet(struct doze_stream *s, const bt_packet *packet)
{
	const bt_field *context = bt_packet_borrow_context_field_const(packet);
	const bt_field *cpu = NULL;

	if (context)
		cpu = bt_field_structure_borrow_member_field_by_name_const(context, "cpu_id");
	s->cpu = -1;
	if (cpu && bt_field_get_class_type(cpu) == BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)
		s->cpu = (int32_t)bt_field_integer_unsigned_get_value(cpu);
}

static void stream_free(struct doze_stream *s)
{
	bt_stream_put_ref(s->stream);
	free(s);
}

void doze_stream_end(struct doze_streams *ss, const bt_stream *stream)
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

void doze_streams_clear(struct doze_streams *ss)
{
	for (size_t i = 0; i < ss->count; i++)
		stream_free(ss->list[i]);
	for (uint32_t i = 0; i < ss->host_count; i++)
		free(ss->hosts[i]);
	free(ss->list);
	free(ss->hosts);
	*ss = (struct doze_streams){0};
}
