/*
 * SPDX-License-Identifier: MIT
 *
 * graph.h - the Babeltrace graph: sources, and the reader's sink, which merges their streams.
 */
#ifndef DOZE_VIZ_READER_GRAPH_H
#define DOZE_VIZ_READER_GRAPH_H

#include <babeltrace2/babeltrace.h>

#include "find.h"
#include "sink.h"

/** Builds source.ctf.fs components, one per folder, and the sink. Returns a reference owned by the
 * caller, or null with one line in err. target is not owned and must outlive the graph. */
bt_graph *doze_graph_dir(const struct doze_folders *, const struct doze_sink_target *target,
			 char *err, size_t err_size);
/** Builds source.ctf.lttng-live and the sink. The connection is made when the graph first runs. */
bt_graph *doze_graph_live(const char *url, const struct doze_sink_target *target, char *err,
			  size_t err_size);
/** Drops the reference. Graphs may be built, run and freed on several threads, each graph on one at
 * a time. Null is allowed. */
void doze_graph_free(bt_graph *);

#endif
