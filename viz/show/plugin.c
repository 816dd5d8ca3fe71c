/*
 * SPDX-License-Identifier: MIT
 *
 * plugin.c - registers the component classes of the Babeltrace 2 plug-in `doze`: one sink per view
 * of DOZE_VIEWS, and the filter.
 */
#include <babeltrace2/babeltrace.h>

#include "../trace/sink.h"
#include "view_params.h"
#include "view_sink.h"
#include "wakes/wakes.h"

BT_PLUGIN_MODULE();

BT_PLUGIN_WITH_ID(doze, "doze");
BT_PLUGIN_DESCRIPTION_WITH_ID(doze, "Sleep and wake decisions of a doze thread pool");
BT_PLUGIN_LICENSE_WITH_ID(doze, "MIT");

/* Babeltrace's macros take constants, so each sink needs its own initialize method. The help text
 * is written when the plug-in is loaded, before Babeltrace reads it. */
#define INITIALIZE(id, description)                                                                \
	static bt_component_class_initialize_method_status id##_initialize(                        \
	    bt_self_component_sink *self, bt_self_component_sink_configuration *config,            \
	    const bt_value *params, void *data)                                                    \
	{                                                                                          \
		(void)config, (void)data;                                                          \
		return doze_view_sink_initialize(self, params, &doze_##id##_view);                 \
	}                                                                                          \
	static char id##_help[2048];
DOZE_VIEWS(INITIALIZE)

__attribute__((constructor)) static void write_help(void)
{
#define HELP(id, description) doze_view_params_help(&doze_##id##_view, id##_help, sizeof id##_help);
	DOZE_VIEWS(HELP)
}

/* The versions of the message interchange protocol that the reader's decoder understands. */
static bt_component_class_get_supported_mip_versions_method_status
supported_versions(bt_integer_range_set_unsigned *versions)
{
	return (bt_component_class_get_supported_mip_versions_method_status)
	    bt_integer_range_set_unsigned_add_range(versions, 0, doze_mip_newest());
}

static bt_component_class_get_supported_mip_versions_method_status
sink_versions(bt_self_component_class_sink *self, const bt_value *params, void *data,
	      bt_logging_level level, bt_integer_range_set_unsigned *versions)
{
	(void)self, (void)params, (void)data, (void)level;
	return supported_versions(versions);
}

static bt_component_class_get_supported_mip_versions_method_status
filter_versions(bt_self_component_class_filter *self, const bt_value *params, void *data,
		bt_logging_level level, bt_integer_range_set_unsigned *versions)
{
	(void)self, (void)params, (void)data, (void)level;
	return supported_versions(versions);
}

#define SINK(id, description)                                                                      \
	BT_PLUGIN_SINK_COMPONENT_CLASS_WITH_ID(doze, id, #id, doze_view_sink_consume);             \
	BT_PLUGIN_SINK_COMPONENT_CLASS_DESCRIPTION_WITH_ID(doze, id, description);                 \
	BT_PLUGIN_SINK_COMPONENT_CLASS_HELP_WITH_ID(doze, id, id##_help);                          \
	BT_PLUGIN_SINK_COMPONENT_CLASS_INITIALIZE_METHOD_WITH_ID(doze, id, id##_initialize);       \
	BT_PLUGIN_SINK_COMPONENT_CLASS_FINALIZE_METHOD_WITH_ID(doze, id, doze_view_sink_finalize); \
	BT_PLUGIN_SINK_COMPONENT_CLASS_GRAPH_IS_CONFIGURED_METHOD_WITH_ID(                         \
	    doze, id, doze_view_sink_configured);                                                  \
	BT_PLUGIN_SINK_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD_WITH_ID(doze, id,         \
										 sink_versions);
DOZE_VIEWS(SINK)

BT_PLUGIN_FILTER_COMPONENT_CLASS_WITH_ID(doze, wakes, "wakes", doze_plugin_wakes_next);
BT_PLUGIN_FILTER_COMPONENT_CLASS_DESCRIPTION_WITH_ID(
    doze, wakes, "Add an event `doze_verdict:wake` with the verdict on each wake");
BT_PLUGIN_FILTER_COMPONENT_CLASS_HELP_WITH_ID(doze, wakes, DOZE_PLUGIN_WAKES_HELP);
BT_PLUGIN_FILTER_COMPONENT_CLASS_INITIALIZE_METHOD_WITH_ID(doze, wakes,
							   doze_plugin_wakes_initialize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD_WITH_ID(doze, wakes,
									   filter_versions);
BT_PLUGIN_FILTER_COMPONENT_CLASS_FINALIZE_METHOD_WITH_ID(doze, wakes, doze_plugin_wakes_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_WITH_ID(
    doze, wakes, doze_plugin_wakes_iterator_initialize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD_WITH_ID(
    doze, wakes, doze_plugin_wakes_iterator_finalize);
