/*
 * SPDX-License-Identifier: MIT
 *
 * plugin.c - registers the component classes of Babeltrace 2 plug-in `doze`; each has a folder.
 */
#include <babeltrace2/babeltrace.h>

#include "check/check.h"
#include "common/sink.h"
#include "storms/storms.h"
#include "timeline/timeline.h"
#include "wakes/wakes.h"

BT_PLUGIN_MODULE();

BT_PLUGIN_WITH_ID(doze, "doze");
BT_PLUGIN_DESCRIPTION_WITH_ID(doze, "Sleep and wake decisions of a doze thread pool");
BT_PLUGIN_LICENSE_WITH_ID(doze, "MIT");

/* A sink that folds the messages into the model and prints a view at the end. */
#define VIEW(id, description, help)                                                                \
	BT_PLUGIN_SINK_COMPONENT_CLASS_WITH_ID(doze, id, #id, doze_plugin_sink_consume);           \
	BT_PLUGIN_SINK_COMPONENT_CLASS_DESCRIPTION_WITH_ID(doze, id, description);                 \
	BT_PLUGIN_SINK_COMPONENT_CLASS_HELP_WITH_ID(doze, id, help);                               \
	BT_PLUGIN_SINK_COMPONENT_CLASS_INITIALIZE_METHOD_WITH_ID(doze, id,                         \
								 doze_plugin_##id##_initialize);   \
	BT_PLUGIN_SINK_COMPONENT_CLASS_FINALIZE_METHOD_WITH_ID(doze, id,                           \
							       doze_plugin_sink_finalize);         \
	BT_PLUGIN_SINK_COMPONENT_CLASS_GRAPH_IS_CONFIGURED_METHOD_WITH_ID(                         \
	    doze, id, doze_plugin_sink_configured)

VIEW(timeline, "Print the lanes of the workers as text", DOZE_PLUGIN_TIMELINE_HELP);
VIEW(storms, "Report wakes, wakeup storms, futile wakes, latencies", DOZE_PLUGIN_STORMS_HELP);
VIEW(check, "Check the trace against the rules of its sleep policy", DOZE_PLUGIN_CHECK_HELP);

BT_PLUGIN_FILTER_COMPONENT_CLASS_WITH_ID(doze, wakes, "wakes", doze_plugin_wakes_next);
BT_PLUGIN_FILTER_COMPONENT_CLASS_DESCRIPTION_WITH_ID(
    doze, wakes, "Add an event `doze_verdict:wake` for each wake whose use is known");
BT_PLUGIN_FILTER_COMPONENT_CLASS_HELP_WITH_ID(doze, wakes, DOZE_PLUGIN_WAKES_HELP);
BT_PLUGIN_FILTER_COMPONENT_CLASS_INITIALIZE_METHOD_WITH_ID(doze, wakes,
							   doze_plugin_wakes_initialize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_FINALIZE_METHOD_WITH_ID(doze, wakes, doze_plugin_wakes_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_WITH_ID(
    doze, wakes, doze_plugin_wakes_iterator_initialize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD_WITH_ID(
    doze, wakes, doze_plugin_wakes_iterator_finalize);
