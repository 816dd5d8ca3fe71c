/*
 * SPDX-License-Identifier: MIT
 *
 * wakes_filter.h - filter.doze.wakes: forwards every message, and adds an event `doze_verdict:wake`
 * when the model reaches its verdict on a wake.
 *
 * The added events are in a separate trace and stream, because a component cannot add classes to
 * another component's trace. Their clock has the origin of the traced one, so that sinks order them
 * correctly.
 */
#ifndef DOZE_VIZ_PLUGIN_WAKES_FILTER_H
#define DOZE_VIZ_PLUGIN_WAKES_FILTER_H

#include <babeltrace2/babeltrace.h>

#define DOZE_PLUGIN_WAKES_HELP                                                                     \
	"No parameters. Adds events `doze_verdict:wake`; their fields:\n"                          \
	"  vpid pool target waker  the woken worker, and the waker (-1: an outside thread)\n"      \
	"  wake_id decision_id     as in doze:wake\n"                                              \
	"  cause verdict           why it was sent; unresolved redundant self terminate latch\n"   \
	"                          useful futile\n"                                                \
	"  published notified awake first_job\n"                                                   \
	"                          ns since the epoch, 0: unknown\n"                               \
	"Connect it after filter.utils.muxer:\n"                                                   \
	"  babeltrace2 DIR -c filter.doze.wakes -c sink.text.pretty\n"

bt_component_class_initialize_method_status
doze_plugin_wakes_initialize(bt_self_component_filter *, bt_self_component_filter_configuration *,
			     const bt_value *params, void *data);
void doze_plugin_wakes_finalize(bt_self_component_filter *);
bt_message_iterator_class_initialize_method_status
doze_plugin_wakes_iterator_initialize(bt_self_message_iterator *,
				      bt_self_message_iterator_configuration *,
				      bt_self_component_port_output *);
void doze_plugin_wakes_iterator_finalize(bt_self_message_iterator *);
bt_message_iterator_class_next_method_status doze_plugin_wakes_next(bt_self_message_iterator *,
								    bt_message_array_const messages,
								    uint64_t capacity,
								    uint64_t *count);

#endif
