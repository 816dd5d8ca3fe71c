/*
 * SPDX-License-Identifier: MIT
 *
 * trace_writer.h - writes synthetic CTF traces from doze events.
 *
 * It writes traces that no correct pool records: traces with errors or lost events, of a later
 * schema, of another program, or very long ones. explore-trace uses it to convert explored
 * schedules.
 *
 * The fields come from viz/trace/fields.c, so these traces cannot prove that the provider records
 * the same fields; only real recordings can. Babeltrace's sink.ctf.fs writes the files.
 */
#ifndef DOZE_EXPLORER_TRACE_WRITER_H
#define DOZE_EXPLORER_TRACE_WRITER_H

#include <stddef.h>

#include "../../viz/trace/event.h"

enum trace_writer_step {
	TRACE_WRITER_EVENT, /* the event was filled in */
	TRACE_WRITER_LOSS,  /* CPU event->cpu lost `lost` events up to event->ts */
	TRACE_WRITER_END,
};

struct trace_writer_options {
	const char *hostname; /* null means "made" */
	const char *provider; /* null means "doze" */
	const char *without;  /* name of a field to omit from all events, as in an older schema */
	const char *strange;  /* enumeration label to replace with "telepathic" */
	bool extra;           /* each event gets a field "later", as if from a newer minor schema */
	unsigned per_packet;  /* number of events per packet; 0 means 1000 */
};

/** Returns the next event. Timestamps must not decrease. An event of kind `unknown` is written as
 * doze:telepathy. */
typedef enum trace_writer_step (*trace_writer_next)(void *ctx, struct doze_event *event,
						    uint64_t *lost);

/** Writes the trace to dir, which must not exist yet. Returns 0, or -1 with a line on stderr. */
int trace_writer_write(const char *dir, const struct trace_writer_options *, trace_writer_next next,
		       void *ctx);

/** Writes the events of an array, as trace_writer_write does. */
int trace_writer_write_array(const char *dir, const struct trace_writer_options *,
			     const struct doze_event *events, size_t count);

#endif
