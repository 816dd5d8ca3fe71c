/*
 * SPDX-License-Identifier: MIT
 *
 * check.h - sink.doze.check: viz/views/findings as a Babeltrace component class.
 */
#ifndef DOZE_VIZ_PLUGIN_CHECK_H
#define DOZE_VIZ_PLUGIN_CHECK_H

#include <babeltrace2/babeltrace.h>

#include "../common/part.h"

#define DOZE_PLUGIN_CHECK_HELP                                                                     \
	"Parameters, all optional:\n"                                                              \
	"  json=yes           one JSON object, with findings[]\n"                                  \
	"  max=N              show N findings with the events around them "                        \
	"(20)\n" DOZE_PLUGIN_PART_HELP

bt_component_class_initialize_method_status
doze_plugin_check_initialize(bt_self_component_sink *, bt_self_component_sink_configuration *,
			     const bt_value *params, void *data);

#endif
