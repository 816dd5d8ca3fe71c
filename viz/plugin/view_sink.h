/*
 * SPDX-License-Identifier: MIT
 *
 * view_sink.h - a view of viz/views as a sink: one input port, the decoder, the model, and the
 * view, which is printed on standard output when the messages end.
 */
#ifndef DOZE_VIZ_PLUGIN_VIEW_SINK_H
#define DOZE_VIZ_PLUGIN_VIEW_SINK_H

#include <babeltrace2/babeltrace.h>

#include "../views/view.h"

/** For a class's initialize method. */
bt_component_class_initialize_method_status doze_view_sink_initialize(bt_self_component_sink *,
								      const bt_value *params,
								      const struct doze_view *);
void doze_view_sink_finalize(bt_self_component_sink *);
bt_component_class_sink_graph_is_configured_method_status
doze_view_sink_configured(bt_self_component_sink *);
bt_component_class_sink_consume_method_status doze_view_sink_consume(bt_self_component_sink *);

#endif
