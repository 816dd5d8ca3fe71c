/*
 * SPDX-License-Identifier: MIT
 *
 * trace_writer.h - writes CTF traces from doze events, for traces that no correct pool records:
 * wrong ones, ones of a later schema or of another program, with losses, or just long. Explored
 * schedules become traces this way, too.
 *
 * The fields are those of viz/reader/fields.c. Real recordings show that the provider has the same
 * ones; this writer does not. It writes through Babeltrace's sink.ctf.fs.
 */
#ifndef DOZE_EXPLORER_TRACE_WRITER_H
#define DOZE_EXPLORER_TRACE_WRITER_H

#include <stddef.h>

#include "../../viz/event/event.h"

enum trace_writer_step {
	TRACE_WRITER_EVENT, /* the event was filled */
	TRACE_WRITER_LOSS,  /* event->cpu lost `lost` events until event->ts */
	TRACE_WRITER_END,
};

struct trace_writer_options {
	const char *hostname; /* null: "made" */
	const char *provider; /* null: "doze" */
	const char *without;  /* a field that no event has, as in an older schema */
	const char *strange;  /* this label in all vocabularies becomes "telepathic" */
	bool extra;           /* each event gets a field "later" of a newer minor schema */
	unsigned per_packet;  /* events a packet; 0: 1000 */
};

/** Gives the next event. Timestamps must not decrease. Kind `unknown` writes doze:telepathy. */
typedef enum trace_writer_step (*trace_writer_next)(void *ctx, struct doze_event *event,
						    uint64_t *lost);

/** Writes the trace to dir (must not exist). Returns 0; or -1 with a line on stderr. */
int trace_writer_write(const char *dir, const struct trace_writer_options *, trace_writer_next next,
		       void *ctx);

/** Likewise, from an array. */
int trace_writer_write_array(const char *dir, const struct trace_writer_options *,
			     const struct doze_event *events, size_t count);

#endif
