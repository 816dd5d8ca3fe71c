/*
 * SPDX-License-Identifier: MIT
 *
 * sink.c - see sink.h.
 */
#include "sink.h"

#include <stdlib.h>

struct sink {
	const struct doze_sink_target *target; /* weak */
	bt_message_iterator *iterator;         /* owned, from graph_is_configured */
};

static bt_component_class_initialize_method_status
sink_initialize(bt_self_component_sink *self, bt_self_component_sink_configuration *config,
		const bt_value *params, void *init_data)
{
	struct sink *s = calloc(1, sizeof(*s));

	(void)config;
	(void)params;
	if (!s)
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	s->target = init_data;
	bt_self_component_set_data(bt_self_component_sink_as_self_component(self), s);
	if (bt_self_component_sink_add_input_port(self, "in", NULL, NULL) !=
	    BT_SELF_COMPONENT_ADD_PORT_STATUS_OK) {
		free(s);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static struct sink *sink_of(bt_self_component_sink *self)
{
	return bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
}

static void sink_finalize(bt_self_component_sink *self)
{
	struct sink *s = sink_of(self);

	bt_message_iterator_put_ref(s->iterator);
	free(s);
}

static bt_component_class_sink_graph_is_configured_method_status
sink_graph_is_configured(bt_self_component_sink *self)
{
	bt_self_component_port_input *port =
	    bt_self_component_sink_borrow_input_port_by_index(self, 0);

	/* A source connects or opens its files in here. The method's statuses share their values
	 * with those of the iterator's creation. */
	return (bt_component_class_sink_graph_is_configured_method_status)
	    bt_message_iterator_create_from_sink_component(self, port, &sink_of(self)->iterator);
}

static bool sink_take(struct sink *s, bt_message_array_const messages, uint64_t count)
{
	bool go_on = true;

	for (uint64_t i = 0; i < count; i++) {
		go_on = go_on && s->target->message(s->target->ctx, messages[i]);
		bt_message_put_ref(messages[i]);
	}
	return go_on;
}

static bt_component_class_sink_consume_method_status sink_consume(bt_self_component_sink *self)
{
	struct sink *s = sink_of(self);
	bt_message_array_const messages;
	uint64_t count;
	bt_message_iterator_next_status st =
	    bt_message_iterator_next(s->iterator, &messages, &count);

	if (st != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		return (bt_component_class_sink_consume_method_status)st;
	return sink_take(s, messages, count) ? BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK
					     : BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END;
}

static bt_component_class_sink *sink_class(void)
{
	bt_component_class_sink *class = bt_component_class_sink_create("doze", sink_consume);

	if (!class)
		return NULL;
	bt_component_class_sink_set_initialize_method(class, sink_initialize);
	bt_component_class_sink_set_finalize_method(class, sink_finalize);
	bt_component_class_sink_set_graph_is_configured_method(class, sink_graph_is_configured);
	return class;
}

const bt_port_input *doze_sink_add(bt_graph *graph, const struct doze_sink_target *target)
{
	bt_component_class_sink *class = sink_class();
	const bt_component_sink *sink = NULL;

	if (class)
		(void)bt_graph_add_sink_component_with_initialize_method_data(
		    graph, class, "doze", NULL, (void *)(uintptr_t)target, BT_LOGGING_LEVEL_NONE,
		    &sink);
	bt_component_class_sink_put_ref(class);
	return sink ? bt_component_sink_borrow_input_port_by_index_const(sink, 0) : NULL;
}
