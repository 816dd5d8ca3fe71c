/*
 * SPDX-License-Identifier: MIT
 *
 * sink.c - see sink.h.
 */
#include "sink.h"

#include <stdio.h>
#include <stdlib.h>

#include "merge.h"

struct sink {
	const struct doze_sink_target *target; /* not owned */
	uint64_t ports;
	struct doze_merge *merge; /* owned; created by graph_is_configured */
};

/* The arguments of doze_sink_add, passed to the initialize method. */
struct wish {
	const struct doze_sink_target *target;
	uint64_t ports;
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
	const struct wish *wish = init_data;

	(void)config;
	(void)params;
	if (!s)
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	s->target = wish->target;
	s->ports = wish->ports;
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

	doze_merge_free(s->merge);
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
	if (st == BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK) {
		s->merge = doze_merge_new(iterators, s->ports);
		if (!s->merge)
			st = BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_MEMORY_ERROR;
	}
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

	return doze_merge_step(s->merge, s->target->message, s->target->ctx);
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
	struct wish wish = {target, ports};

	(void)bt_graph_add_sink_component_with_initialize_method_data(
	    graph, class, "doze", NULL, &wish, BT_LOGGING_LEVEL_NONE, &sink);
	return sink;
}
