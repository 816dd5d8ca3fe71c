/*
 * SPDX-License-Identifier: MIT
 *
 * reader.h - from a trace folder or a live relay to doze events, through Babeltrace 2.
 *
 * A reader is one Babeltrace graph: source.ctf.fs (one component per folder that holds a metadata
 * file) or source.ctf.lttng-live, then filter.utils.muxer, then our sink. bt_graph_run_once can
 * block for seconds on a relay, so doze_reader_run belongs into a thread of its own; the callbacks
 * are made on that thread. doze_reader_stop may be called from any thread and from a signal handler.
 */
#ifndef DOZE_VIZ_READER_H
#define DOZE_VIZ_READER_H

#include <stddef.h>

#include "../event.h"

struct doze_reader;

struct doze_reader_sink {
	void (*event)(void *ctx, const struct doze_event *);
	/* count 0 = Babeltrace knows that events were lost, not how many. Covers a packet of one CPU. */
	void (*discarded)(void *ctx, int64_t from, int64_t to, uint64_t count);
	/* Live only, may be null: nothing came for a while; the clock has reached ts at least. */
	void (*quiet)(void *ctx, int64_t ts);
};

enum doze_reader_status {
	DOZE_READER_END,     /* the trace, or the live session, ended */
	DOZE_READER_STOPPED, /* doze_reader_stop was called */
	DOZE_READER_ERROR,   /* doze_reader_error says what, where, what to do */
};

/** Opens a recorded trace: any folder at or above the one with `metadata`. Returns an owned reader;
 * on failure null, and one line into err (what, where, what to do; no newline). */
struct doze_reader *doze_reader_open_dir(const char *dir, char *err, size_t err_size);
/** Opens net://HOST[:PORT]/host/NAME/SESSION. */
struct doze_reader *doze_reader_open_live(const char *url, char *err, size_t err_size);
/** Only events of [from, to] ns reach the sink (state before `from` is still folded by the caller's
 * model when it asks for everything; default is everything). */
/** Runs until the end, a stop, or an error. */
enum doze_reader_status doze_reader_run(struct doze_reader *, const struct doze_reader_sink *, void *ctx);
void doze_reader_stop(struct doze_reader *);
const char *doze_reader_error(const struct doze_reader *);
/** Schema found in the trace is newer than this program: some events are not understood. */
void doze_reader_free(struct doze_reader *);

#endif
