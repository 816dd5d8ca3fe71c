/*
 * SPDX-License-Identifier: MIT
 *
 * reader_int.h - the data of a reader, shared by reader.c and read_ahead.c.
 */
#ifndef DOZE_VIZ_READER_INT_H
#define DOZE_VIZ_READER_INT_H

#include <stdatomic.h>

#include "decode.h"
#include "graph.h"
#include "reader.h"

struct doze_reader {
	struct doze_graph graph;     /* owned; disconnected after the run */
	bt_interrupter *interrupter; /* owned reference, which outlives the graph so that late stops
				      * are safe */
	struct doze_decoder *decoder;
	struct doze_sink_target target;
	char *where;                     /* folder or URL, for messages */
	struct doze_live_proxy *between; /* owned; live only */
	bool live, refused;
	bool folder;           /* the trace is one folder */
	bool complete, absent; /* complete: according to the manifest; absent: a stream file is
				* missing or damaged */
	char absent_what[128]; /* description of that file; "" if unknown */

	/* Members used only by the thread that runs the reader, during the run. */
	const struct doze_reader_sink *sink; /* not owned */
	void *ctx;                           /* not owned */
	struct doze_event *into;             /* where to decode the next event; not owned */
	struct doze_event event; /* the target of `into`, unless read_ahead.c has set another */
	bool attached;
	enum doze_reader_status status;

	/* Members used by any thread. */
	atomic_bool stop;
	_Atomic uint64_t events, foreign, unknown_events, unknown_labels, discarded, losses;
	atomic_bool saw_doze;

	char error[512];
	char unknown[48]; /* copied from a part; "" otherwise */
};

enum { DOZE_READER_PARTS = 8 };

/* Returns into how many parts the streams of a trace may be divided, one per thread: more than one
 * if the files are known to be as they were recorded, so that reading them fails for no reason that
 * one part has and another has not. */
unsigned doze_reader_parts(const struct doze_reader *);
/* Opens a part of the reader's streams, owned by the caller. Returns null on failure. Its events
 * have the same order among themselves as in the whole trace. */
struct doze_reader *doze_reader_part(const struct doze_reader *, struct doze_graph_part);
/* Adds what a part has counted, and copies its error. */
void doze_reader_add_part(struct doze_reader *, const struct doze_reader *part);

#endif
