/*
 * SPDX-License-Identifier: MIT
 *
 * sink.h - the Babeltrace sink component class of the reader: any number of input ports, whose
 * messages are merged by time and passed to a callback.
 */
#ifndef DOZE_VIZ_READER_SINK_H
#define DOZE_VIZ_READER_SINK_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

/** The function that the component calls for each message. It returns false to end the graph. */
struct doze_sink_target {
	bool (*message)(void *ctx, const bt_message *);
	void *ctx; /* not owned */
};

/** Returns the newest version of Babeltrace's message interchange protocol that both doze and the
 * installed Babeltrace know: 1 since Babeltrace 2.1, before that 0. */
uint64_t doze_mip_newest(void);
/** Returns the component class (owned by the caller), or null with Babeltrace's error on the
 * thread. */
bt_component_class_sink *doze_sink_class(void);
/** Adds a sink of the class to the graph, with `ports` input ports, all of which must be connected.
 * target is not owned and must outlive the graph. Returns the component (not owned), or null with
 * Babeltrace's error on the thread. */
const bt_component_sink *doze_sink_add(bt_graph *, const bt_component_class_sink *,
				       const struct doze_sink_target *target, uint64_t ports);

#endif
