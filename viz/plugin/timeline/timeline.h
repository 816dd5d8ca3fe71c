/*
 * SPDX-License-Identifier: MIT
 *
 * timeline.h - sink.doze.timeline: viz/views/timeline as a Babeltrace component class.
 */
#ifndef DOZE_VIZ_PLUGIN_TIMELINE_H
#define DOZE_VIZ_PLUGIN_TIMELINE_H

#include <babeltrace2/babeltrace.h>

#include "../common/part.h"

#define DOZE_PLUGIN_TIMELINE_HELP                                                                  \
	"Parameters, all optional:\n"                                                              \
	"  columns=N          width of the output, 20 to 10000 (default 80)\n"                     \
	"  ascii=yes          no character beyond ASCII\n"                                         \
	"  color=yes          colours, too (never hue alone)\n" DOZE_PLUGIN_PART_HELP

bt_component_class_initialize_method_status
doze_plugin_timeline_initialize(bt_self_component_sink *, bt_self_component_sink_configuration *,
				const bt_value *params, void *data);

#endif
