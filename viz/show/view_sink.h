/*
 * SPDX-License-Identifier: MIT
 *
 * view_sink.h - runs a view of viz/show as a sink: it decodes the messages of its one input port,
 * feeds them to the model, and prints the view to standard output after the last message.
 */
#ifndef DOZE_VIZ_PLUGIN_VIEW_SINK_H
#define DOZE_VIZ_PLUGIN_VIEW_SINK_H

#include <babeltrace2/babeltrace.h>

#include "view.h"

/** The initialize method of the view's component class. */
bt_component_class_initialize_method_status doze_view_sink_initialize(bt_self_component_sink *,
								      const bt_value *params,
								      const struct doze_view *);
void doze_view_sink_finalize(bt_self_component_sink *);
bt_component_class_sink_graph_is_configured_method_status
doze_view_sink_configured(bt_self_component_sink *);
bt_component_class_sink_consume_method_status doze_view_sink_consume(bt_self_component_sink *);

#endif
