/*
 * SPDX-License-Identifier: MIT
 *
 * part.h - the parameters from, to and worker of the sinks: the part of a trace that is asked for,
 * as --from, --to and --worker of the commands, and with the same checks
 * (viz/views/selection_text).
 */
#ifndef DOZE_VIZ_PLUGIN_PART_H
#define DOZE_VIZ_PLUGIN_PART_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

#include "../../event/selection.h"

/** For a class's help text, and for its list of known parameters. */
#define DOZE_PLUGIN_PART_HELP                                                                      \
	"  from=T to=T        time range after the first event: nanoseconds, or \"20ms\"\n"        \
	"  worker=LIST        only these workers: 2, or \"0-3,6\"\n"
#define DOZE_PLUGIN_PART_PARAMS "from", "to", "worker"

struct doze_plugin_part {
	struct doze_selection selection;
	char list[256]; /* selection.list */
};

/** Reads the three; it must not move afterwards. False, with a cause appended to the thread's
 * error, when one is wrong, or when the range ends before it begins. */
bool doze_plugin_part_read(struct doze_plugin_part *, bt_self_component *, const bt_value *params);

#endif
