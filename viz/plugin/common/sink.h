/*
 * SPDX-License-Identifier: MIT
 *
 * sink.h - what the sinks of the plug-in share: one input port, the decoder, the model, and a view
 * that is printed on standard output when the messages end.
 *
 * A component class supplies a doze_plugin_view; all knowledge about pools is in viz/model and
 * viz/views.
 */
#ifndef DOZE_VIZ_PLUGIN_SINK_H
#define DOZE_VIZ_PLUGIN_SINK_H

#include <babeltrace2/babeltrace.h>
#include <stdio.h>

#include "../../model/model.h"

struct doze_plugin_view {
	/** Reads the parameters and creates the view and the model that feeds it. Returns false,
	 * with a cause on the thread's error, when a parameter is wrong or memory short; then
	 * nothing is left. */
	bool (*open)(bt_self_component *, const bt_value *params, void **view,
		     struct doze_model **model);
	/** Each event before / after the model has folded it in; may be null. */
	void (*before)(void *view, const struct doze_event *);
	void (*after)(void *view, const struct doze_event *);
	/** The part that is asked for, to be held against the trace before anything is printed. */
	const struct doze_selection *(*part)(const void *view);
	void (*print)(void *view, const struct doze_model *, FILE *out);
	void (*close)(void *view);
};

/** For a class's initialize method. */
bt_component_class_initialize_method_status
doze_plugin_sink_initialize(bt_self_component_sink *, const bt_value *params,
			    const struct doze_plugin_view *);
void doze_plugin_sink_finalize(bt_self_component_sink *);
bt_component_class_sink_graph_is_configured_method_status
doze_plugin_sink_configured(bt_self_component_sink *);
bt_component_class_sink_consume_method_status doze_plugin_sink_consume(bt_self_component_sink *);

/** Appends a cause to the thread's error. */
void doze_plugin_complain(bt_self_component *, const char *what);

#endif
