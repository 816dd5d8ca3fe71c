/*
 * SPDX-License-Identifier: MIT
 *
 * storms.h - sink.doze.storms: viz/views/storms as a Babeltrace component class.
 */
#ifndef DOZE_VIZ_PLUGIN_STORMS_H
#define DOZE_VIZ_PLUGIN_STORMS_H

#include <babeltrace2/babeltrace.h>

#include "../common/part.h"

#define DOZE_PLUGIN_STORMS_HELP                                                                    \
	"Parameters, all optional:\n"                                                              \
	"  json=yes           one JSON object, with storms[]\n"                                    \
	"  brief=yes          only the answer, without the tables\n"                               \
	"  histogram=yes      also the log-2 histograms of the latencies\n"                        \
	"  storm-wakes=N      a storm wakes at least N workers (4)\n"                              \
	"  storm-share=R      and at least this share of them (0.5)\n"                             \
	"  storm-futile=R     and this share of its wakes is futile (0.5)\n"                       \
	"  storm-merge=T      decisions closer than this are one storm: nanoseconds, or "          \
	"\"1ms\"\n" DOZE_PLUGIN_PART_HELP

bt_component_class_initialize_method_status
doze_plugin_storms_initialize(bt_self_component_sink *, bt_self_component_sink_configuration *,
			      const bt_value *params, void *data);

#endif
