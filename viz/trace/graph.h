/*
 * SPDX-License-Identifier: MIT
 *
 * graph.h - the Babeltrace graph: sources, and the reader's sink, which merges their streams.
 */
#ifndef DOZE_VIZ_READER_GRAPH_H
#define DOZE_VIZ_READER_GRAPH_H

#include <stdbool.h>

#include <babeltrace2/babeltrace.h>

#include "find.h"
#include "sink.h"

struct doze_graph {
	bt_graph *graph; /* owned reference; null: none */
	/* Owned reference to the sources' plug-in. It keeps their component classes, of which a
	 * graph may drop its references at any time while it runs. */
	const bt_plugin *plugin;
	bool foreign;     /* the metadata of all folders is that of other programs */
	uint64_t streams; /* number of streams of all folders */
};

/** A part of the streams, which are divided into `of` parts by their numbers. */
struct doze_graph_part {
	unsigned number, of;
};
#define DOZE_GRAPH_ALL ((struct doze_graph_part){0, 1})

/** Builds source.ctf.fs components, one per folder, and the sink, which gets a part of their
 * streams. A part must have a stream. Returns a graph owned by the caller, which is empty on
 * failure, with one line in err. target is not owned and must outlive the graph. Graphs may be
 * built, run and freed on several threads, each graph on one at a time. */
struct doze_graph doze_graph_dir(const struct doze_folders *, struct doze_graph_part,
				 const struct doze_sink_target *target, char *err, size_t err_size);
/** Builds source.ctf.lttng-live and the sink, as above. The connection is made when the graph first
 * runs. */
struct doze_graph doze_graph_live(const char *url, const struct doze_sink_target *target, char *err,
				  size_t err_size);
/** Writes one line that says that the folder is not a trace of doze, for a failure to read one that
 * is foreign: what is wrong with it otherwise is of no use to the user. */
void doze_graph_explain_foreign(const char *folder, char *err, size_t err_size);
/** Drops the graph, which disconnects its sources, but keeps the plug-in. */
void doze_graph_disconnect(struct doze_graph *);
/** Drops everything. An empty graph is allowed. */
void doze_graph_free(struct doze_graph *);

#endif
